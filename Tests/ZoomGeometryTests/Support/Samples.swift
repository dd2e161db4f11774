import Foundation
import Testing

@testable import ZoomGeometry

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

/// Returns whether all numbers of two values, and of their parts, are equal within the tolerance; NaN equals nothing.
func near<Value>(_ first: Value, _ second: Value, within tolerance: Double = 1e-9) -> Bool {
  let (one, other) = (numbers(in: first), numbers(in: second))
  return one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= tolerance }
}

func numbers(in value: Any) -> [Double] {
  if let number = value as? Double { return [number] }
  return Mirror(reflecting: value).children.flatMap { numbers(in: $0.value) }
}

func expectRefused<Value>(
  _ argument: String, _ reason: GeometryError.Reason? = nil,
  at location: SourceLocation = #_sourceLocation, _ make: () throws -> Value
) {
  let error = #expect(throws: GeometryError.self, sourceLocation: location) { _ = try make() }
  #expect(error?.argument == argument, sourceLocation: location)
  if let reason { #expect(error?.reason == reason, sourceLocation: location) }
}

func stored<Value: Codable>(_ value: Value) throws -> Value {
  try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

func decoded<Value: Decodable>(_ type: Value.Type = Value.self, _ text: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(text.utf8))
}

/// The size of the first picture of the published demonstration.
let forest = PixelSize(uncheckedWidth: 1600, height: 1200)

/// The size of the phone on which most tests run: 375x667 points.
let phone = ViewSize(375, 667)

/// The middle of the phone's screen and of every picture on it.
let middle = ViewPoint(187.5, 333.5)
