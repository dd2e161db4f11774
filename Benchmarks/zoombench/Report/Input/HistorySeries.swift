/// One number of one case over many commits, as the page draws it.
struct HistorySeries: Sendable, Hashable, Codable {
  /// The number of one commit, with the interval it was measured to.
  struct Point: Sendable, Hashable, Codable {
    var commit: String
    /// ISO 8601, in UTC.
    var date: String
    var value: Double
    var lower: Double?
    var upper: Double?
  }

  var caseName: String
  /// What the number is, such as "CPU time over control".
  var measure: String
  /// In the order of the commits.
  var points: [Point]
  /// The indices, ascending, of the points at which a step to another level was found.
  var segmentStarts: [Int]

  /// The ranges of points between two steps; those that `segmentStarts` names out of range or out
  /// of order are left out.
  var segments: [Range<Int>] {
    var starts = points.isEmpty ? [] : [0]
    for start in segmentStarts where points.indices.contains(start) && start > starts.last ?? 0 {
      starts.append(start)
    }
    return zip(starts, starts.dropFirst() + [points.count]).map { $0..<$1 }
  }
}
