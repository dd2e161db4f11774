internal import CCurl
internal import SystemPackage
internal import ZoomPipeline

/// What a server answered.
struct HTTPAnswer: Sendable {
  var status: Int
  /// By their names in lower case; of several with one name, joined by ", ".
  var headers: [String: String]
  var bytes: [UInt8]
  /// The address that answered, after redirects.
  var address: String
  var arrival: ForeignPipeline.Arrival
}

/// A connection to a server that is kept open between requests, on libcurl.
///
/// Used by one thread at a time, which its owner sees to: hence `@unchecked Sendable`.
@safe final class HTTPClient: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer
  private let lines: [String]
  /// More than a pipeline needs to name one file; a loop of redirects is longer.
  private static let mostRedirects = 5

  private static let isReady: Bool = { curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK }()

  /// A client without a connection, and headers that are sent to the origin of each request and to no other.
  init(headers lines: [String] = []) throws(AnswerFailure) {
    guard Self.isReady, let made = unsafe curl_easy_init() else {
      throw AnswerFailure("libcurl cannot be started", .fault)
    }
    unsafe handle = unsafe made
    self.lines = lines
    // No signal for timeouts: the process has threads.
    try set(CURLOPT_NOSIGNAL, 1)
    // Redirects are followed here: libcurl would send the headers to whatever host they name.
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

  /// Throws where libcurl has not taken an option: what it guards against would happen unseen.
  private func check(_ code: CURLcode) throws(AnswerFailure) {
    guard code == CURLE_OK else {
      let reason = unsafe String(cString: curl_easy_strerror(code))
      throw AnswerFailure("libcurl refuses an option: \(reason)", .fault)
    }
  }

  private func set(_ option: CURLoption, _ value: Int) throws(AnswerFailure) {
    try check(unsafe ccurl_set_long(handle, option, value))
  }

  /// The bytes of a head or a body, as far as they have come.
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

  /// Longer heads are refused; servers themselves refuse such requests at 8 KB.
  private static let mostHeadBytes = 1 << 18

  /// Sends a request to an address, which the request's path is part of already, and follows redirects if it is to.
  ///
  /// The client's own headers may hold a password. They are sent to the origin of the address alone, and so not to another
  /// host, port or scheme that a redirect names.
  func send(
    _ request: ServerRequest, to address: String, limit: Int, until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> HTTPAnswer {
    let home = HTTPOrigin(address)
    var place = address
    var before: UInt64 = 0
    for _ in 0...Self.mostRedirects {
      let isHome = place == address || home != nil && HTTPOrigin(place) == home
      var answer = try sendOnce(
        request, to: place, headers: isHome ? lines : [], limit: limit, until: deadline)
      answer.arrival = answer.arrival.after(before)
      guard request.followsRedirects, let next = text(CURLINFO_REDIRECT_URL) else { return answer }
      before = answer.arrival.lastByte
      place = isHome && HTTPOrigin(next) == home ? HTTPOrigin.withUser(of: place, next) : next
    }
    throw AnswerFailure("more than \(Self.mostRedirects) redirects")
  }

  private func sendOnce(
    _ request: ServerRequest, to address: String, headers lines: [String], limit: Int,
    until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> HTTPAnswer {
    guard deadline.left > 0 else { throw deadline.failure }
    let body = Received(limit: limit)
    let head = Received(limit: Self.mostHeadBytes)
    var list: UnsafeMutablePointer<curl_slist>?
    defer { unsafe curl_slist_free_all(list) }
    for line in lines + request.headers {
      guard let longer = unsafe curl_slist_append(list, line) else {
        throw AnswerFailure("there is no memory for its headers", .fault)
      }
      unsafe list = unsafe longer
    }
    try check(unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, list))
    try check(unsafe ccurl_set_string(handle, CURLOPT_URL, address))
    try setTimeout(deadline)
    // Refuses a length that is announced; what is not announced is counted as it comes.
    try set(CURLOPT_MAXFILESIZE, limit)
    // A body is not waited for after HEAD; setting it back makes GET of it again.
    try set(CURLOPT_NOBODY, request.method == .head ? 1 : 0)
    if request.method != .head { try set(CURLOPT_HTTPGET, 1) }
    // No address may change the method of a later request.
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
    return HTTPAnswer(
      status: status, headers: Self.headers(of: head.bytes), bytes: body.bytes,
      address: text(CURLINFO_EFFECTIVE_URL) ?? address,
      arrival: ForeignPipeline.Arrival(
        connected: nanoseconds(CURLINFO_CONNECT_TIME_T),
        firstByte: nanoseconds(CURLINFO_STARTTRANSFER_TIME_T),
        lastByte: nanoseconds(CURLINFO_TOTAL_TIME_T)))
  }

  private func setTimeout(_ deadline: AnswerDeadline) throws(AnswerFailure) {
    // 0 would be no limit.
    let milliseconds = min(deadline.left / 1_000_000 + 1, 1_000_000_000)
    try set(CURLOPT_TIMEOUT_MS, Int(milliseconds))
  }

  /// Whether a server closed a connection while the next request was on its way over it.
  ///
  /// It may do so at any time: RFC 9112, section 9.3.1, has such a request sent again. libcurl does so itself only in some
  /// of the cases.
  private func lostReusedConnection(_ code: CURLcode) -> Bool {
    guard [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING].contains(code) else {
      return false
    }
    var made = 0
    _ = unsafe ccurl_get_long(handle, CURLINFO_NUM_CONNECTS, &made)
    return made == 0
  }

  /// The lines of the last head: an interim answer has one of its own.
  private static func headers(of bytes: [UInt8]) -> [String: String] {
    var headers: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("HTTP/") { headers = [:] }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmed
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
  /// The same, counted from earlier: redirects have taken some time before.
  fileprivate func after(_ nanoseconds: UInt64) -> Self {
    Self(
      connected: connected == 0 ? 0 : nanoseconds + connected, firstByte: nanoseconds + firstByte,
      lastByte: nanoseconds + lastByte)
  }
}

extension Substring {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    var rest = self
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
