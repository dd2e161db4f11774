/// A division of wanted ranges of a file into requests.
///
/// Ranges that are near each other share a request, which also fetches the gap between them. Their
/// number is chosen by a model: requests that exceed the lanes wait for another round trip, and
/// every byte takes its time. So `k` requests of `b` bytes take
/// `ceil(k / lanes) * latency + (b + k * overhead) / bandwidth`.
enum RequestPlan {
  /// The assumed connection: not a measured one, so that equal peeks fetch equal bytes on every run.
  struct Link: Sendable, Hashable {
    /// Seconds from a request to the first byte of its answer.
    var latency = 0.05
    /// Bytes per second.
    var bandwidth = 2.5e6
    /// The requests that are sent at once.
    var lanes = 1

    /// The bytes of the heads of a request and its answer, and the server's work in bytes.
    static let overhead = 1000

    func seconds(requests: Int, bytes: Int) -> Double {
      let rounds = (requests + lanes - 1) / max(1, lanes)
      return Double(rounds) * latency + Double(bytes + requests * Self.overhead) / bandwidth
    }
  }

  /// Returns the ranges to request, for wanted ones that are in order and apart from each other.
  ///
  /// Gaps for which `canFetch` is false are not fetched: the cache holds parts of them.
  static func requests(
    for wanted: [Range<Int>], over link: Link, canFetch: (Range<Int>) -> Bool
  ) -> [Range<Int>] {
    let gaps = zip(wanted, wanted.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    // The largest gaps are the first to be cut; those that cannot be fetched come before.
    let order = gaps.indices.map { ($0, canFetch(gaps[$0]) ? gaps[$0].count : .max) }
      .sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }
    let fixed = order.prefix { $0.1 == .max }.count
    var bytes = (wanted + gaps).reduce(0) { $0 + $1.count }
    var best = (cuts: 0, seconds: Double.infinity)
    for cuts in 0...order.count {
      if cuts > 0 { bytes -= gaps[order[cuts - 1].0].count }
      guard cuts >= fixed else { continue }
      let seconds = link.seconds(requests: cuts + 1, bytes: bytes)
      if seconds < best.seconds { best = (cuts, seconds) }
    }
    let cut = Set(order.prefix(best.cuts).map(\.0))
    var requests: [Range<Int>] = []
    for (index, range) in wanted.enumerated() {
      if let last = requests.last, !cut.contains(index - 1) {
        requests[requests.count - 1] = last.lowerBound..<range.upperBound
      } else {
        requests.append(range)
      }
    }
    return requests
  }
}
