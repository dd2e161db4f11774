internal import Measurement

struct SampleSeries {
  let name: String
  /// The index of its colour, the same in every chart of a page.
  let colour: Int
  /// Nanoseconds, ascending, above zero.
  let samples: [Double]

  init(name: String, colour: Int, nanoseconds: [Double]) {
    self.name = name
    self.colour = colour
    // A clock that did not advance gives zero, whose logarithm is undefined.
    samples = nanoseconds.filter(\.isFinite).map { max($0, 1) }.sorted()
  }

  var style: String { Self.style(ofColour: colour) }

  /// Returns the style of a colour; the page's nine colours repeat for further series.
  static func style(ofColour number: Int) -> String { "s\(number % 9)" }

  var median: Double? { quantile(0.5) }

  /// Returns a quantile even of few samples, unlike `SortedSamples`.
  func quantile(_ fraction: Double) -> Double? {
    samples.isEmpty ? nil : SortedSamples.interpolated(samples, fraction)
  }

  /// Returns at most `count` of the samples, evenly spaced by rank, including both ends.
  func thinned(to count: Int) -> [Double] {
    guard samples.count > count, count > 1 else { return samples }
    return (0..<count).map { samples[$0 * (samples.count - 1) / (count - 1)] }
  }

  static func legend(_ series: [SampleSeries]) -> Markup {
    let keys = series.map { one in
      let median = one.median.map { " · p50 \(Format.duration($0))" } ?? ""
      return "<span class=\"key \(one.style)\">\(Markup.escaped(one.name))"
        + "<small>\(median) · n \(one.samples.count)</small></span>"
    }
    return Markup(html: keys.joined())
  }
}

extension CaseComparison {
  /// Returns the wall time of one run of the work in nanoseconds, by launch and pair.
  static func wall(
    _ launches: [PairedLaunch], _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> [[Double]] {
    launches.map { launch in
      arm(launch).wallNanoseconds.map { Double($0) / Double(max(1, launch.repeats)) }
    }
  }

  /// Returns the CPU time of one run of the work in nanoseconds, by launch and pair.
  static func cpu(
    _ launches: [PairedLaunch], _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> [[Double]] {
    launches.map { launch in
      arm(launch).cpuNanoseconds.map { Double($0) / Double(max(1, launch.repeats)) }
    }
  }
}
