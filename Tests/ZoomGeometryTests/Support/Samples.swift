import Foundation
import PropertyTesting
import Testing

@testable import ZoomGeometry

// Tests write hundreds of places down, in the order that everybody knows.

extension ViewPoint {
  init(_ x: Double, _ y: Double) { self.init(x: x, y: y) }
}

extension ViewSize {
  init(_ width: Double, _ height: Double) { self.init(width: width, height: height) }
}

extension ViewRect {
  init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension PictureRect {
  init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension PixelRegion {
  init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    self.init(uncheckedX: x, y: y, width: width, height: height)
  }
}

extension PixelSize {
  init(_ width: Int, _ height: Int) throws { try self.init(width: width, height: height) }
}

/// Tells whether two numbers differ by at most the tolerance; false if one is NaN.
func near(_ first: Double, _ second: Double, within tolerance: Double) -> Bool {
  abs(first - second) <= tolerance
}

/// Tells whether a number is the one that was printed with so many decimals.
///
/// Half a unit of the last decimal is what printing takes away; the rest is for the binary form of
/// numbers that lie half-way.
func prints(_ number: Double, as printed: Double, decimals: Int) -> Bool {
  let unit = (0..<decimals).reduce(1.0) { unit, _ in unit / 10 }
  return near(number, printed, within: 0.5 * unit + 1e-12)
}

/// Tells whether two points are the same but for rounding.
func near(_ first: ViewPoint, _ second: ViewPoint, _ tolerance: Double = 1e-9) -> Bool {
  near(first.x, second.x, within: tolerance) && near(first.y, second.y, within: tolerance)
}

/// Tells whether two maps have the same numbers but for rounding.
func near(_ first: Affine, _ second: Affine, within tolerance: Double = 1e-9) -> Bool {
  zip(numbers(first), numbers(second)).allSatisfy { near($0, $1, within: tolerance) }
}

private func numbers(_ map: Affine) -> [Double] { [map.a, map.b, map.c, map.d, map.tx, map.ty] }

/// Tells whether two rectangles are the same but for rounding.
func near(_ first: ViewRect, _ second: ViewRect, within tolerance: Double = 1e-9) -> Bool {
  near(first.x, second.x, within: tolerance) && near(first.y, second.y, within: tolerance)
    && near(first.width, second.width, within: tolerance)
    && near(first.height, second.height, within: tolerance)
}

/// Expects that something is refused, and that the error names the argument and why.
func expectRefused<Value>(
  _ argument: String, _ reason: GeometryError.Reason? = nil,
  at location: SourceLocation = #_sourceLocation, _ make: () throws -> Value
) {
  let error = #expect(throws: GeometryError.self, sourceLocation: location) { _ = try make() }
  #expect(error?.argument == argument, sourceLocation: location)
  if let reason { #expect(error?.reason == reason, sourceLocation: location) }
}

/// A value that has been stored and read again.
func stored<Value: Codable>(_ value: Value) throws -> Value {
  try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

/// What a file's text says.
func decoded<Value: Decodable>(_ type: Value.Type = Value.self, _ text: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(text.utf8))
}

/// The three pictures of the published demonstration, by size.
enum SamplePicture: String, CaseIterable {
  case forest, pharmacy, petronas

  func size() throws -> PixelSize {
    switch self {
    case .forest: try PixelSize(1600, 1200)
    case .pharmacy: try PixelSize(4535, 1823)
    case .petronas: try PixelSize(3264, 4896)
    }
  }
}

/// The first of them.
let forest = PixelSize(uncheckedWidth: 1600, height: 1200)

/// The screen of all published numbers: 375x667 points.
let phone = ViewSize(375, 667)

/// Its middle, where every picture has its own.
let middle = ViewPoint(187.5, 333.5)

/// A picture on the phone's screen, peeked at as published: 375 points, one pixel a point.
func onPhone(_ width: Int, _ height: Int) throws -> PeekSetup {
  try PeekSetup(picture: PixelSize(width, height), viewport: phone)
}

/// The screen point that shows a place of the picture.
func viewPoint(_ setup: PeekSetup, _ x: Double, _ y: Double) -> ViewPoint {
  ViewPoint(setup.shownFrame.x + x * setup.fitScale, setup.shownFrame.y + y * setup.fitScale)
}

extension SplitMix64 {
  /// A number from `low` to `high`.
  mutating func number(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * nextUnit()
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }
}
