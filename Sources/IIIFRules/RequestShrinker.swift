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
    for (region, size) in zip(Self.halved(request.region), Self.halved(request.size)) {
      add { ($0.region, $0.size) = (region, size) }
    }
    return found
  }

  /// Returns the text with one number replaced by a smaller one: 0, 1, a half, three quarters, one less.
  private static func smaller(_ text: String) -> [String] {
    let (words, numbers) = parts(text)
    return numbers.indices.flatMap { index in
      let number = numbers[index]
      return [0, 1, number / 2, number * 3 / 4, number - 1]
        .filter { $0 >= 0 && $0 < number }
        .reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
        .map { value in
          var changed = numbers
          changed[index] = value
          return joined(words, changed)
        }
    }
  }

  private static func halved(_ text: String) -> [String] {
    let (words, numbers) = parts(text)
    guard !numbers.isEmpty else { return [] }
    return [joined(words, numbers.map { max(1, $0 / 2) })]
  }

  /// Splits a text into its numbers and the words around them; there is one word more.
  ///
  /// The digits after a dot are a separate number.
  private static func parts(_ text: String) -> (words: [String], numbers: [Int]) {
    var words = [""]
    var numbers: [Int] = []
    var digits = ""
    func finish() {
      guard let number = Int(digits) else {
        words[words.count - 1] += digits
        digits = ""
        return
      }
      numbers.append(number)
      words.append("")
      digits = ""
    }
    for character in text {
      if character.isASCII && character.isNumber {
        digits.append(character)
      } else {
        if !digits.isEmpty { finish() }
        words[words.count - 1].append(character)
      }
    }
    if !digits.isEmpty { finish() }
    return (words, numbers)
  }

  private static func joined(_ words: [String], _ numbers: [Int]) -> String {
    zip(words, numbers).map { $0 + String($1) }.joined() + (words.last ?? "")
  }
}
