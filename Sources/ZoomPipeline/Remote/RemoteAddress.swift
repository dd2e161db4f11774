internal import Synchronization
package import SystemPackage

/// The address of a file on a web server, and the name under which it is reported.
///
/// The name lacks user, password, query and fragment, because a query may hold a signature. A
/// picture's path is this name, so errors, tables and results contain no secret. As a path it is
/// relative, and its first component is "http:" or "https:"; a local file of such a name can be
/// opened by its absolute path.
package struct RemoteAddress: Sendable, Hashable {
  /// The address to request, which may hold secrets.
  package let text: String
  /// The scheme, the host with its port, and the path: "https://host/photo.jpg".
  package let name: String
  /// The scheme, the host and the port, also one that only the scheme implies.
  package let server: String

  private static let schemes = ["http://", "https://"]
  /// Servers refuse longer addresses; nginx and Apache at 8 KB.
  private static let mostBytes = 1 << 14

  /// Parses an address; nil unless it is one of HTTP without control characters.
  ///
  /// Spaces and characters outside ASCII are percent-encoded as UTF-8. A port must be a number:
  /// otherwise, it is the start of a password with a slash, and the name would contain the rest.
  package init?(_ argument: String) {
    let start = argument.prefix(8).lowercased()
    guard let scheme = Self.schemes.first(where: start.hasPrefix),
      argument.utf8.count <= Self.mostBytes,
      argument.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    var rest = Self.encoded(argument.dropFirst(scheme.count))[...]
    if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
    let authority = rest.prefix { !"/?".contains($0) }
    let user = authority.lastIndex(of: "@")
    let server = user.map { authority[authority.index(after: $0)...] } ?? authority
    guard Self.isServer(server) else { return nil }
    let target = rest.dropFirst(authority.count)
    let path = target.prefix { $0 != "?" }
    let (folder, query) = (path.isEmpty ? "/" : String(path), target.dropFirst(path.count))
    text = scheme + authority + folder + query
    name = scheme + server.lowercased() + folder
    let hasPort = server.last != "]" && server.contains(":")
    let port = hasPort ? "" : scheme == "http://" ? ":80" : ":443"
    self.server = scheme + server.lowercased() + port
  }

  /// Whether a text has the form HOST or HOST:PORT; a host in brackets may contain colons.
  private static func isServer(_ text: Substring) -> Bool {
    let bracket = text.first == "[" ? text.firstIndex(of: "]") : nil
    let end = bracket.map { text.index(after: $0) } ?? text.firstIndex(of: ":") ?? text.endIndex
    let port = text[end...]
    return end > text.startIndex && !text.contains("%20")
      && (port.isEmpty || port.first == ":" && isPort(port.dropFirst()))
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(text) != nil
  }

  /// Whether a text is meant as an address, although it may not be a valid one: with a space before
  /// it, it would be shown with its secrets as the name of a file.
  package static func isMeant(by text: some StringProtocol) -> Bool {
    let start = text.drop { $0.isWhitespace }.prefix(8).lowercased()
    return ["http:/", "https:/"].contains { start.hasPrefix($0) }
  }

  private static func encoded(_ text: Substring) -> String {
    text.utf8.reduce(into: "") { result, byte in
      if byte > 0x20, byte < 0x80 {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// The name as a path.
  package var path: FilePath { FilePath(name) }

  /// Returns the address of a file beside this one: of `photo.jpg` with ".zidx", `photo.jpg.zidx`.
  func appending(_ suffix: String) -> RemoteAddress? {
    let end = text.firstIndex(of: "?") ?? text.endIndex
    return RemoteAddress(text[..<end] + suffix + text[end...])
  }

  /// Whether a path is the name of an address.
  package static func isName(_ path: FilePath) -> Bool {
    guard !path.isAbsolute, let first = path.components.first?.string else { return false }
    return ["http:", "https:"].contains(first) && path.components.count > 1
  }

  /// Returns a path as text; the name of an address has its two slashes again.
  package static func text(of path: FilePath) -> String {
    guard isName(path), let colon = path.string.firstIndex(of: ":") else { return path.string }
    return path.string[...colon] + "/" + path.string[path.string.index(after: colon)...]
  }
}

/// The addresses that the user gave, by the paths that name them.
package final class RemoteAddressBook: Sendable {
  private let addresses: Mutex<[FilePath: RemoteAddress]>

  /// Creates a book from the entries of another.
  package init(entries: [String: String] = [:]) {
    let pairs = entries.compactMap { name, text in
      RemoteAddress(text).map { (FilePath(name), $0) }
    }
    addresses = Mutex(Dictionary(pairs, uniquingKeysWith: { $1 }))
  }

  /// The addresses by name, to be passed to another process.
  package var entries: [String: String] {
    let pairs = addresses.withLock { $0 }.map { ($0.key.string, $0.value.text) }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  /// The servers of the addresses.
  package var servers: Set<String> { Set(addresses.withLock { $0 }.values.map(\.server)) }

  /// Keeps an address and returns its name; nil if the text is not an address.
  ///
  /// Addresses that differ only in what the name lacks get a number, such as "#2".
  package func add(_ argument: String) -> String? {
    guard let address = RemoteAddress(argument) else { return nil }
    return addresses.withLock { addresses in
      var (name, number) = (address.name, 1)
      while let other = addresses[FilePath(name)], other != address {
        number += 1
        name = "\(address.name)#\(number)"
      }
      addresses[FilePath(name)] = address
      return name
    }
  }

  /// Returns the address that a path names; nil for the path of a file.
  func address(of path: FilePath) -> RemoteAddress? {
    guard RemoteAddress.isName(path) else { return nil }
    return addresses.withLock { $0[path] } ?? RemoteAddress(RemoteAddress.text(of: path))
  }
}
