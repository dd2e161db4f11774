internal import Foundation
package import Measurement

/// The search for the highest rate at which a bound holds: doubling, then halving the interval.
package struct CapacitySearch: Sendable {
  /// The highest rate at which the bound held.
  package private(set) var holding: Double?
  /// The lowest rate above it at which the bound was broken.
  package private(set) var breaking: Double?
  private let first, most, stride: Double

  /// Creates a search; `stride` is the ratio of the first rates.
  package init(from first: Double, most: Double, stride: Double = 2) {
    (self.first, self.most, self.stride) = (min(first, most), most, stride)
  }

  /// The next rate to try; nil at the end of the search.
  package var next: Double? {
    switch (holding, breaking) {
    case (nil, nil): first
    case (let low?, nil): low >= most ? nil : min(most, low * stride)
    // Steps of lower rates would take more than ten minutes.
    case (nil, let high?): high / stride < 0.1 ? nil : high / stride
    // Noise makes a finer interval meaningless.
    case (let low?, let high?): high / low <= 1.1 ? nil : (low * high).squareRoot()
    }
  }

  package mutating func note(_ rate: Double, holds: Bool) {
    holding = holds ? max(rate, holding ?? 0) : holding
    breaking = holds ? breaking : min(rate, breaking ?? .infinity)
    // A rate that held once although a lower one broke is noise, and counts as broken.
    if let low = holding, let high = breaking, low >= high { holding = nil }
  }
}

/// The highest rate of full views within the bound, over repetitions of the search.
package struct LoadCapacity: Sendable, Codable {
  /// The capacity of each repetition, in views per second; zero if the bound never held.
  package let repetitions: [Double]
  /// Whether the capacity is at least this: a search ended at the highest allowed rate, or the generator was late.
  package let isLeast: Bool

  /// The geometric mean of the repetitions, trimmed as `LocationEstimate` does; zero if one is zero.
  package let center: Double
  /// The interval of 95 %; nil for a single repetition, or without an upper limit.
  package let interval: PairedRatio.Interval?

  package init(repetitions: [Double], isLeast: Bool) {
    (self.repetitions, self.isLeast) = (repetitions, isLeast)
    let isPositive = repetitions.allSatisfy { $0 > 0 }
    let logs = isPositive ? try? SortedSamples(repetitions.map { log($0) }) : nil
    let estimate = logs.map { LocationEstimate($0) }
    center = estimate.map { exp($0.center) } ?? 0
    interval = isLeast ? nil : estimate?.interval(tail: 0.025)?.ofRatio
  }
}
