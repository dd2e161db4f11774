#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps failures as small text files that people can read, review and commit.
///
/// Each property has a folder; each failure in it a file `<digest>.token` with one line, its
/// choices, and beside it `<digest>.value`, its value as text. A file is written under another
/// name and moved into place, so that a reader sees a whole file or none.
public struct FolderFailureStore: FailureStore {
  /// The most failures of a property that a folder holds: more are neither read nor written.
  private static let mostFailures = 1000
  /// The most bytes that are read of a value.
  private static let mostValueBytes = 1 << 20
  /// The longest token takes 10 bytes a choice, in base64.
  private static let mostTokenBytes = TestCase.mostChoices * 14 + 64

  /// The folder of the store; each property has a folder in it.
  public let path: String

  /// A store in a folder, which is made when the first failure is kept.
  public init(_ path: String) { self.path = path }

  /// The folder of a property: its name where that is a plain file name, and a hash of it.
  package func folder(of property: String) -> String {
    let plain = property.utf8.prefix(60).map { Self.isPlain($0) ? $0 : UInt8(ascii: "_") }
    return "\(path)/\(String(decoding: plain, as: UTF8.self))-\(fnvDigest(property))"
  }

  /// The failures of a property, in the order of their digests.
  ///
  /// - Parameter property: its name.
  /// - Returns: What could be read, and what could not.
  /// - Throws: `FileError` when there is a folder that cannot be read.
  public func load(_ property: String) async throws -> StoredFailures {
    let folder = folder(of: property)
    var stored = StoredFailures()
    var tokens: [String: ReplayToken] = [:]
    var values: [String: String] = [:]
    var digests: Set<String> = []
    // Damaged files count: their number limits that of the problems.
    var seen: Set<String> = []
    for name in try Files.names(in: folder).sorted() {
      guard let digest = Self.digest(of: name) else { continue }
      let isToken = name.hasSuffix(".token")
      guard seen.count < Self.mostFailures || seen.contains(digest) else {
        stored.problems.append(
          "\(folder) holds more than \(Self.mostFailures) failures (remove those of no use)")
        break
      }
      seen.insert(digest)
      do {
        guard Self.isDigest(digest) else { throw BadName() }
        let most = isToken ? Self.mostTokenBytes : Self.mostValueBytes
        let text = try Files.read("\(folder)/\(name)", atMost: most)
        if isToken {
          let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
          tokens[digest] = try ReplayToken(parsing: line)
        } else {
          values[digest] = text
        }
        digests.insert(digest)
      } catch {
        stored.problems.append("\(folder)/\(name): \(error)")
      }
    }
    stored.failures = digests.sorted().map {
      StoredFailure(digest: $0, token: tokens[$0], value: values[$0])
    }
    return stored
  }

  /// Keeps a failure.
  ///
  /// - Parameters:
  ///   - failure: one with a token or a value.
  ///   - property: the name of its property.
  /// - Throws: `FileError` when it cannot be written or the folder is full, or its digest is not a plain
  ///   file name.
  public func save(_ failure: StoredFailure, of property: String) async throws {
    let base = try base(of: failure, property)
    let folder = folder(of: property)
    try Files.makeFolder(folder)
    let others = Set(try Files.names(in: folder).compactMap(Self.digest(of:))).subtracting([
      failure.digest
    ])
    guard others.count < Self.mostFailures else {
      throw FileError(
        operation: "keep a failure in", path: folder,
        reason: "it holds \(others.count) (remove those of no use)")
    }
    // The token comes last: with it the failure is complete.
    if let value = failure.value { try Files.write(value, to: base + ".value") }
    if let token = failure.token { try Files.write("\(token)\n", to: base + ".token") }
  }

  /// Forgets a failure, and the folder of the property with its last.
  ///
  /// - Parameters:
  ///   - failure: the failure; it may be missing.
  ///   - property: the name of its property.
  /// - Throws: `FileError` when a file cannot be removed, or its digest is not a plain file name.
  public func remove(_ failure: StoredFailure, of property: String) async throws {
    let base = try base(of: failure, property)
    try Files.remove(base + ".token")
    try Files.remove(base + ".value")
    Files.removeFolderIfEmpty(folder(of: property))
  }

  private func base(of failure: StoredFailure, _ property: String) throws -> String {
    guard Self.isDigest(failure.digest) else { throw BadName() }
    return "\(folder(of: property))/\(failure.digest)"
  }

  /// Returns what a file's name says is its digest; nil if the file is none of a failure.
  private static func digest(of name: String) -> String? {
    let isOfFailure = name.hasSuffix(".token") || name.hasSuffix(".value")
    return isOfFailure && !name.hasPrefix(".") ? String(name.dropLast(6)) : nil
  }

  private struct BadName: Error, CustomStringConvertible {
    var description: String { "the name is not 1 to 64 letters and digits" }
  }

  private static func isDigest(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(isPlain)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

/// Names a text in 16 hexadecimal digits, by FNV-1a.
///
/// Two of a hundred texts share a name one time in 10^15.
package func fnvDigest(_ text: String) -> String {
  let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
    ($0 ^ UInt64($1)) &* 0x100_0000_01B3
  }
  let digits = String(hash, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Says that the system refused to do something with a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation, such as "open".
  public let operation: String
  /// The file.
  public let path: String
  /// Why not.
  public let reason: String

  /// The operation, the file and the reason.
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
  /// - Throws: `FileError` if the file is not regular, is too long or is not UTF-8. A link is not
  ///   followed, and a pipe not waited for.
  static func read(_ path: String, atMost most: Int) throws(FileError) -> String {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw failure("open", path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure("examine", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(operation: "read", path: path, reason: "it is not a regular file")
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
