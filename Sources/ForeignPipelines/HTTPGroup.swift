internal import CCurl
internal import ZoomPipeline

/// Clients that send several requests at once, over connections that are kept.
///
/// Its owner lets one thread use it at a time: hence `@unchecked Sendable`.
@safe final class HTTPGroup: @unchecked Sendable {
  struct Request {
    let request: ServerRequest
    var route: HTTPRoute
    let limit: Int
    let deadline: AnswerDeadline
  }

  struct Reply {
    let answer: ServerAnswer
    let isTooLong: Bool
    /// The address that answered.
    let place: String
  }

  private let multi: UnsafeMutableRawPointer
  private let headers: [String]
  private let connections: Int
  private var clients: [HTTPClient] = []
  /// The requests that the last server takes at once.
  private(set) var lanes: Int
  /// The requests sent so far, and the rounds in which each waited for the one before.
  private(set) var sent = (requests: 0, rounds: 0)

  /// The streams that servers of HTTP/2 allow at least (RFC 9113, section 6.5.2, recommends 100).
  private static let streams = 100

  /// Creates a group without a connection; `headers` are sent only to the origin of each request.
  init(headers: [String], connections: Int) throws(AnswerFailure) {
    guard HTTPClient.isReady, let made = unsafe curl_multi_init() else {
      throw AnswerFailure("libcurl cannot be started", .fault)
    }
    unsafe multi = unsafe made
    (self.headers, self.connections, lanes) = (headers, connections, connections)
    for option in [CURLMOPT_MAX_HOST_CONNECTIONS, CURLMOPT_MAXCONNECTS] {
      guard unsafe ccurl_multi_set_long(multi, option, connections) == CURLM_OK else {
        throw AnswerFailure("libcurl refuses an option", .fault)
      }
    }
  }

  deinit { unsafe curl_multi_cleanup(multi) }

  /// Sends requests at once, follows redirects, and returns a reply for each.
  func send(_ requests: [Request]) -> [Result<Reply, AnswerFailure>] {
    var requests = requests
    var replies = requests.map { Result<Reply, AnswerFailure>.failure($0.deadline.failure) }
    var pending = Array(requests.indices)
    while !pending.isEmpty {
      let answers = exchange(pending.map { requests[$0] })
      var redirected: [Int] = []
      for (number, (index, answer)) in zip(pending, answers).enumerated() {
        do throws(AnswerFailure) {
          let (answer, isTooLong) = try answer.get()
          let target =
            isTooLong
            ? HTTPClient.redirect(ofTooLong: answer, at: requests[index].route.place)
            : clients[number].redirect
          if requests[index].request.followsRedirects, let next = target {
            try requests[index].route.follow(next)
            redirected.append(index)
          } else {
            replies[index] = .success(
              Reply(answer: answer, isTooLong: isTooLong, place: requests[index].route.place))
          }
        } catch {
          replies[index] = .failure(error)
        }
      }
      pending = redirected
    }
    // The connections belong to the group, so the clients of a large batch are not needed.
    clients.removeLast(max(0, clients.count - Self.streams))
    return replies
  }

  private typealias Answer = (answer: ServerAnswer, isTooLong: Bool)

  /// Sends requests, each by the client of its number, without following redirects.
  private func exchange(_ requests: [Request]) -> [Result<Answer, AnswerFailure>] {
    let exchanges = requests.enumerated().map { number, request in
      Result { () throws(AnswerFailure) in try prepare(request, number) }
    }
    let ready = exchanges.indices.filter { (try? exchanges[$0].get()) != nil }
    var codes = withExtendedLifetime(exchanges) { transfer(ready) }
    let lost = ready.filter { number in
      guard let code = codes[number], let exchange = try? exchanges[number].get() else {
        return false
      }
      return clients[number].hasLostReusedConnection(code, exchange)
    }
    let again = lost.filter {
      (try? clients[$0].prepareAgain(until: requests[$0].deadline)) != nil
    }
    codes.merge(withExtendedLifetime(exchanges) { transfer(again) }) { $1 }
    for number in again { try? clients[number].set(CURLOPT_FRESH_CONNECT, 0) }
    if let first = ready.first { lanes = clients[first].isMultiplexed ? Self.streams : connections }
    for count in [ready.count, again.count] {
      sent.requests += count
      sent.rounds += (count + lanes - 1) / lanes
    }
    return exchanges.enumerated().map { number, exchange in
      Result { () throws(AnswerFailure) in
        let exchange = try exchange.get()
        return try clients[number].answer(
          to: exchange, codes[number] ?? CURLE_RECV_ERROR, until: requests[number].deadline)
      }
    }
  }

  private func prepare(
    _ request: Request, _ number: Int
  ) throws(AnswerFailure) -> HTTPClient.Exchange {
    while clients.count <= number { clients.append(try HTTPClient(headers: headers)) }
    let client = clients[number]
    // By TLS, the server says before the first answer whether a connection takes several requests.
    try client.set(CURLOPT_PIPEWAIT, request.route.place.lowercased().hasPrefix("https:") ? 1 : 0)
    return try client.prepare(
      request.request, on: request.route, limit: request.limit, until: request.deadline)
  }

  /// Performs the prepared transfers of clients, and returns how each has ended.
  private func transfer(_ numbers: [Int]) -> [Int: CURLcode] {
    guard !numbers.isEmpty else { return [:] }
    var codes: [Int: CURLcode] = [:]
    for number in numbers
    where unsafe curl_multi_add_handle(multi, clients[number].handle) != CURLM_OK {
      codes[number] = CURLE_FAILED_INIT
    }
    var running: Int32 = 0
    repeat {
      guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { break }
      // Each transfer has its own time limit.
      if running > 0 { _ = unsafe curl_multi_poll(multi, nil, 0, 1000, nil) }
    } while running > 0
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
      let handle = unsafe message.pointee.easy_handle
      if let number = numbers.first(where: { unsafe clients[$0].handle == handle }) {
        codes[number] = unsafe message.pointee.data.result
      }
    }
    for number in numbers { unsafe curl_multi_remove_handle(multi, clients[number].handle) }
    return codes
  }
}
