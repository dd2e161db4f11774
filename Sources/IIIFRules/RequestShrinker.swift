/// Shrinks a request that shows a fault, with few requests.
struct RequestShrinker: Sendable {
  /// The size keyword that does not scale.
  let fullSize: String
  /// The format that shows faults best.
  let bestFormat: String
  let mayAskForFull: Bool
  /// The most requests to send, because the server may belong to others.
  static let mostRequests = 60

  /// Tries plainer requests until none shows the fault.
  ///
  /// - Parameters:
  /// - request: a request that shows the fault.
  /// - shows: sends a request and returns whether it shows the fault.
  /// - Returns: the plainest request that shows it, and the number of requests sent.
  func shrink(
    _ request: IIIFRequest, shows: (IIIFRequest) -> Bool
  ) -> (IIIFRequest, sent: Int) {
    var best = request
    var tried: Set<IIIFRequest> = [request]
    var sent = 0
    var isSmaller = true
    while isSmaller && sent < Self.mostRequests {
      isSmaller = false
      for candidate in plainer(than: best) where tried.insert(candidate).inserted {
        guard sent < Self.mostRequests else { break }
        sent += 1
        if shows(candidate) {
          best = candidate
          isSmaller = true
          break
        }
      }
    }
    return (best, sent)
  }

  /// Returns plainer requests, the plainest first: one parameter reset, then smaller numbers.
  private func plainer(than request: IIIFRequest) -> [IIIFRequest] {
    var found: [IIIFRequest] = []
    func add(_ change: (inout IIIFRequest) -> Void) {
      var changed = request
      change(&changed)
      if changed != request { found.append(changed) }
    }
    add { $0.format = bestFormat }
    add { $0.quality = "default" }
    add { $0.rotation = "0" }
    if request.rotation.hasPrefix("!") {
      add { $0.rotation = "!0" }
      add { $0.rotation = String(request.rotation.dropFirst()) }
    }
    add { $0.size = fullSize }
    if mayAskForFull { add { $0.region = "full" } }
    for region in Self.smaller(request.region) { add { $0.region = region } }
    for size in Self.smaller(request.size) { add { $0.size = size } }
    // A size given in numbers must shrink together with its region.
    if let region = Self.halved(request.region), let size = Self.halved(request.size) {
      add { ($0.region, $0.size) = (region, size) }
    }
    return found
  }

  /// Returns the numbers in a text; the digits after a dot are a separate number.
  private static func numbers(in text: String) -> [(Range<String.Index>, Int)] {
    text.matches(of: /[0-9]+/).compactMap { match in
      Int(match.output).map { (match.range, $0) }
    }
  }

  /// Returns the text with one number replaced by a smaller one: 0, 1, a half, three quarters, one less.
  private static func smaller(_ text: String) -> [String] {
    numbers(in: text).flatMap { place, number in
      [0, 1, number / 2, number * 3 / 4, number - 1].filter { $0 >= 0 && $0 < number }.map {
        String(text[..<place.lowerBound]) + "\($0)" + text[place.upperBound...]
      }
    }
  }

  /// Returns the text with all numbers halved, but at least 1; nil without numbers.
  private static func halved(_ text: String) -> String? {
    guard !numbers(in: text).isEmpty else { return nil }
    return text.replacing(/[0-9]+/) { match -> String in
      Int(match.output).map { "\(max(1, $0 / 2))" } ?? String(match.output)
    }
  }
}
