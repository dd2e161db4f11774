internal import Foundation
internal import SystemPackage

/// The files in a folder, at any depth, without hidden entries.
struct FolderWalk {
  /// A regular file, a link to one, or a broken link.
  struct Entry {
    let path: FilePath
    let identity: FileIdentity
    let isLink: Bool
  }

  /// The files in the order of their paths.
  private(set) var files: [Entry] = []
  /// The folders that cannot be listed, among which the given one comes first, and the entries whose kind is
  /// unknown, with the reasons.
  private(set) var unreadable: [(path: FilePath, reason: Errno)] = []

  init(_ folder: FilePath) {
    var waiting = [folder]
    // A loop instead of recursion: descriptors and stack frames do not add up with depth.
    while let next = waiting.popLast() {
      do throws(Errno) { waiting += try list(next) } catch { unreadable.append((next, error)) }
    }
    files.sort { $0.path.string < $1.path.string }
    unreadable.sort { $0.path.string < $1.path.string }
  }

  /// Adds a folder's files and returns its subfolders.
  ///
  /// Links to folders are not followed: they can form a cycle, and most targets are found under their own
  /// names. Foundation's enumerator takes three times as long for 100,000 files.
  private mutating func list(_ folder: FilePath) throws(Errno) -> [FilePath] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      throw Errno(rawValue: errno)
    }
    defer { closedir(stream) }
    var folders: [FilePath] = []
    while true {
      // readdir also returns nil at the end, and then leaves errno unchanged.
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return folders
      }
      // The name as bytes, which may not be UTF-8.
      let found = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
        { FilePath.Component(platformString: $0) }
      }
      guard let name = found, !name.string.hasPrefix(".") else { continue }
      let path = folder == "." ? FilePath(root: nil, [name]) : folder.appending(name)
      var status = stat()
      func find(_ flags: Int32) -> Errno? {
        name.withPlatformString {
          fstatat(dirfd(stream), $0, &status, flags) == 0 ? nil : Errno(rawValue: errno)
        }
      }
      if let error = find(AT_SYMLINK_NOFOLLOW) {
        // A missing file was removed after it was listed.
        if error != .noSuchFileOrDirectory { unreadable.append((path, error)) }
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: folders.append(path)
      case S_IFREG:
        files.append(Entry(path: path, identity: FileIdentity(status), isLink: false))
      case S_IFLNK:
        let error = find(0)
        if let error,
          ![.noSuchFileOrDirectory, .tooManySymbolicLinkLevels, .notDirectory].contains(error)
        {
          unreadable.append((path, error))
        } else if error != nil || status.st_mode & S_IFMT == S_IFREG {
          let identity = error == nil ? FileIdentity(status) : .name(path)
          files.append(Entry(path: path, identity: identity, isLink: true))
        }
      default: continue
      }
    }
  }
}

extension FilePath {
  /// The path as text.
  ///
  /// In a path that is not UTF-8, each invalid byte becomes `\xff` and each backslash `\\`, so that no two
  /// such paths have the same text. A UTF-8 path that contains such an escape can have the same text as one.
  var text: String {
    withPlatformString { path in
      if let text = String(validatingCString: path) { return text }
      var text = ""
      var rest = UnsafeBufferPointer(start: path, count: strlen(path)).map {
        UInt8(bitPattern: $0)
      }[...]
      while let byte = rest.first {
        let length = (1...4).first {
          String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.count == 1
        }
        if byte == UInt8(ascii: "\\") {
          text += "\\\\"
        } else if let length {
          text += String(decoding: rest.prefix(length), as: UTF8.self)
        } else {
          text += "\\x" + String(byte, radix: 16)
        }
        rest = rest.dropFirst(length ?? 1)
      }
      return text
    }
  }

  /// Creates the path that is not UTF-8 and has this text.
  init(text: String) {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.first {
      let code = rest.starts(with: "\\x".utf8) ? rest.dropFirst(2).prefix(2) : []
      let escaped = UInt8(String(decoding: code, as: UTF8.self), radix: 16)
      bytes.append(escaped ?? byte)
      rest = rest.dropFirst(escaped != nil ? 4 : rest.starts(with: "\\\\".utf8) ? 2 : 1)
    }
    self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }
}

/// A file's identity, which does not depend on its names.
enum FileIdentity: Hashable {
  case file(device: UInt64, inode: UInt64)
  case name(FilePath)

  init(_ path: FilePath) {
    var status = stat()
    self = path.withPlatformString({ stat($0, &status) }) == 0 ? FileIdentity(status) : .name(path)
  }

  fileprivate init(_ status: stat) {
    self = .file(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
