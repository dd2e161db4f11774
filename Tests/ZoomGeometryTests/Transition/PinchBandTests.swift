import Testing

@testable import ZoomGeometry

struct PinchBandTests {
  @Test func `inside the scale is shown as it is, outside by its root`() throws {
    let band = try PinchBand(maximum: 3)
    #expect(try band.shown(1) == 1)
    #expect(try band.shown(2.5) == 2.5)
    #expect(try band.shown(3) == 3)
    #expect(try band.shown(0.25) == 0.5)
    #expect(try band.shown(12) == 6)
  }

  @Test func `the band is continuous, rises, and has an inverse`() throws {
    let band = try PinchBand(maximum: 3)
    var before = 0.0
    for step in 1...2000 {
      let raw = Double(step) / 100
      let shown = try band.shown(raw)
      #expect(shown > before)
      #expect(step == 1 || shown - before < 0.05)
      #expect(near(try band.raw(shown), raw, within: 1e-12 * raw))
      before = shown
    }
  }

  @Test func `TI-P10: what has settled settles where it is`() throws {
    let band = try PinchBand(maximum: 3)
    for (scale, settled) in [(0.3, 1.0), (1, 1), (2, 2), (3, 3), (7, 3)] {
      #expect(try band.settled(scale) == settled)
      #expect(try band.settled(settled) == settled)
    }
  }

  @Test func `TI-P15: any positive number is shown finite, others are refused`() throws {
    let band = try PinchBand(maximum: 3)
    for raw in [Double.leastNonzeroMagnitude, 1e-6, 1e6, .greatestFiniteMagnitude] {
      let shown = try band.shown(raw)
      #expect(shown >= 1e-3 && shown <= 3e3 + 1)
      #expect(try band.raw(raw).isFinite)
    }
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: GeometryError.self) { try band.shown(bad) }
      #expect(throws: GeometryError.self) { try band.raw(bad) }
      #expect(throws: GeometryError.self) { try band.settled(bad) }
      #expect(throws: GeometryError.self) { try PinchBand(maximum: bad) }
    }
    #expect(throws: GeometryError.self) { try PinchBand(maximum: 0.999) }
    #expect(throws: GeometryError.self) { try PinchBand(maximum: 1e25) }
  }

  @Test func `the largest scale is 1 to 1e24, both included`() throws {
    for maximum in [1.0, 1.5, 1e24] { #expect(try PinchBand(maximum: maximum).maximum == maximum) }
    for bad in [(1.0).nextDown, (1e24).nextUp] {
      #expect(throws: GeometryError.self) { try PinchBand(maximum: bad) }
    }
  }

  @Test func `the band ends at a thousandth and at a thousand times the largest scale`() throws {
    let band = try PinchBand(maximum: 3)
    #expect(try band.shown(1e-300) == 1e-3)
    #expect(try band.shown(1e300) == 3000)
    #expect(near(try band.shown(2.9e6), 3 * (2.9e6 / 3).squareRoot(), within: 1e-9))
    #expect(try band.shown(2.9e6) < 3000 && band.shown(1.1e-6) > 1e-3)
  }
}
