package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lock (flock) by which the owner process of a temporary entry shows that it still runs.
///
/// The open descriptor holds the lock, so it ends with the process. Only a process that holds the
/// lock may remove an abandoned file, and it holds the lock until the name is removed. On a file
/// system without locks, nothing is removed.
///
/// Some network file systems keep flock local to a host (NFS with `local_lock`, sshfs), so a file
/// of a live process on another host can be claimed. Therefore `FolderTree` removes only what did
/// not change for an hour; a file that its process leaves unchanged for longer is not protected.
package enum OwnerLock {
  /// Locks a file or folder that this process has just created.
  ///
  /// Waits for a cleaner that has locked it as abandoned meanwhile.
  /// - Returns: Whether the name still refers to it; otherwise create another.
  package static func take(
    _ descriptor: FileDescriptor, at path: FilePath, in folder: CInt = AT_FDCWD
  ) -> Bool {
    while flock(descriptor.rawValue, LOCK_EX) != 0 && errno == EINTR {}
    return isStill(descriptor, at: path, in: folder)
  }

  /// Opens and locks an abandoned file or folder of this user.
  /// - Returns: The locked descriptor, to be closed after the name is removed; nil while the
  ///   process that made it runs, and for anything except a regular file or a folder.
  package static func claim(_ path: FilePath, in folder: CInt = AT_FDCWD) -> FileDescriptor? {
    // Network file systems lock a file only with write access; a folder opens only for reading.
    let descriptor =
      open(path, O_RDWR | O_NONBLOCK | O_NOCTTY, in: folder)
      ?? open(path, O_RDONLY | O_DIRECTORY, in: folder)
    guard let descriptor else { return nil }
    var status = stat()
    if unsafe fstat(descriptor.rawValue, &status) == 0, status.st_uid == geteuid(),
      [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT),
      flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0, isStill(descriptor, at: path, in: folder)
    {
      return descriptor
    }
    try? descriptor.close()
    return nil
  }

  /// Removes an abandoned file; keeps it while its process runs.
  package static func removeAbandoned(_ file: FilePath) {
    guard let lock = claim(file) else { return }
    _ = unsafe file.withPlatformString { name in unsafe unlink(name) }
    try? lock.close()
  }

  /// Opens a file or folder; nil with the reason in `errno`, also if it is a symbolic link.
  static func open(
    _ path: FilePath, _ flags: CInt, _ mode: mode_t = 0, in folder: CInt
  ) -> FileDescriptor? {
    while true {
      let opened = unsafe path.withPlatformString { name in
        unsafe openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, mode)
      }
      if opened >= 0 { return FileDescriptor(rawValue: opened) }
      guard errno == EINTR else { return nil }
    }
  }

  private static func isStill(
    _ descriptor: FileDescriptor, at path: FilePath, in folder: CInt
  ) -> Bool {
    var (own, named) = (stat(), stat())
    let isThere = unsafe path.withPlatformString { name in
      unsafe fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
    }
    return unsafe fstat(descriptor.rawValue, &own) == 0 && isThere
      && own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }
}
