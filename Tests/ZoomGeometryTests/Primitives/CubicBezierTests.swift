import Testing
import ZoomGeometry

struct CubicBezierTests {
  let ease = CubicBezier.easeInEaseOut

  @Test func `the published curve has its known values`() {
    #expect(ease.value(at: 0.5) == 0.5)
    // Solved independently: x(u) = 0.25 at u = 0.2250652, and there y = 3 u^2 - 2 u^3.
    #expect(near(ease.value(at: 0.25), 0.1291619, within: 1e-6))
    #expect(ease.value(at: 0) == 0 && ease.value(at: 1) == 1)
    #expect(ease.value(at: -3) == 0 && ease.value(at: 7) == 1)
  }

  @Test func `it is symmetric about its middle`() {
    for step in 0...200 {
      let time = Double(step) / 200
      #expect(near(ease.value(at: time) + ease.value(at: 1 - time), 1, within: 1e-12))
    }
  }

  @Test func `it never falls and stays in 0 to 1`() {
    let values = (0...2000).map { ease.value(at: Double($0) / 2000) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0.0 <= $0.1 })
    #expect(values.allSatisfy { (0...1).contains($0) })
  }

  @Test func `control points on the diagonal are linear`() throws {
    let line = try CubicBezier(x1: 0.25, y1: 0.25, x2: 0.75, y2: 0.75)
    for step in 0...100 {
      let time = Double(step) / 100
      #expect(near(line.value(at: time), time, within: 1e-12))
    }
  }

  @Test func `a vertical piece of the curve is found too`() throws {
    let steep = try CubicBezier(x1: 1, y1: 0, x2: 0, y2: 1)
    #expect(near(steep.value(at: 0.5), 0.5, within: 1e-4))
    #expect(steep.value(at: 0.4) < 0.2 && steep.value(at: 0.6) > 0.8)
  }

  @Test func `times outside 0 to 1 and numbers that are not finite are refused`() {
    let error = #expect(throws: GeometryError.self) {
      try CubicBezier(x1: 1.1, y1: 0, x2: 0.5, y2: 1)
    }
    #expect(error?.argument == "x1")
    #expect(throws: GeometryError.self) { try CubicBezier(x1: 0, y1: 0, x2: -0.1, y2: 1) }
    for bad in [Double.nan, .infinity] {
      #expect(throws: GeometryError.self) { try CubicBezier(x1: 0, y1: bad, x2: 1, y2: 1) }
      #expect(throws: GeometryError.self) { try CubicBezier(x1: 0, y1: 0, x2: bad, y2: 1) }
    }
    #expect(throws: Never.self) { try CubicBezier(x1: 0, y1: -5, x2: 1, y2: 9) }
  }
}
