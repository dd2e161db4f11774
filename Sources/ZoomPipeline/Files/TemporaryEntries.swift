internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The names of temporary files and folders, which identify the files of a killed run.
enum TemporaryName {
  /// The start of a scratch folder's name in the folder for temporary files.
  static let scratch = "zoombench.scratch-"
  /// The mark after the target's name: `.photo.zoombench-4f0c2a91d3b8e675.png`.
  private static let mark = ".zoombench-"
  /// 64 random bits, which a user does not type by chance.
  private static let (digits, wordLength) = (Array("0123456789abcdef"), 16)

  static func word() -> String {
    String((0..<wordLength).map { _ in digits.randomElement() ?? "0" })
  }

  /// Returns a name beside a target with its suffix, because encoders choose their format by it.
  static func random(beside name: FilePath.Component) -> FilePath.Component? {
    // A long name would not leave enough room for the digits.
    let stem = String(name.stem.unicodeScalars.prefix(50))
    return FilePath.Component(".\(stem)\(mark)\(word())\(name.extension.map { ".\($0)" } ?? "")")
  }

  static func isOne(_ name: String) -> Bool {
    if name.hasPrefix(scratch) { return isWord(name.dropFirst(scratch.count)) }
    guard name.hasPrefix("."), let place = name.ranges(of: mark).last else { return false }
    let rest = name[place.upperBound...]
    return isWord(rest.prefix(wordLength))
      && (rest.count == wordLength || rest.dropFirst(wordLength).hasPrefix("."))
  }

  private static func isWord(_ word: Substring) -> Bool {
    word.utf8.count == wordLength && word.allSatisfy(digits.contains)
  }
}

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
  /// Creates and locks a file with some permissions, or a private folder if they are nil.
  ///
  /// Calls `name` until it returns a free name in `parent`, which is relative to `folder`.
  /// - Returns: The name, and the entry, which the caller closes.
  static func create(
    _ permissions: FilePermissions?, in folder: CInt = AT_FDCWD, _ parent: FilePath,
    named name: () -> FilePath.Component?
  ) throws -> (name: FilePath.Component, entry: FileDescriptor) {
    while true {
      guard let name = name() else { throw Errno.invalidArgument }
      let path = parent.appending(name)
      if permissions == nil {
        guard unsafe path.withPlatformString({ unsafe mkdirat(folder, $0, 0o700) }) == 0 else {
          guard errno == EEXIST else { throw Errno(rawValue: errno) }
          continue
        }
      }
      let flags = permissions == nil ? O_RDONLY | O_DIRECTORY : O_WRONLY | O_CREAT | O_EXCL
      guard let entry = open(path, flags, permissions?.rawValue ?? 0, in: folder) else {
        // The name is taken, or a cleaner has removed the new folder.
        guard errno == (permissions == nil ? ENOENT : EEXIST) else { throw Errno(rawValue: errno) }
        continue
      }
      if take(entry, at: path, in: folder) { return (name, entry) }
      try? entry.close()
    }
  }

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

/// Removes folders with their content through open descriptors.
///
/// Symbolic links are not followed, and a path is looked up only once.
enum FolderTree {
  /// The file that identifies a scratch folder.
  static let marker: FilePath.Component = ".zoombench-scratch"

  /// Deeper folders are kept, because each level holds a descriptor.
  private static let deepest = 200

  /// Removes a file, or a folder with its content.
  static func remove(_ path: FilePath) {
    unsafe path.withPlatformString { name in unsafe remove(name, in: AT_FDCWD, depth: 0) }
  }

  private static let inUse = Mutex<Set<FilePath>>([])

  /// Registers a temporary file or folder that is to be removed when a signal ends the process.
  static func beginUsing(_ path: FilePath) { _ = inUse.withLock { $0.insert(path) } }

  static func endUsing(_ path: FilePath) { _ = inUse.withLock { $0.remove(path) } }

  static func removeAllInUse() {
    for path in inUse.withLock({ $0 }) { remove(path) }
  }

  private static func remove(_ name: UnsafePointer<CChar>, in parent: CInt, depth: Int) {
    // A folder cannot be unlinked, but a link to one can.
    if unsafe unlinkat(parent, name, 0) == 0 || errno == ENOENT { return }
    let opened = unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    // It is a file or a link in a folder that this user may not change.
    guard opened >= 0 else { return }
    if depth < deepest {
      // A program may have made the folder read-only.
      _ = fchmod(opened, 0o700)
      unsafe forEachName(opened) { unsafe remove($0, in: opened, depth: depth + 1) }
    }
    close(opened)
    _ = unsafe unlinkat(parent, name, AT_REMOVEDIR)
  }

  private static func forEachName(_ folder: CInt, _ body: (UnsafePointer<CChar>) -> Void) {
    // Closing the stream closes its descriptor.
    let copy = fcntl(folder, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return }
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      return
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          let isDots = unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0
          if !isDots { unsafe body(name) }
        }
      }
    }
  }

  /// Folders already searched, by device and inode.
  private static let swept = Mutex<Set<[UInt64]>>([])
  private static let mostSwept = 10_000
  /// The seconds without a change after which an entry counts as abandoned.
  static let leastAge = 3600

  /// Removes the temporary entries in a folder whose processes were killed; once per process.
  ///
  /// A folder with content is removed only if it holds the marker. Entries that changed recently
  /// are kept, because their process may be on another host (see `OwnerLock`).
  static func removeAbandoned(in folder: CInt) {
    var status = stat()
    guard unsafe fstat(folder, &status) == 0 else { return }
    let identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    let isNew = swept.withLock { swept in
      if swept.count >= mostSwept { swept = [] }
      return swept.insert(identity).inserted
    }
    guard isNew else { return }
    unsafe forEachName(folder) { name in
      let text = unsafe String(cString: name)
      guard TemporaryName.isOne(text), let lock = OwnerLock.claim(FilePath(text), in: folder) else {
        return
      }
      defer { try? lock.close() }
      var status = stat()
      guard unsafe fstat(lock.rawValue, &status) == 0,
        FileVersion.Moment(modificationOf: status).seconds
          < FileVersion.Moment.now().seconds - leastAge
      else { return }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let isMarked = unsafe marker.string.withCString { marker in
        unsafe fstatat(lock.rawValue, marker, &status, AT_SYMLINK_NOFOLLOW) == 0
      }
      if isFolder, !isMarked {
        _ = unsafe unlinkat(folder, name, AT_REMOVEDIR)
      } else {
        unsafe remove(name, in: folder, depth: 0)
      }
    }
  }
}
