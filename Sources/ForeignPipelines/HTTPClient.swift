internal import CCurl
internal import Foundation
internal import SystemPackage
internal import ZoomPipeline

/// A connection to a server, kept open between requests; uses libcurl.
///
/// Its owner lets one thread use it at a time: hence `@unchecked Sendable`.
@safe final class HTTPClient: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer
  private let lines: [String]
  /// More redirects than a server needs to name one file; a redirect loop exceeds it.
  private static let mostRedirects = 5

  private static let isReady: Bool = { curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK }()

  /// Creates a client without a connection; `lines` are headers sent only to the origin of each request.
  init(headers lines: [String] = []) throws(AnswerFailure) {
    guard Self.isReady, let made = unsafe curl_easy_init() else {
      throw AnswerFailure("libcurl cannot be started", .fault)
    }
    unsafe handle = unsafe made
    self.lines = lines
    // Timeouts must not use signals: the process has threads.
    try set(CURLOPT_NOSIGNAL, 1)
    // Redirects are followed by `send`: libcurl would send the headers to any host that a redirect names.
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_TCP_NODELAY, 1)
    // A redirect to file:// would read this machine's files.
    try check(unsafe ccurl_allow_http_only(handle))
    for option in [CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION] {
      try check(
        unsafe ccurl_set_writer(handle, option) { bytes, size, count, context in
          guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
          let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
          return unsafe received.append(UnsafeBufferPointer(start: bytes, count: size * count))
            ? size * count : 0
        })
    }
  }

  deinit { unsafe curl_easy_cleanup(handle) }

  /// Throws if libcurl has refused an option: the request would run without that protection.
  private func check(_ code: CURLcode) throws(AnswerFailure) {
    guard code == CURLE_OK else {
      let reason = unsafe String(cString: curl_easy_strerror(code))
      throw AnswerFailure("libcurl refuses an option: \(reason)", .fault)
    }
  }

  private func set(_ option: CURLoption, _ value: Int) throws(AnswerFailure) {
    try check(unsafe ccurl_set_long(handle, option, value))
  }

  private final class Received {
    var bytes: [UInt8] = []
    let limit: Int
    var isOver = false
    init(limit: Int) { self.limit = limit }

    func append(_ more: UnsafeBufferPointer<CChar>) -> Bool {
      guard bytes.count + more.count <= limit else {
        isOver = true
        return false
      }
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(more))
      return true
    }
  }

  /// The most bytes of a head; servers themselves refuse requests with heads of more than 8 KB.
  private static let mostHeadBytes = 1 << 18

  /// Sends a request to an address, which includes the request's path, and follows redirects if it allows
  /// them.
  ///
  /// The client's own headers may contain a password. They are sent only to the origin of the address, not to
  /// another host, port or scheme that a redirect names.
  func send(
    _ request: ServerRequest, to address: String, limit: Int, until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> (answer: ServerAnswer, arrival: ForeignPipeline.Arrival) {
    let home = HTTPOrigin(address)
    var place = address
    var before: UInt64 = 0
    for _ in 0...Self.mostRedirects {
      let isHome = place == address || home != nil && HTTPOrigin(place) == home
      let (answer, sinceRedirect) = try sendOnce(
        request, to: place, headers: isHome ? lines : [], limit: limit, until: deadline)
      let arrival = sinceRedirect.after(before)
      guard request.followsRedirects, let next = text(CURLINFO_REDIRECT_URL) else {
        return (answer, arrival)
      }
      before = arrival.lastByte
      place = isHome && HTTPOrigin(next) == home ? HTTPOrigin.withUser(of: place, next) : next
    }
    throw AnswerFailure("more than \(Self.mostRedirects) redirects")
  }

  private func sendOnce(
    _ request: ServerRequest, to address: String, headers lines: [String], limit: Int,
    until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> (ServerAnswer, ForeignPipeline.Arrival) {
    guard deadline.left > 0 else { throw deadline.failure }
    let body = Received(limit: limit)
    let head = Received(limit: Self.mostHeadBytes)
    var list: UnsafeMutablePointer<curl_slist>?
    defer { unsafe curl_slist_free_all(list) }
    for line in lines + request.headers {
      guard let longer = unsafe curl_slist_append(list, line) else {
        throw AnswerFailure("its headers do not fit into memory", .fault)
      }
      unsafe list = unsafe longer
    }
    try check(unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, list))
    try check(unsafe ccurl_set_string(handle, CURLOPT_URL, address))
    try setTimeout(deadline)
    // Refuses an answer whose stated length exceeds the limit; `Received` stops one that states
    // none.
    try set(CURLOPT_MAXFILESIZE, limit)
    // Answers to HEAD lack a body to wait for; HTTPGET restores the method afterwards.
    try set(CURLOPT_NOBODY, request.method == .head ? 1 : 0)
    if request.method != .head { try set(CURLOPT_HTTPGET, 1) }
    // Reset for each request, so that the method of an earlier one does not remain.
    try check(
      unsafe ccurl_set_string(
        handle, CURLOPT_CUSTOMREQUEST, request.method == .options ? "OPTIONS" : nil))
    try check(
      unsafe ccurl_set_pointer(
        handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(body).toOpaque()))
    try check(
      unsafe ccurl_set_pointer(
        handle, CURLOPT_HEADERDATA, Unmanaged.passUnretained(head).toOpaque()))
    var code = withExtendedLifetime((body, head)) { unsafe curl_easy_perform(handle) }
    if head.bytes.isEmpty, lostReusedConnection(code) {
      try set(CURLOPT_FRESH_CONNECT, 1)
      try setTimeout(deadline)
      code = withExtendedLifetime((body, head)) { unsafe curl_easy_perform(handle) }
      try set(CURLOPT_FRESH_CONNECT, 0)
    }
    if body.isOver || code == CURLE_FILESIZE_EXCEEDED {
      throw AnswerFailure("an answer of more than \(limit) bytes")
    }
    if head.isOver { throw AnswerFailure("headers of more than \(Self.mostHeadBytes) bytes") }
    if code == CURLE_OPERATION_TIMEDOUT { throw deadline.failure }
    guard code == CURLE_OK else {
      throw AnswerFailure(unsafe String(cString: curl_easy_strerror(code)))
    }
    var status = 0
    try check(unsafe ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status))
    return (
      ServerAnswer(status: status, headers: Self.headers(of: head.bytes), body: body.bytes),
      ForeignPipeline.Arrival(
        connected: nanoseconds(CURLINFO_CONNECT_TIME_T),
        firstByte: nanoseconds(CURLINFO_STARTTRANSFER_TIME_T),
        lastByte: nanoseconds(CURLINFO_TOTAL_TIME_T))
    )
  }

  private func setTimeout(_ deadline: AnswerDeadline) throws(AnswerFailure) {
    // 0 would mean no limit.
    let milliseconds = min(deadline.left / 1_000_000 + 1, 1_000_000_000)
    try set(CURLOPT_TIMEOUT_MS, Int(milliseconds))
  }

  /// Whether the server closed a reused connection while the request was on its way.
  ///
  /// A server may do so at any time; RFC 9112, section 9.3.1, says that a client should then send the request
  /// again. libcurl does so only in some cases.
  private func lostReusedConnection(_ code: CURLcode) -> Bool {
    guard [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING].contains(code) else {
      return false
    }
    var made = 0
    _ = unsafe ccurl_get_long(handle, CURLINFO_NUM_CONNECTS, &made)
    return made == 0
  }

  /// Returns the headers of the last head; interim answers put other heads before it.
  private static func headers(of bytes: [UInt8]) -> [String: String] {
    var headers: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("HTTP/") { headers = [:] }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    return headers
  }

  private func nanoseconds(_ information: CURLINFO) -> UInt64 {
    var microseconds: curl_off_t = 0
    _ = unsafe ccurl_get_time(handle, information, &microseconds)
    return UInt64(max(0, microseconds)) * 1000
  }

  private func text(_ information: CURLINFO) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    _ = unsafe ccurl_get_string(handle, information, &text)
    return unsafe text.map { unsafe String(cString: $0) }
  }
}

extension ForeignPipeline.Arrival {
  /// Returns the arrival counted from an earlier start: `nanoseconds` is the time that redirects took.
  fileprivate func after(_ nanoseconds: UInt64) -> Self {
    Self(
      connected: connected == 0 ? 0 : nanoseconds + connected, firstByte: nanoseconds + firstByte,
      lastByte: nanoseconds + lastByte)
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

  /// Returns an address with the user and the password of another, unless it has its own.
  static func withUser(of other: String, _ address: String) -> String {
    guard let from = CurlURL(other), let to = CurlURL(address), to[CURLUPART_USER] == nil,
      let user = from[CURLUPART_USER]
    else { return address }
    to[CURLUPART_USER] = user
    to[CURLUPART_PASSWORD] = from[CURLUPART_PASSWORD]
    return to[CURLUPART_URL] ?? address
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
