#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Says that the system refused to do something with a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was to be done, such as "open".
  public let operation: String
  /// The file.
  public let path: String
  /// Why not.
  public let reason: String

  /// What was refused and why.
  public var description: String { "cannot \(operation) \(path): \(reason)" }
}

/// The little of the file system that a store needs.
enum Files {
  /// The names in a folder; none when there is no such folder.
  static func names(in folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw failure("list", folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)
        ) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The text of a file.
  ///
  /// - Throws: `FileError` at what is no regular file, is too long or is not UTF-8. A link is not
  ///   followed, and a pipe not waited for.
  static func read(_ path: String, atMost most: Int) throws(FileError) -> String {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw failure("open", path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure("examine", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(operation: "read", path: path, reason: "it is no regular file")
    }
    var bytes: [UInt8] = []
    while bytes.count <= most {
      // One byte more than allowed shows that there is more.
      let wanted = min(most + 1 - bytes.count, 1 << 16)
      var failed = false
      let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let read = Self.read(file, buffer)
        (failed, count) = (read < 0, max(read, 0))
      }
      if failed { throw failure("read", path) }
      if part.isEmpty { break }
      bytes += part
    }
    guard bytes.count <= most else {
      throw FileError(
        operation: "read", path: path, reason: "it is longer than \(most) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(operation: "read", path: path, reason: "it is not UTF-8")
    }
    return text
  }

  /// Writes a file as a whole or not at all.
  static func write(_ text: String, to path: String) throws(FileError) {
    let draft = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).draft"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure("create", draft) }
    var isWritten = Self.write(Array(text.utf8), to: file)
    // The contents must be there before the name, should the machine stop in between.
    isWritten = isWritten && fsync(file) == 0
    isWritten = close(file) == 0 && isWritten && rename(draft, path) == 0
    guard isWritten else {
      let error = failure("write", path)
      unlink(draft)
      throw error
    }
  }

  /// Makes a folder and those it is in.
  static func makeFolder(_ path: String) throws(FileError) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      guard mkdir(part, 0o755) == 0 || errno == EEXIST else { throw failure("make", part) }
    }
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  /// Removes a folder that holds nothing; leaves it where that is not so.
  static func removeFolderIfEmpty(_ path: String) { rmdir(path) }

  private static func read(_ file: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    repeat {
      #if canImport(Glibc)
        let count = Glibc.read(file, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(file, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(file, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    } while true
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
          Musl.write(file, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(file, buffer.baseAddress, buffer.count)
        #endif
      }
      if count >= 0 { start += count } else if errno != EINTR { return false }
    }
    return true
  }

  private static func failure(_ operation: String, _ path: String) -> FileError {
    // Read first, for what follows may change it.
    let code = errno
    return FileError(
      operation: operation, path: path, reason: strerror(code).map { String(cString: $0) } ?? "")
  }
}
