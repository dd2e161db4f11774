internal import CCurl
internal import SystemPackage

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
  /// No answer, and why.
  struct Failure: Error { let reason: String }

  private let handle: UnsafeMutableRawPointer
  private let lines: [String]
  /// More than a pipeline needs to name one file; a loop of redirects is longer.
  private static let mostRedirects = 5

  private static let isReady: Bool = { curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK }()

  init(seconds: Double, headers lines: [String] = []) throws(Failure) {
    guard Self.isReady, let made = unsafe curl_easy_init() else {
      throw Failure(reason: "libcurl cannot be started")
    }
    unsafe handle = unsafe made
    self.lines = lines
    // No signal for timeouts: the process has threads.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_MAXREDIRS, Self.mostRedirects)
    set(CURLOPT_TIMEOUT_MS, Int(min(seconds * 1000, 1e9).rounded(.up)))
    set(CURLOPT_TCP_NODELAY, 1)
    // A redirect to file:// would read this machine's files.
    _ = unsafe ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    for option in [CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION] {
      _ = unsafe ccurl_set_writer(handle, option) { bytes, size, count, context in
        guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
        let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
        return unsafe received.append(UnsafeBufferPointer(start: bytes, count: size * count))
          ? size * count : 0
      }
    }
  }

  deinit { unsafe curl_easy_cleanup(handle) }

  private func set(_ option: CURLoption, _ value: Int) {
    _ = unsafe ccurl_set_long(handle, option, value)
  }

  /// What has come of a head or a body.
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

  /// Asks for an address, and takes so many bytes at most.
  func get(_ address: String, limit: Int) throws(Failure) -> HTTPAnswer {
    try send(ServerRequest("", headers: []), to: address, limit: limit)
  }

  /// Sends a request to an address, which the request's path is part of already.
  func send(
    _ request: ServerRequest, to address: String, limit: Int
  ) throws(Failure) -> HTTPAnswer {
    let body = Received(limit: limit)
    let head = Received(limit: Self.mostHeadBytes)
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines + request.headers { unsafe list = unsafe curl_slist_append(list, line) }
    defer { unsafe curl_slist_free_all(list) }
    _ = unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, list)
    _ = unsafe ccurl_set_string(handle, CURLOPT_URL, address)
    // Refuses a length that is announced; what is not announced is counted as it comes.
    set(CURLOPT_MAXFILESIZE, limit)
    set(CURLOPT_FOLLOWLOCATION, request.followsRedirects ? 1 : 0)
    // A body is not waited for after HEAD; setting it back makes GET of it again.
    set(CURLOPT_NOBODY, request.method == .head ? 1 : 0)
    if request.method != .head { set(CURLOPT_HTTPGET, 1) }
    // No address may change the method of a later request.
    _ = unsafe ccurl_set_string(
      handle, CURLOPT_CUSTOMREQUEST, request.method == .options ? "OPTIONS" : nil)
    _ = unsafe ccurl_set_pointer(
      handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(body).toOpaque())
    _ = unsafe ccurl_set_pointer(
      handle, CURLOPT_HEADERDATA, Unmanaged.passUnretained(head).toOpaque())
    var code = withExtendedLifetime((body, head)) { unsafe curl_easy_perform(handle) }
    if head.bytes.isEmpty, lostReusedConnection(code) {
      set(CURLOPT_FRESH_CONNECT, 1)
      code = withExtendedLifetime((body, head)) { unsafe curl_easy_perform(handle) }
      set(CURLOPT_FRESH_CONNECT, 0)
    }
    if body.isOver || code == CURLE_FILESIZE_EXCEEDED {
      throw Failure(reason: "an answer of more than \(limit) bytes")
    }
    if head.isOver { throw Failure(reason: "headers of more than \(Self.mostHeadBytes) bytes") }
    guard code == CURLE_OK else {
      throw Failure(reason: unsafe String(cString: curl_easy_strerror(code)))
    }
    var status = 0
    _ = unsafe ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    return HTTPAnswer(
      status: status, headers: Self.headers(of: head.bytes), bytes: body.bytes,
      address: text(CURLINFO_EFFECTIVE_URL) ?? address,
      arrival: ForeignPipeline.Arrival(
        connected: nanoseconds(CURLINFO_CONNECT_TIME_T),
        firstByte: nanoseconds(CURLINFO_STARTTRANSFER_TIME_T),
        lastByte: nanoseconds(CURLINFO_TOTAL_TIME_T)))
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

  /// The lines of the last head: each redirect has one of its own.
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

extension Substring {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    var rest = self
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
