/// A history in which nothing changed: each value compares a build with itself.
struct Series: Codable, Sendable {
  var name: String
  var values: [Double]
}

/// The file that recorded histories are read from.
struct SeriesFile: Codable, Sendable {
  var series: [Series]
}
