internal import ZoomGeometry
public import ZoomPipeline

/// The difference between two pictures: their form, and the number and size of differing samples.
public struct PixelComparison: Sendable, Hashable {
  /// The sample that differs most.
  public struct Worst: Sendable, Hashable {
    /// Its column, from 0.
    public let x: Int
    /// Its row, from 0.
    public let y: Int
    /// Its band, from 0; a complex number counts as two.
    public let band: Int
    /// The expected value.
    public let expected: Double
    /// The value in the answer.
    public let got: Double
  }

  /// The differences in size, bands, format or interpretation, in words; nil if there are none.
  ///
  /// Samples are not compared if size, bands or format differ.
  public package(set) var formDifference: String?
  /// The number of compared pixels; it exposes a comparator that did nothing.
  public package(set) var comparedPixels = 0
  /// The number of compared pixels with a difference in any sample.
  public package(set) var differingPixels = 0
  /// The largest difference of two samples, in steps of the format; infinite if exactly one is NaN.
  public package(set) var largestDifference = 0.0
  /// The mean absolute difference of all samples, in steps of the format.
  public package(set) var meanDifference = 0.0
  /// The first of the samples that differ most; nil if none differs.
  public package(set) var worst: Worst?

  /// Whether the two are the same in form and in every sample.
  public var isSame: Bool { formDifference == nil && differingPixels == 0 }

  /// Compares an answer with the expected pixels.
  public init(_ got: Pixels, expected: Pixels) {
    formDifference = Self.formDifference(got, expected)
    guard got.size == expected.size, got.bands == expected.bands, got.format == expected.format
    else { return }
    comparedPixels = got.size.area
    if !got.hasSameBytes(as: expected) { compareSamples(got, expected) }
  }

  private mutating func compareSamples(_ got: Pixels, _ expected: Pixels) {
    let (channels, level) = (got.channels, got.sampleType.level)
    var sum = 0.0
    got.bytes.withUnsafeBytes { left in
      expected.bytes.withUnsafeBytes { right in
        for pixel in 0..<got.size.area {
          var differs = false
          for channel in 0..<channels {
            let index = pixel * channels + channel
            let (one, other) = (level(left, index), level(right, index))
            if one == other { continue }
            differs = true
            var difference = abs(one - other)
            if difference.isNaN { difference = one.isNaN && other.isNaN ? 0 : .infinity }
            sum += difference
            guard difference > largestDifference else { continue }
            largestDifference = difference
            worst = Worst(
              x: pixel % got.size.width, y: pixel / got.size.width, band: channel, expected: other,
              got: one)
          }
          if differs { differingPixels += 1 }
        }
      }
    }
    // A complex number counts as one sample here.
    meanDifference = sum / Double(got.size.area * got.bands)
  }

  private static func formDifference(_ got: Pixels, _ expected: Pixels) -> String? {
    var parts: [String] = []
    func compare<Value: Equatable>(_ what: String, _ got: Value, _ expected: Value) {
      if got != expected { parts.append("\(what) \(got) instead of \(expected)") }
    }
    compare("size", got.size.description, expected.size.description)
    compare("bands", got.bands, expected.bands)
    compare("format", got.format.rawValue, expected.format.rawValue)
    compare("colours", got.interpretation.rawValue, expected.interpretation.rawValue)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// The functions that the laws compare pixels with; tests supply broken ones.
public struct PixelComparator: Sendable {
  /// Compares an answer with the expected pixels.
  public let compare: @Sendable (_ got: Pixels, _ expected: Pixels) -> PixelComparison
  /// Measures the shift of an answer; tries whole shifts of up to `range` pixels each way.
  public let shift: @Sendable (_ got: Pixels, _ expected: Pixels, _ range: Int) -> PixelShift?

  /// Creates a comparator from two functions.
  public init(
    compare: @escaping @Sendable (_ got: Pixels, _ expected: Pixels) -> PixelComparison,
    shift: @escaping @Sendable (_ got: Pixels, _ expected: Pixels, _ range: Int) -> PixelShift?
  ) {
    self.compare = compare
    self.shift = shift
  }

  /// The comparator of this library.
  public static let standard = PixelComparator(
    compare: { PixelComparison($0, expected: $1) },
    shift: { PixelShift($0, expected: $1, within: $2) })
}
