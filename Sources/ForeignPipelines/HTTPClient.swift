internal import CCurl
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// A connection to a server, kept open between requests; uses libcurl.
///
/// Its owner lets one thread use it at a time: hence `@unchecked Sendable`.
@safe package final class HTTPClient: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer
  private let lines: [String]

  /// The requests that were sent again, by libcurl or by this client, because a reused connection had ended.
  package private(set) var retries = 0
  /// When the last answered request was sent, or began to connect, and was answered, on the monotonic clock, and the time
  /// from the sending to the first byte.
  private(set) var times = (sent: UInt64(0), firstByte: UInt64(0), end: UInt64(0))

  static func isAddress(_ place: String) -> Bool {
    place.hasPrefix("http://") || place.hasPrefix("https://")
  }

  static let isReady: Bool = { curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK }()

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
    // A tile is usually read at once: the 16 KB that libcurl reads otherwise take several calls.
    try set(CURLOPT_BUFFERSIZE, 1 << 17)
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

  func set(_ option: CURLoption, _ value: Int) throws(AnswerFailure) {
    try check(unsafe ccurl_set_long(handle, option, value))
  }

  /// The part of an answer that has arrived.
  fileprivate final class Received {
    var bytes: [UInt8] = []
    let limit: Int
    var isOver = false
    /// The monotonic time of the first bytes.
    var began: UInt64?
    /// Whether the whole limit is reserved at the first bytes: an array that grows takes up to twice
    /// as many.
    private let isReserved: Bool

    init(limit: Int, isReserved: Bool) { (self.limit, self.isReserved) = (limit, isReserved) }

    func append(_ more: UnsafeBufferPointer<CChar>) -> Bool {
      guard bytes.count + more.count <= limit else {
        isOver = true
        return false
      }
      began = began ?? Timestamps.monotonic()
      if bytes.isEmpty, isReserved { bytes.reserveCapacity(limit) }
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(more))
      return true
    }
  }

  /// A request that the handle is set up for, and its answer.
  ///
  /// libcurl writes to it, so it must be alive until the transfer has ended.
  @safe final class Exchange {
    fileprivate let body: Received
    fileprivate let head = Received(limit: HTTPClient.mostHeadBytes, isReserved: false)
    fileprivate var list: UnsafeMutablePointer<curl_slist>?
    /// The monotonic time just before the request was last sent, and how often it was; unknown with a libcurl before 7.80.
    fileprivate var (sent, sendings) = (UInt64?.none, 0)

    fileprivate init(limit: Int) {
      body = Received(limit: limit, isReserved: limit <= HTTPClient.mostReserved)
    }

    deinit { unsafe curl_slist_free_all(list) }
  }

  /// Memory is reserved for bodies of at most this length, that of the longest range of a remote picture.
  static let mostReserved = 1 << 23
  /// The most bytes of a head; servers themselves refuse requests with heads of more than 8 KB.
  private static let mostHeadBytes = 1 << 18
  /// The most lines of a head: values of equal names are joined, which takes a time in their square.
  private static let mostHeadLines = 1000

  /// Sends a request to an address, which includes the request's path, and follows redirects if it allows
  /// them.
  ///
  /// The client's own headers may contain a password. They are sent only to the origin of the address, not to
  /// another host, port or scheme that a redirect names.
  func send(
    _ request: ServerRequest, to address: String, limit: Int, until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> (answer: ServerAnswer, arrival: ForeignPipeline.Arrival) {
    var route = HTTPRoute(address)
    var before: UInt64 = 0
    while true {
      let (answer, sinceRedirect) = try sendOnce(
        request, on: route, limit: limit, until: deadline)
      let arrival = sinceRedirect.after(before)
      guard request.followsRedirects, let next = redirect else { return (answer, arrival) }
      before = arrival.lastByte
      try route.follow(next)
    }
  }

  private func sendOnce(
    _ request: ServerRequest, on route: HTTPRoute, limit: Int, until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> (ServerAnswer, ForeignPipeline.Arrival) {
    let exchange = try prepare(request, on: route, limit: limit, until: deadline)
    let start = Timestamps.monotonic()
    var code = withExtendedLifetime(exchange) { unsafe curl_easy_perform(handle) }
    let isLost = hasLostReusedConnection(code, exchange)
    if isLost {
      try prepareAgain(until: deadline)
      code = withExtendedLifetime(exchange) { unsafe curl_easy_perform(handle) }
      try set(CURLOPT_FRESH_CONNECT, 0)
    }
    let end = Timestamps.monotonic()
    retries += max(isLost ? 1 : 0, exchange.sendings - 1)
    let (answer, isTooLong) = try self.answer(to: exchange, code, until: deadline)
    guard !isTooLong else { throw AnswerFailure("an answer of more than \(limit) bytes") }
    let arrival = ForeignPipeline.Arrival(
      connected: nanoseconds(CURLINFO_CONNECT_TIME_T),
      firstByte: nanoseconds(CURLINFO_STARTTRANSFER_TIME_T),
      lastByte: nanoseconds(CURLINFO_TOTAL_TIME_T))
    let sent = reusesConnection ? exchange.sent ?? start : start
    times = (sent, (exchange.head.began ?? end).saturatingSubtract(sent), end)
    return (answer, arrival)
  }

  /// Sets up the handle for a request.
  func prepare(
    _ request: ServerRequest, on route: HTTPRoute, limit: Int, until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> Exchange {
    guard deadline.left > 0 else { throw deadline.failure }
    let exchange = Exchange(limit: limit)
    for line in (route.isHome ? lines : []) + request.headers {
      guard let longer = unsafe curl_slist_append(exchange.list, line) else {
        throw AnswerFailure("its headers do not fit into memory", .fault)
      }
      unsafe exchange.list = unsafe longer
    }
    try check(unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, exchange.list))
    try check(unsafe ccurl_set_string(handle, CURLOPT_URL, route.place))
    // As in browsers, no proxy is asked about this machine: it would be measured, or lead elsewhere.
    try check(unsafe ccurl_set_string(handle, CURLOPT_NOPROXY, route.isLoopback ? "*" : nil))
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
        handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(exchange.body).toOpaque()))
    try check(
      unsafe ccurl_set_pointer(
        handle, CURLOPT_HEADERDATA, Unmanaged.passUnretained(exchange.head).toOpaque()))
    unsafe ccurl_set_before_request(
      handle,
      { context, _, _, _, _ in
        guard let context = unsafe context else { return 0 }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        (exchange.sent, exchange.sendings) = (Timestamps.monotonic(), exchange.sendings + 1)
        return 0
      }, Unmanaged.passUnretained(exchange).toOpaque())
    return exchange
  }

  /// Sets up the handle to send the same request by a new connection.
  func prepareAgain(until deadline: AnswerDeadline) throws(AnswerFailure) {
    try set(CURLOPT_FRESH_CONNECT, 1)
    try setTimeout(deadline)
  }

  /// Returns the answer of a transfer that has ended; if it is too long, only its head.
  func answer(
    to exchange: Exchange, _ code: CURLcode, until deadline: AnswerDeadline
  ) throws(AnswerFailure) -> (answer: ServerAnswer, isTooLong: Bool) {
    let isTooLong = exchange.body.isOver || code == CURLE_FILESIZE_EXCEEDED
    if exchange.head.isOver {
      throw AnswerFailure("headers of more than \(Self.mostHeadBytes) bytes")
    }
    if code == CURLE_PEER_FAILED_VERIFICATION {
      throw AnswerFailure(
        "the certificate of the server is not trusted",
        advice: "check the address, or add the certificate's authority to those of this machine")
    }
    guard exchange.head.bytes.count(where: { $0 == 10 }) <= Self.mostHeadLines else {
      throw AnswerFailure("more than \(Self.mostHeadLines) lines of headers")
    }
    var status = 0
    try check(unsafe ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status))
    var answer = ServerAnswer(
      status: status, headers: Self.headers(of: exchange.head.bytes),
      body: isTooLong ? [] : exchange.body.bytes)
    if code == CURLE_OPERATION_TIMEDOUT {
      // What arrived of a range of a file is kept: the rest takes less time.
      let length = answer.headers["content-length"].flatMap { Int($0) } ?? .max
      guard status == 206, answer.body.count > length / 2 else { throw deadline.failure }
      answer.isCut = true
    } else if code != CURLE_OK, !isTooLong {
      throw AnswerFailure(
        unsafe String(cString: curl_easy_strerror(code)), isLost: Self.losses.contains(code))
    }
    return (answer, isTooLong)
  }

  /// The target of a redirect, if the last answer is one.
  var redirect: String? { text(CURLINFO_REDIRECT_URL) }

  /// Returns the target of a redirect whose body is longer than the limit.
  ///
  /// libcurl names the target only after the whole body. Bodies of redirects are not used, and
  /// servers send pages that are longer than the ranges that were requested.
  static func redirect(ofTooLong answer: ServerAnswer, at place: String) -> String? {
    guard (300..<400).contains(answer.status), let location = answer.headers["location"] else {
      return nil
    }
    return HTTPOrigin.target(of: location, at: place)
  }

  /// Whether the last answer came by HTTP/2 or later, so that one connection takes several requests.
  var isMultiplexed: Bool {
    var version = 0
    _ = unsafe ccurl_get_long(handle, CURLINFO_HTTP_VERSION, &version)
    return version >= Int(CURL_HTTP_VERSION_2_0)
  }

  private func setTimeout(_ deadline: AnswerDeadline) throws(AnswerFailure) {
    // 0 would mean no limit.
    let milliseconds = min(deadline.left / 1_000_000 + 1, 1_000_000_000)
    try set(CURLOPT_TIMEOUT_MS, Int(milliseconds))
  }

  /// The errors of a connection that ended before the answer did.
  private static let losses = [
    CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2,
    CURLE_HTTP2_STREAM,
  ]

  /// Whether the server closed a reused connection while the request was on its way.
  ///
  /// A server may do so at any time; RFC 9112, section 9.3.1, says that a client should then send the request
  /// again. libcurl does so only in some cases.
  func hasLostReusedConnection(_ code: CURLcode, _ exchange: Exchange) -> Bool {
    exchange.head.bytes.isEmpty && Self.losses.contains(code) && reusesConnection
  }

  /// Whether the last transfer used the connection of an earlier one.
  private var reusesConnection: Bool {
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
