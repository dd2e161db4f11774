#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A codec between values and text, so that a stored failure survives a change of its generator.
public struct ValueCodec<Value>: Sendable {
  /// Returns the text of a value.
  public let encode: @Sendable (Value) -> String
  /// Returns the value of a text; throws if the text is invalid.
  public let decode: @Sendable (String) throws -> Value

  /// Creates a codec from two functions; decoding an encoded value must return that value.
  public init(
    encode: @escaping @Sendable (Value) -> String,
    decode: @escaping @Sendable (String) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension ValueCodec where Value: LosslessStringConvertible & SendableMetatype {
  /// The codec that uses the text form of the type.
  public static var lossless: ValueCodec {
    ValueCodec(encode: { $0.description }) { text in
      guard let value = Value(text) else { throw UnreadableValue(text: text) }
      return value
    }
  }
}

/// The error of a text that is not a value of the required type.
package struct UnreadableValue: Error { package let text: String }

package struct StoredFailure: Hashable, Sendable {
  /// The name of the failure within its property: letters and digits.
  package let digest: String
  /// The choices; nil if they could not be read.
  package let token: ReplayToken?
  /// The value as text, from the codec or from its description.
  package let value: String?
}

extension ReplayToken {
  /// The name of the token in a store.
  package var digest: String { Self.digest(of: "\(self)") }

  /// Returns the hash of a text in 16 hexadecimal digits; two of 100 texts share it with a probability below 10^-15.
  fileprivate static func digest(of text: String) -> String {
    let digits = String(fnvHash(text), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A store that keeps failures from one run to the next, as small text files that people can read, review and commit.
///
/// Each property has a folder. Each failure in it has a file `<digest>.token` with its choices in one line, and a file
/// `<digest>.value` with its value as text.
public struct FolderFailureStore: Sendable {
  /// The greatest number of failures of a property; further ones are neither read nor written.
  private static let mostFailures = 1000
  private static let mostValueBytes = 1 << 20
  /// A choice takes at most 10 bytes, which are at most 14 characters of base64.
  private static let mostTokenBytes = TestCase.mostChoices * 14 + 64

  /// The folder of the store.
  public let path: String

  /// Creates a store in a folder; the first saved failure creates the folder.
  public init(_ path: String) { self.path = path }

  /// Returns the folder of a property: its name with `_` for special characters, and a hash of the name.
  package func folder(of property: String) -> String {
    let plain = property.utf8.prefix(60).map { Self.isPlain($0) ? $0 : UInt8(ascii: "_") }
    return "\(path)/\(String(decoding: plain, as: UTF8.self))-\(ReplayToken.digest(of: property))"
  }

  /// Returns the failures of a property in the order of their digests, and the problems of unreadable ones.
  package func load(
    _ property: String
  ) throws -> (failures: [StoredFailure], problems: [String]) {
    let folder = folder(of: property)
    var problems: [String] = []
    var tokens: [String: ReplayToken] = [:]
    var values: [String: String] = [:]
    // Damaged files count too, which limits the number of problems.
    var seen: Set<String> = []
    for name in try Files.names(in: folder).sorted() {
      guard let digest = Self.digest(of: name) else { continue }
      guard seen.count < Self.mostFailures || seen.contains(digest) else {
        problems.append(
          "\(folder) holds more than \(Self.mostFailures) failures (remove those of no use)")
        break
      }
      seen.insert(digest)
      let file = "\(folder)/\(name)"
      do {
        try Self.verify(digest)
        if name.hasSuffix(".token") {
          let text = try Files.read(file, atMost: Self.mostTokenBytes)
          tokens[digest] = try ReplayToken(
            parsing: text.hasSuffix("\n") ? String(text.dropLast()) : text)
        } else {
          values[digest] = try Files.read(file, atMost: Self.mostValueBytes)
        }
      } catch {
        problems.append("\(file): \(error)")
      }
    }
    let failures = Set(tokens.keys).union(values.keys).sorted().map {
      StoredFailure(digest: $0, token: tokens[$0], value: values[$0])
    }
    return (failures, problems)
  }

  /// Saves a failure, unless the folder is full.
  package func save(_ failure: StoredFailure, of property: String) throws {
    try Self.verify(failure.digest)
    let folder = folder(of: property)
    try Files.makeFolder(folder)
    let others = Set(try Files.names(in: folder).compactMap(Self.digest(of:))).subtracting([
      failure.digest
    ])
    guard others.count < Self.mostFailures else {
      throw FileError(
        operation: "save a failure in", path: folder,
        reason: "it has \(others.count) failures already (remove some)")
    }
    // The token is written last, because it makes the failure complete.
    let base = "\(folder)/\(failure.digest)"
    if let value = failure.value { try Files.write(value, to: base + ".value") }
    if let token = failure.token { try Files.write("\(token)\n", to: base + ".token") }
  }

  /// Removes a failure, if it is stored, and the folder of the property with its last failure.
  package func remove(_ failure: StoredFailure, of property: String) throws {
    try Self.verify(failure.digest)
    let folder = folder(of: property)
    try Files.remove("\(folder)/\(failure.digest).token")
    try Files.remove("\(folder)/\(failure.digest).value")
    rmdir(folder)
  }

  /// Returns the digest in a file's name; nil if the file does not belong to a failure.
  private static func digest(of name: String) -> String? {
    let isOfFailure = name.hasSuffix(".token") || name.hasSuffix(".value")
    return isOfFailure && !name.hasPrefix(".") ? String(name.dropLast(6)) : nil
  }

  private static func verify(_ digest: String) throws {
    guard (1...64).contains(digest.utf8.count), digest.utf8.allSatisfy(isPlain) else {
      throw FileError(
        operation: "use", path: digest, reason: "the name is not 1 to 64 letters and digits")
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber)
  }
}

/// The error of a file operation that the system refused.
package struct FileError: Error, CustomStringConvertible {
  let operation: String
  let path: String
  let reason: String

  package var description: String { "cannot \(operation) \(path): \(reason)" }

  fileprivate init(operation: String, path: String, reason: String? = nil) {
    self.operation = operation
    self.path = path
    self.reason = reason ?? strerror(errno).map { String(cString: $0) } ?? ""
  }
}

func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

private enum Files {
  /// Returns the names in a folder; none if the folder does not exist.
  static func names(in folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw FileError(operation: "list", path: folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)
        ) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// Returns the text of a regular file; does not follow links or wait for pipes.
  static func read(_ path: String, atMost most: Int) throws(FileError) -> String {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0, let stream = fdopen(file, "r") else {
      throw FileError(operation: "open", path: path)
    }
    defer { fclose(stream) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileError(operation: "examine", path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(operation: "read", path: path, reason: "it is not a regular file")
    }
    // One byte more than allowed shows that the file is too long.
    let size = min(max(Int(status.st_size), 0), most) + 1
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, stream)
    }
    guard ferror(stream) == 0 else { throw FileError(operation: "read", path: path) }
    guard bytes.count < size else {
      throw FileError(operation: "read", path: path, reason: "it is longer than \(most) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(operation: "read", path: path, reason: "it is not UTF-8")
    }
    return text
  }

  /// Writes a whole file or nothing.
  static func write(_ text: String, to path: String) throws(FileError) {
    let draft = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).draft"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0, let stream = fdopen(file, "w") else {
      throw FileError(operation: "create", path: draft)
    }
    let bytes = Array(text.utf8)
    var isWritten = fwrite(bytes, 1, bytes.count, stream) == bytes.count
    // The content must be on disk before the file gets its final name.
    isWritten = isWritten && fflush(stream) == 0 && fsync(file) == 0
    isWritten = fclose(stream) == 0 && isWritten && rename(draft, path) == 0
    guard isWritten else {
      let error = FileError(operation: "write", path: path)
      unlink(draft)
      throw error
    }
  }

  static func makeFolder(_ path: String) throws(FileError) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      guard mkdir(part, 0o755) == 0 || errno == EEXIST else {
        throw FileError(operation: "create", path: part)
      }
    }
  }

  /// Removes a file, if it exists.
  static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw FileError(operation: "remove", path: path)
    }
  }
}
