package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lock (flock) by which the maker of a temporary file or folder shows that it still lives.
///
/// The open descriptor holds it, so it ends with the process, however that ends. Only a process that
/// holds the lock itself may remove an abandoned file, and holds it until the name is gone.
/// On a file system without locks, nothing is claimed and so nothing is removed.
///
/// Some network file systems keep flock local to a host (NFS with `local_lock`, sshfs): the file of a live process on
/// another host can be claimed there. `FolderTree` therefore removes only what did not change for an hour, which does
/// not protect a file that its maker leaves unchanged for longer.
package enum OwnerLock {
  /// Locks what this process has just made.
  ///
  /// Between the two, a cleaner may have locked it as abandoned; this waits for that cleaner.
  ///
  /// - Returns: Whether its name still names it; otherwise make another.
  package static func take(
    _ descriptor: FileDescriptor, at path: FilePath, in folder: CInt = AT_FDCWD
  ) -> Bool {
    while flock(descriptor.rawValue, LOCK_EX) != 0 && errno == EINTR {}
    return isStill(descriptor, at: path, in: folder)
  }

  /// Opens and locks an abandoned file or folder of this user.
  ///
  /// - Returns: The locked descriptor, to be closed after the name is removed; nil while the maker
  ///   lives, and for anything but a regular file or a folder.
  package static func claim(_ path: FilePath, in folder: CInt = AT_FDCWD) -> FileDescriptor? {
    // Network file systems lock a file only for those who may write it; a folder opens to read alone.
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

  /// Removes an abandoned file; keeps it while its maker lives.
  package static func removeAbandoned(_ file: FilePath) {
    guard let lock = claim(file) else { return }
    _ = unsafe file.withPlatformString { name in unsafe unlink(name) }
    try? lock.close()
  }

  private static func open(
    _ path: FilePath, _ flags: CInt, in folder: CInt
  ) -> FileDescriptor? {
    while true {
      let opened = unsafe path.withPlatformString { name in
        unsafe openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW)
      }
      if opened >= 0 { return FileDescriptor(rawValue: opened) }
      guard errno == EINTR else { return nil }
    }
  }

  /// Whether a name still names an open file.
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
