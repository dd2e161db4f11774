internal import Measurement

/// The samples of one arm or source, as charts draw them.
struct SampleSeries {
  let name: String
  /// Which of the page's colours it has; the same in every chart of a page.
  let colour: Int
  /// Nanoseconds, ascending, above zero.
  let samples: [Double]

  init(name: String, colour: Int, nanoseconds: [Double]) {
    self.name = name
    self.colour = colour
    // A clock that did not move between two readings gives zero, which has no logarithm.
    samples = nanoseconds.filter(\.isFinite).map { max($0, 1) }.sorted()
  }

  var style: String { Self.style(ofColour: colour) }

  /// The page has nine colours; further series begin again.
  static func style(ofColour number: Int) -> String { "s\(number % 9)" }

  var median: Double? { quantile(0.5) }

  /// Without refusing few samples, as `SortedSamples` does: a chart shows what there is.
  func quantile(_ fraction: Double) -> Double? {
    samples.isEmpty ? nil : SortedSamples.interpolated(samples, fraction)
  }

  /// At most so many of the samples, evenly spread over their ranks, both ends among them.
  func thinned(to count: Int) -> [Double] {
    guard samples.count > count, count > 1 else { return samples }
    return (0..<count).map { samples[$0 * (samples.count - 1) / (count - 1)] }
  }

  /// The legend of a chart of several series.
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
  /// Wall time of one piece of work in nanoseconds, in the order of the launches and pairs.
  static func wall(
    _ launches: [PairedLaunch], _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> [[Double]] {
    launches.map { launch in
      arm(launch).wallNanoseconds.map { Double($0) / Double(max(1, launch.repeats)) }
    }
  }

  /// CPU time of one piece of work in nanoseconds, in the order of the launches and pairs.
  static func cpu(
    _ launches: [PairedLaunch], _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> [[Double]] {
    launches.map { launch in
      arm(launch).cpuNanoseconds.map { Double($0) / Double(max(1, launch.repeats)) }
    }
  }
}
