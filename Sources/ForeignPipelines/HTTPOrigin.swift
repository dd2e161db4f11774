internal import CCurl

/// The way of a request through redirects, and whether the client's own headers may be sent.
struct HTTPRoute {
  /// The address to send to.
  private(set) var place: String
  private let address: String
  private let home: HTTPOrigin?
  private var redirects = 0

  /// More redirects than a server needs to name one file; a redirect loop exceeds it.
  private static let mostRedirects = 5

  /// Starts at the user's address, or at one that an earlier request to it was redirected to.
  init(_ address: String, moved: String? = nil) {
    self.address = address
    place = moved ?? address
    home = HTTPOrigin(address)
  }

  /// Whether the place has the origin of the user's address.
  var isHome: Bool { place == address || home != nil && HTTPOrigin(place) == home }

  /// Whether the place is on this machine.
  var isLoopback: Bool { (place == address ? home : HTTPOrigin(place))?.isLoopback ?? false }

  mutating func follow(_ next: String) throws(AnswerFailure) {
    guard redirects < Self.mostRedirects else {
      throw AnswerFailure("more than \(Self.mostRedirects) redirects")
    }
    redirects += 1
    let scheme = next.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    guard ["http", "https"].contains(scheme) else {
      // The rest of the target may hold secrets.
      throw AnswerFailure(
        "the server redirects to the protocol \(scheme.prefix(20)), which is not followed",
        advice: "give an address of http or https that the picture has itself")
    }
    place = isHome && HTTPOrigin(next) == home ? HTTPOrigin.withUser(of: place, next) : next
  }
}

/// The server of an address: scheme, host and port, as libcurl parses them.
///
/// libcurl compares the same three to decide whether to send credentials to the target of a redirect.
struct HTTPOrigin: Hashable {
  let scheme: String
  let host: String
  let port: String

  /// Creates the origin of an address; nil if the address names no server.
  init?(_ address: String) {
    guard let parts = CurlURL(address), let scheme = parts[CURLUPART_SCHEME],
      let host = parts[CURLUPART_HOST], let port = parts[CURLUPART_PORT]
    else { return nil }
    (self.scheme, self.host, self.port) = (scheme.lowercased(), host.lowercased(), port)
  }

  /// Whether the host is this machine by name or by number; other names could lead anywhere.
  var isLoopback: Bool {
    if ["localhost", "::1", "[::1]"].contains(host) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns an address with the user and the password of another, unless it has its own.
  static func withUser(of other: String, _ address: String) -> String {
    guard let from = CurlURL(other), let to = CurlURL(address), to[CURLUPART_USER] == nil,
      let user = from[CURLUPART_USER]
    else { return address }
    to[CURLUPART_USER] = user
    to[CURLUPART_PASSWORD] = from[CURLUPART_PASSWORD]
    return to[CURLUPART_URL] ?? address
  }

  /// Returns the address that a header Location at an address names; nil if it names none.
  static func target(of location: String, at address: String) -> String? {
    guard let url = CurlURL(address), url.follow(location) else { return nil }
    return url[CURLUPART_URL]
  }
}

@safe private final class CurlURL {
  private let handle: OpaquePointer

  init?(_ address: String) {
    guard let made = unsafe curl_url() else { return nil }
    unsafe handle = unsafe made
    guard unsafe curl_url_set(handle, CURLUPART_URL, address, 0) == CURLUE_OK else { return nil }
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// Replaces the address by one that may be relative to it; false if that is not an address.
  func follow(_ reference: String) -> Bool {
    // Refused later, with a reason, if it has another scheme.
    let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
    return unsafe curl_url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK
  }

  /// A part as written; the port is also given if only the scheme implies it.
  subscript(part: CURLUPart) -> String? {
    get {
      var text: UnsafeMutablePointer<CChar>?
      let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
      guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text = unsafe text
      else { return nil }
      defer { unsafe curl_free(text) }
      return unsafe String(cString: text)
    }
    set { _ = unsafe curl_url_set(handle, part, newValue, 0) }
  }
}
