internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A temporary file or folder, which is removed with this object unless it was renamed.
///
/// It is locked while it exists, so that a later run can see whether it is abandoned.
final class TemporaryEntry: Sendable {
  let folder: OpenFolder
  let name: FilePath
  let descriptor: FileDescriptor

  /// The entries to remove when a signal ends the process; nil after that, so that none are added.
  private static let inUse = Mutex<Set<FilePath>?>([])

  /// Creates a file with some permissions, or a private folder if they are nil.
  ///
  /// Calls `name` until it returns a free name in the folder. Throws `canceled` while a signal ends
  /// the process.
  init(
    _ permissions: FilePermissions?, in folder: OpenFolder, named name: () -> FilePath
  ) throws(Errno) {
    self.folder = folder
    // Created under the lock, so that a signal never finds an entry that is not in the set yet.
    (self.name, descriptor) = try Self.inUse.withLock { inUse throws(Errno) in
      guard inUse != nil else { throw .canceled }
      let made = try OwnerLock.create(permissions, in: folder, named: name)
      inUse?.insert(folder.path.pushing(made.name))
      return made
    }
  }

  deinit {
    folder.removeAll(name)
    let path = path
    _ = Self.inUse.withLock { $0?.remove(path) }
    // The file is synced or removed, so an error of closing no longer matters.
    try? descriptor.close()
  }

  var path: FilePath { folder.path.pushing(name) }

  static func removeAllInUse() {
    var paths = inUse.withLock { inUse in
      defer { inUse = nil }
      return inUse ?? []
    }
    // More than once, because a thread may still create files in a folder that is being emptied.
    for _ in 0..<100 where !paths.isEmpty {
      for path in paths { OpenFolder.working.removeAll(path) }
      paths = paths.filter { (try? OpenFolder.working.status(of: $0)) != nil }
    }
  }
}

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

  /// Returns a path beside a target with its suffix, because encoders choose their format by it.
  static func random(beside path: FilePath) -> FilePath {
    // A long name would not leave enough room for the digits.
    let stem = String((path.stem ?? "folder").unicodeScalars.prefix(50))
    return path.removingLastComponent()
      .appending(".\(stem)\(mark)\(word())\(path.extension.map { ".\($0)" } ?? "")")
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
/// of a live process on another host can be claimed. Therefore `OpenFolder.removeAbandoned()`
/// removes only what did not change for an hour; a file that its process leaves unchanged for
/// longer is not protected.
package enum OwnerLock {
  fileprivate static func create(
    _ permissions: FilePermissions?, in folder: OpenFolder, named name: () -> FilePath
  ) throws(Errno) -> (name: FilePath, entry: FileDescriptor) {
    while true {
      let path = name()
      if permissions == nil, try !folder.makeFolder(path) { continue }
      let flags = permissions == nil ? O_RDONLY | O_DIRECTORY : O_WRONLY | O_CREAT | O_EXCL
      let entry: FileDescriptor
      do throws(Errno) { entry = try folder.open(path, flags, permissions?.rawValue ?? 0) } catch {
        // The name is taken, or a cleaner has removed the new folder.
        let expected = permissions == nil ? Errno.noSuchFileOrDirectory : .fileExists
        guard error == expected else { throw error }
        continue
      }
      if take(entry, at: path, in: folder) { return (path, entry) }
      try? entry.close()
    }
  }

  /// Locks a file or folder that this process has just created.
  ///
  /// Waits for a cleaner that has locked it as abandoned meanwhile.
  /// - Returns: Whether the name still refers to it; otherwise create another.
  package static func take(
    _ descriptor: FileDescriptor, at path: FilePath, in folder: OpenFolder = .working
  ) -> Bool {
    while flock(descriptor.rawValue, LOCK_EX) != 0 && errno == EINTR {}
    return isStill(descriptor, at: path, in: folder)
  }

  /// Opens and locks an abandoned file or folder of this user.
  /// - Returns: The locked descriptor, to be closed after the name is removed; nil while the
  ///   process that made it runs, and for anything except a regular file or a folder.
  package static func claim(
    _ path: FilePath, in folder: OpenFolder = .working
  ) -> FileDescriptor? {
    // Network file systems lock a file only with write access; a folder opens only for reading.
    let descriptor =
      (try? folder.open(path, O_RDWR | O_NONBLOCK | O_NOCTTY))
      ?? (try? folder.open(path, O_RDONLY | O_DIRECTORY))
    guard let descriptor else { return nil }
    if let status = try? Stat(descriptor), status.userID.rawValue == geteuid(),
      status.type == .regular || status.type == .directory,
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
    _ = try? OpenFolder.working.remove(file)
    try? lock.close()
  }

  private static func isStill(
    _ descriptor: FileDescriptor, at path: FilePath, in folder: OpenFolder
  ) -> Bool {
    guard let own = try? Stat(descriptor), let named = try? folder.status(of: path) else {
      return false
    }
    return (own.deviceID, own.inode) == (named.deviceID, named.inode)
  }
}

extension OpenFolder {
  /// Folders already searched, by device and inode.
  private static let swept = Mutex<Set<[UInt64]>>([])
  private static let mostSwept = 10_000
  /// The seconds without a change after which an entry counts as abandoned.
  static let leastAge = 3600

  /// Removes the temporary entries in the folder whose processes were killed; once per process.
  ///
  /// A folder with content is removed only if it holds the marker. Entries that changed recently
  /// are kept, because their process may be on another host (see `OwnerLock`).
  func removeAbandoned() {
    guard let own = try? status(of: ".") else { return }
    let identity = [UInt64(own.deviceID.rawValue), UInt64(own.inode.rawValue)]
    let isNew = Self.swept.withLock { swept in
      if swept.count >= Self.mostSwept { swept = [] }
      return swept.insert(identity).inserted
    }
    guard isNew else { return }
    forEachName { name in
      guard TemporaryName.isOne(name.string), let lock = OwnerLock.claim(name, in: self) else {
        return
      }
      defer { try? lock.close() }
      guard let status = try? Stat(lock),
        Int(status.st_mtim.tv_sec) < FileVersion.Moment.now().seconds - Self.leastAge
      else { return }
      let marker = ScratchFolder.marker
      if status.type == .directory,
        (try? Stat(marker, relativeTo: lock, flags: .symlinkNoFollow)) == nil
      {
        removeEmptyFolder(name)
      } else {
        removeAll(name)
      }
    }
  }
}
