internal import CCurl
internal import SystemPackage

/// What a server answered.
struct HTTPAnswer: Sendable {
  var status: Int
  var contentType: String
  var bytes: [UInt8]
  /// The address that answered, after redirects.
  var address: String
  /// Until the first byte of the answer, and until its last; a new connection apart.
  var firstByteMicroseconds: Int
  var lastByteMicroseconds: Int
  var connectMicroseconds: Int
}

/// A connection to a server that is kept open between requests, on libcurl.
///
/// Used by one thread at a time, which its owner sees to: hence `@unchecked Sendable`.
@safe final class HTTPClient: @unchecked Sendable {
  /// No answer, and why.
  struct Failure: Error { let reason: String }

  private let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// More than a pipeline needs to name one file; a loop of redirects is longer.
  private static let mostRedirects = 5

  private static let isReady: Bool = { curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK }()

  init(seconds: Double, headers lines: [String] = []) throws(Failure) {
    guard Self.isReady, let made = unsafe curl_easy_init() else {
      throw Failure(reason: "libcurl cannot be started")
    }
    unsafe handle = unsafe made
    for line in lines { unsafe headers = unsafe curl_slist_append(headers, line) }
    // No signal for timeouts: the process has threads.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, Self.mostRedirects)
    set(CURLOPT_TIMEOUT_MS, Int(min(seconds * 1000, 1e9).rounded(.up)))
    set(CURLOPT_TCP_NODELAY, 1)
    // A redirect to file:// would read this machine's files.
    _ = unsafe ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    _ = unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    _ = unsafe ccurl_set_writer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let body = unsafe Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
      return unsafe body.append(UnsafeBufferPointer(start: bytes, count: size * count))
        ? size * count : 0
    }
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(headers)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    _ = unsafe ccurl_set_long(handle, option, value)
  }

  /// What has come of an answer.
  private final class Body {
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

  /// Asks for an address, and takes so many bytes at most.
  func get(_ address: String, limit: Int) throws(Failure) -> HTTPAnswer {
    let body = Body(limit: limit)
    _ = unsafe ccurl_set_string(handle, CURLOPT_URL, address)
    _ = unsafe ccurl_set_pointer(
      handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(body).toOpaque())
    let code = withExtendedLifetime(body) { unsafe curl_easy_perform(handle) }
    if body.isOver { throw Failure(reason: "an answer of more than \(limit) bytes") }
    guard code == CURLE_OK else {
      throw Failure(reason: unsafe String(cString: curl_easy_strerror(code)))
    }
    var status = 0
    _ = unsafe ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    return HTTPAnswer(
      status: status, contentType: text(CURLINFO_CONTENT_TYPE) ?? "", bytes: body.bytes,
      address: text(CURLINFO_EFFECTIVE_URL) ?? address,
      firstByteMicroseconds: time(CURLINFO_STARTTRANSFER_TIME_T),
      lastByteMicroseconds: time(CURLINFO_TOTAL_TIME_T),
      connectMicroseconds: time(CURLINFO_CONNECT_TIME_T))
  }

  private func time(_ information: CURLINFO) -> Int {
    var microseconds: curl_off_t = 0
    _ = unsafe ccurl_get_time(handle, information, &microseconds)
    return Int(microseconds)
  }

  private func text(_ information: CURLINFO) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    _ = unsafe ccurl_get_string(handle, information, &text)
    return unsafe text.map { unsafe String(cString: $0) }
  }
}
