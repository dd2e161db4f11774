internal import Foundation
internal import SystemPackage

/// The files in a folder, at any depth, without hidden entries.
struct FolderWalk {
  /// A regular file, or a link that is to be one.
  struct Entry {
    let path: FilePath
    let identity: FileIdentity
    let isLink: Bool
  }

  /// The files in the order of their names.
  private(set) var files: [Entry] = []
  /// The folders that cannot be listed, with the reason; the first may be the folder itself.
  private(set) var unreadable: [(path: FilePath, reason: Errno)] = []

  init(_ folder: FilePath) {
    var waiting = [folder]
    // A loop: the deepest folder must not hold a descriptor and a stack frame for each one above it.
    while let next = waiting.popLast() {
      do throws(Errno) { waiting += try list(next) } catch { unreadable.append((next, error)) }
    }
    files.sort { $0.path.string < $1.path.string }
    unreadable.sort { $0.path.string < $1.path.string }
  }

  /// Adds a folder's files and returns its folders.
  ///
  /// Links to folders are not followed: they can lead round in circles, and what they lead to is mostly
  /// found under its own name. Foundation's enumerator takes three times as long over 100,000 files.
  private mutating func list(_ folder: FilePath) throws(Errno) -> [FilePath] {
    guard let stream = opendir(folder.string) else { throw Errno(rawValue: errno) }
    defer { closedir(stream) }
    var folders: [FilePath] = []
    while true {
      // readdir returns nil at the end, too, and leaves errno alone then.
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return folders
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
        {
          String(cString: $0)
        }
      }
      if name.hasPrefix(".") { continue }
      let path = folder == "." ? FilePath(name) : folder.appending(name)
      var status = stat()
      guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: folders.append(path)
      case S_IFREG:
        files.append(Entry(path: path, identity: FileIdentity(status), isLink: false))
      case S_IFLNK:
        let leadsOn = fstatat(dirfd(stream), name, &status, 0) == 0
        if leadsOn, status.st_mode & S_IFMT != S_IFREG { continue }
        files.append(
          Entry(path: path, identity: leadsOn ? FileIdentity(status) : .name(path), isLink: true))
      default: continue
      }
    }
  }
}

/// A file's identity, which does not depend on its names.
enum FileIdentity: Hashable {
  case file(device: UInt64, inode: UInt64)
  /// A path that leads to no file.
  case name(FilePath)

  init(_ path: FilePath) {
    var status = stat()
    self = stat(path.string, &status) == 0 ? FileIdentity(status) : .name(path)
  }

  fileprivate init(_ status: stat) {
    self = .file(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
