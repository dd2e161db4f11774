/// Keeps failures as small text files that people can read, review and commit.
///
/// Each property has a folder; each failure in it a file `<digest>.token` with one line, its
/// choices, and beside it `<digest>.value`, its value as text. A file is written under another
/// name and moved into place, so that nobody reads half of it.
public struct FolderFailureStore: FailureStore {
  /// Of a property no more failures are read than this; a folder of more was not written here.
  private static let mostFailures = 1000
  /// Of a value no more bytes are read than this.
  private static let mostValueBytes = 1 << 20
  /// The longest token takes 10 bytes a choice, in base64.
  private static let mostTokenBytes = TestCase.mostChoices * 14 + 64

  /// The folder that holds those of the properties.
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
    for name in try Files.names(in: folder).sorted() {
      let isToken = name.hasSuffix(".token")
      guard isToken || name.hasSuffix(".value"), !name.hasPrefix(".") else { continue }
      let digest = String(name.dropLast(6))
      do {
        guard Self.isDigest(digest) else { throw BadName() }
        guard tokens.count < Self.mostFailures, values.count < Self.mostFailures else {
          stored.problems.append("\(folder) holds more than \(Self.mostFailures) failures")
          break
        }
        let most = isToken ? Self.mostTokenBytes : Self.mostValueBytes
        let text = try Files.read("\(folder)/\(name)", atMost: most)
        if isToken {
          let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
          tokens[digest] = try ReplayToken(parsing: line)
        } else {
          values[digest] = text
        }
      } catch {
        stored.problems.append("\(folder)/\(name): \(error)")
      }
    }
    stored.failures = Set(tokens.keys).union(values.keys).sorted().map {
      StoredFailure(digest: $0, token: tokens[$0], value: values[$0])
    }
    return stored
  }

  /// Keeps a failure.
  ///
  /// - Parameters:
  ///   - failure: one with a token or a value.
  ///   - property: the name of its property.
  /// - Throws: `FileError` when it cannot be written, or its digest is no plain file name.
  public func save(_ failure: StoredFailure, of property: String) async throws {
    let base = try base(of: failure, property)
    try Files.makeFolder(folder(of: property))
    // The token comes last: with it the failure is complete.
    if let value = failure.value { try Files.write(value, to: base + ".value") }
    if let token = failure.token { try Files.write("\(token)\n", to: base + ".token") }
  }

  /// Forgets a failure, and the folder of the property with its last.
  ///
  /// - Parameters:
  ///   - failure: which; one that is not kept is no error.
  ///   - property: the name of its property.
  /// - Throws: `FileError` when a file cannot be removed, or its digest is no plain file name.
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
