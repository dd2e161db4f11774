import Testing

@testable import ZoomGeometry

struct ForceZoomTests {
  @Test func `the picture grows about the finger`() throws {
    let zoom = try ForceZoom(frame: demoView)
    let finger = ViewPoint(137.5, 383.5)
    #expect(try zoom.anchor(of: finger) == ViewPoint(0.25, 0.75))
    #expect(near(try zoom.scale(at: fullForce / 2), 1 + 17.0 / 6, within: 1e-12))
    let frame = try zoom.frame(at: finger, force: fullForce)
    let right = ViewRect(
      137.5 - 50 * fullForce, 383.5 - 150 * fullForce, 200 * fullForce, 200 * fullForce)
    #expect(frame.isNear(right))
  }

  @Test func `FT-B10: the lightest force that is reported has an effect`() throws {
    let even = try ForceZoom(frame: demoView)
    #expect(try even.scale(at: 0) == 1)
    #expect(try even.scale(at: 1.0 / 60) > 1)
  }

  @Test(arguments: [
    ViewRect(0, 0, 0, 0), ViewRect(0, 0, 200, -1),
    ViewRect(.nan, 0, 1, 1), ViewRect(0, 0, .infinity, 1),
    ViewRect(0, 1e10, 1, 1),
  ])
  func `FT-B11: a frame that is empty or no frame is refused`(frame: ViewRect) throws {
    #expect(throws: GeometryError.self) { try ForceZoom(frame: frame) }
  }

  @Test func `FT-B14: the scale has an end, and no number is refused`() throws {
    let zoom = try ForceZoom(frame: demoView)
    let end = try zoom.scale(at: fullForce)
    #expect(end == fullForce)
    #expect(ascends(try finiteForces.map { try zoom.scale(at: $0) }))
    for force in finiteForces where force >= fullForce { #expect(try zoom.scale(at: force) == end) }
    for force in finiteForces where force <= 0 { #expect(try zoom.scale(at: force) == 1) }
    for number in wildForces {
      #expect(throws: GeometryError.self) { try zoom.scale(at: number) }
      #expect(throws: GeometryError.self) { try zoom.anchor(of: ViewPoint(number, 0)) }
      #expect(throws: GeometryError.self) { try zoom.frame(at: ViewPoint(0, number), force: 1) }
    }
  }

  @Test(arguments: [0.0, 1e-6, 0.5, 1])
  func `a range up to 1 does not zoom`(maximum: Double) throws {
    let zoom = try ForceZoom(frame: demoView, range: ForceRange(maximum: maximum))
    #expect(try zoom.frame(at: middle, force: 5) == demoView)
  }

  @Test func `threads of pictures and the largest numbers give finite frames`() throws {
    let most = Double(PixelSize.maximumSide)
    let sizes = [(1, PixelSize.maximumSide), (PixelSize.maximumSide, 1), (1, 1)]
    let views = [
      ViewRect(most, -most, most, most),
      ViewRect(-most, most, 1e-6, 1e-6),
      ViewRect(0, 0, most, 1e-6),
    ]
    for (width, height) in sizes {
      for view in views {
        let picture = try PixelSize(width, height)
        let zoom = ForceZoom(unchecked: view.fitting(picture), try ForceRange(maximum: most))
        for finger in [ViewPoint(most, most), ViewPoint(-most, -most), middle] {
          let frame = try zoom.frame(at: finger, force: fullForce)
          #expect(frame.isFinite)
          #expect(frame.width > 0 && frame.height > 0)
        }
      }
    }
  }

  @Test func `each axis goes by its own side of the frame`() throws {
    let frame = ViewRect(10, 20, 400, 50)
    let zoom = try ForceZoom(frame: frame, range: ForceRange(maximum: 3))
    let finger = ViewPoint(110, 60)
    #expect(try zoom.anchor(of: finger) == ViewPoint(0.25, 0.8))
    // Twice as large, with the finger's place where it was.
    #expect(try zoom.frame(at: finger, force: 1.5) == ViewRect(-90, -20, 800, 100))
  }
}

/// The published zoom's defects; `ForceZoomTests` has the right results.
struct OriginalForceZoomTests {
  let demo = OriginalForceZoom(view: demoView)

  @Test func `FT-B10: forces up to 1 do nothing`() {
    let dead = reportedForces.filter { demo.scale(at: $0) == 1 }
    // 0/60 to 60/60, the first 15 % of the range.
    #expect(dead.count == 61)
    #expect(dead.last == 1)
  }

  @Test func `FT-B11: before the view appears there are only corners`() {
    let early = OriginalForceZoom(view: demoView, captured: ViewRect(0, 0, 0, 0))
    #expect(early.anchor(of: middle) == ViewPoint(1, 1))
    #expect(early.anchor(of: ViewPoint(-1, 5)) == ViewPoint(0, 1))
    // 0 / 0, of which the order of the arguments makes 0.
    #expect(early.anchor(of: ViewPoint(0, 0)) == ViewPoint(0, 0))
    #expect(demo.anchor(of: ViewPoint(.nan, .infinity)) == ViewPoint(0, 1))
  }

  @Test func `each axis goes by its own side of the view`() {
    let wide = OriginalForceZoom(view: ViewRect(10, 20, 400, 50))
    #expect(wide.anchor(of: ViewPoint(110, 60)) == ViewPoint(0.25, 0.8))
  }

  @Test func `FT-B14: the scale has no end, and no number makes 1`() {
    #expect(demo.scale(at: 8) == 8)
    #expect(demo.scale(at: 0x1p31) == 0x1p31)
    #expect(demo.scale(at: .infinity) == .infinity)
    #expect(demo.scale(at: .nan) == 1)
  }
}

/// The largest force of the hardware that had the sense.
let fullForce = 400.0 / 60

/// What that hardware reports: n / 60.
let reportedForces = (0...400).map { Double($0) / 60 }

/// Those, the range's ends, and finite numbers beyond them, in ascending order.
let finiteForces: [Double] =
  ([-0x1p1023, -0x1p31, -8, -1.0 / 60, -0.0, 0, 0x1p-1074, fullForce.nextDown, fullForce]
  + [fullForce.nextUp, 6.6, 7, 8, 0x1p31, 0x1p1023] + reportedForces).sorted()

/// What is no number.
let wildForces: [Double] = [.nan, -.nan, .infinity, -.infinity]

/// The zoomed view of the published demonstration, in the middle of the phone's screen.
let demoView = ViewRect(87.5, 233.5, 200, 200)

/// Whether one number after the other is at least as large as the one before.
func ascends(_ numbers: [Double]) -> Bool {
  zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
}

extension ViewRect {
  /// Whether each number is near that of the other.
  func isNear(_ other: ViewRect, within tolerance: Double = 1e-9) -> Bool {
    near(self, other, within: tolerance)
  }
}
