import Testing

@testable import ZoomGeometry

struct ForceZoomTests {
  static let zooms: [(ViewRect, ForceZoom.Scaling?)] = [
    (demoView, nil), (demoView, .force), (demoView, .even(upTo: 3)),
    (ViewRect(x: -40, y: 1000, width: 1, height: 3000), .even(upTo: 1)),
  ]

  static func cases() throws -> [(ForceZoom, ViewPoint, Double)] {
    let forces: [Double] = [-1, 0, 0.5, 1, 1.01, 2, 3, 5, fullForce, 8]
    var cases: [(ForceZoom, ViewPoint, Double)] = []
    for (frame, scaling) in zooms {
      let zoom = try ForceZoom(frame: frame, scaling: scaling)
      for finger in fingers { cases += forces.map { (zoom, finger, $0) } }
    }
    return cases
  }

  @Test func `FT-B9: a light touch on the corner moves nothing`() throws {
    let zoom = try ForceZoom(frame: demoView, scaling: .force)
    let corner = ViewPoint(x: 87.5, y: 233.5)
    #expect(try zoom.anchor(of: corner) == ViewPoint(x: 0, y: 0))
    #expect(try zoom.frame(at: corner, force: 1) == demoView)
    #expect(
      try zoom.frame(at: corner, force: 2)
        == ViewRect(x: 87.5, y: 233.5, width: 400, height: 400))
  }

  @Test func `the picture grows about the finger`() throws {
    let zoom = try ForceZoom(frame: demoView)
    let finger = ViewPoint(x: 137.5, y: 383.5)
    #expect(try zoom.anchor(of: finger) == ViewPoint(x: 0.25, y: 0.75))
    #expect(near(try zoom.scale(at: fullForce / 2), 1 + 17.0 / 6, within: 1e-12))
    let frame = try zoom.frame(at: finger, force: fullForce)
    let right = ViewRect(
      x: 137.5 - 50 * fullForce, y: 383.5 - 150 * fullForce, width: 200 * fullForce,
      height: 200 * fullForce)
    #expect(frame.isNear(right))
  }

  @Test func `FT-B10: the lightest force that is reported has an effect`() throws {
    let even = try ForceZoom(frame: demoView)
    #expect(try even.scale(at: 0) == 1)
    #expect(try even.scale(at: 1.0 / 60) > 1)
    #expect(try ForceZoom(frame: demoView, scaling: .force).scale(at: 1) == 1)
  }

  @Test(arguments: [
    ViewRect(x: 0, y: 0, width: 0, height: 0), ViewRect(x: 0, y: 0, width: 200, height: -1),
    ViewRect(x: .nan, y: 0, width: 1, height: 1), ViewRect(x: 0, y: 0, width: .infinity, height: 1),
    ViewRect(x: 0, y: 1e10, width: 1, height: 1),
  ])
  func `FT-B11: a frame that is empty or no frame is refused`(frame: ViewRect) throws {
    #expect(throws: GeometryError.self) { try ForceZoom(frame: frame) }
    let picture = try PixelSize(width: 3, height: 2)
    #expect(throws: GeometryError.self) { try ForceZoom(fitting: picture, in: frame) }
  }

  @Test(arguments: zooms)
  func `FT-B14: the scale has an end, and no number is refused`(
    frame: ViewRect, scaling: ForceZoom.Scaling?
  ) throws {
    let zoom = try ForceZoom(frame: frame, scaling: scaling)
    let end = try zoom.scale(at: fullForce)
    #expect(ascends(try finiteForces.map { try zoom.scale(at: $0) }))
    for force in finiteForces where force >= fullForce { #expect(try zoom.scale(at: force) == end) }
    for force in finiteForces where force <= 0 { #expect(try zoom.scale(at: force) == 1) }
    for number in wildForces {
      #expect(throws: GeometryError.self) { try zoom.scale(at: number) }
      #expect(throws: GeometryError.self) { try zoom.anchor(of: ViewPoint(x: number, y: 0)) }
      #expect(throws: GeometryError.self) {
        try zoom.frame(at: ViewPoint(x: 0, y: number), force: 1)
      }
    }
  }

  @Test func `the largest scales are the force's, 3 and 1`() throws {
    let ends = try Self.zooms.map { try ForceZoom(frame: $0, scaling: $1).scale(at: 100) }
    #expect(ends == [fullForce, fullForce, 3, 1])
  }

  @Test(arguments: [0.0, 1e-6, 0.5])
  func `a range below 1 does not zoom by itself`(maximum: Double) throws {
    let range = try ForceRange(maximum: maximum)
    for scaling in [nil, ForceZoom.Scaling.force] {
      let zoom = try ForceZoom(frame: demoView, range: range, scaling: scaling)
      #expect(try zoom.frame(at: middle, force: 5) == demoView)
    }
    let asked = try ForceZoom(frame: demoView, range: range, scaling: .even(upTo: 4))
    #expect(try asked.scale(at: 5) == (maximum > 0 ? 4 : 1))
  }

  @Test(arguments: [0.9, -2, .nan, .infinity, 1e10])
  func `a largest scale that shrinks or is no number is refused`(scale: Double) {
    #expect(throws: GeometryError.self) {
      try ForceZoom(frame: demoView, scaling: .even(upTo: scale))
    }
  }

  @Test func `FT-B15: the finger is clamped to the fitted picture, not to the view`() throws {
    let zoom = try ForceZoom(
      fitting: PixelSize(width: 1920, height: 1200), in: demoView, scaling: .force)
    #expect(zoom.frame == ViewRect(x: 87.5, y: 271, width: 200, height: 125))
    let top = ViewPoint(x: 187.5, y: 271)
    #expect(try zoom.anchor(of: top) == ViewPoint(x: 0.5, y: 0))
    let bar = ViewPoint(x: 187.5, y: 240)
    #expect(try zoom.anchor(of: bar) == ViewPoint(x: 0.5, y: 0))
    #expect(try zoom.frame(at: bar, force: 2).y == 271)
  }

  @Test func `FT-P10: at scale 1 the frame is the one at rest`() throws {
    for (zoom, finger, force) in try Self.cases() where try zoom.scale(at: force) == 1 {
      #expect(try zoom.frame(at: finger, force: force) == zoom.frame)
    }
  }

  @Test func `FT-P11: the touched place stays where it is`() throws {
    for (zoom, finger, force) in try Self.cases() {
      let anchor = try zoom.anchor(of: finger)
      let frame = try zoom.frame(at: finger, force: force)
      let stays = ViewPoint(
        x: zoom.frame.x + anchor.x * zoom.frame.width,
        y: zoom.frame.y + anchor.y * zoom.frame.height)
      #expect(near(frame.x + anchor.x * frame.width, stays.x, within: 1e-9))
      #expect(near(frame.y + anchor.y * frame.height, stays.y, within: 1e-9))
      if zoom.frame.contains(finger) {
        #expect(near(stays.x, finger.x, within: 1e-9))
        #expect(near(stays.y, finger.y, within: 1e-9))
      }
    }
  }

  @Test func `FT-P12 and FT-P13: the frame at rest is covered, the anchor is in the unit square`()
    throws
  {
    for (zoom, finger, force) in try Self.cases() {
      #expect(try zoom.frame(at: finger, force: force).holds(zoom.frame))
      let anchor = try zoom.anchor(of: finger)
      #expect((0...1).contains(anchor.x))
      #expect((0...1).contains(anchor.y))
    }
  }

  @Test func `FT-P14: a little more of force or way moves the frame a little`() throws {
    let step = 1e-4
    for (zoom, finger, force) in try Self.cases() {
      let frame = try zoom.frame(at: finger, force: force)
      let beside = ViewPoint(x: finger.x + step, y: finger.y - step)
      // The finger moves an edge by at most (s - 1) steps, the force by the frame's side a step.
      #expect(try zoom.frame(at: beside, force: force).isNear(frame, within: 8 * step))
      #expect(try zoom.frame(at: finger, force: force + step).isNear(frame, within: 3001 * step))
    }
  }

  @Test func `threads of pictures and the largest numbers give finite frames`() throws {
    let most = Double(PixelSize.maximumSide)
    let sizes = [(1, PixelSize.maximumSide), (PixelSize.maximumSide, 1), (1, 1)]
    let views = [
      ViewRect(x: most, y: -most, width: most, height: most),
      ViewRect(x: -most, y: most, width: 1e-6, height: 1e-6),
      ViewRect(x: 0, y: 0, width: most, height: 1e-6),
    ]
    for (width, height) in sizes {
      for view in views {
        let zoom = try ForceZoom(
          fitting: PixelSize(width: width, height: height), in: view, scaling: .even(upTo: most))
        for finger in [ViewPoint(x: most, y: most), ViewPoint(x: -most, y: -most), middle] {
          let frame = try zoom.frame(at: finger, force: fullForce)
          #expect(frame.isFinite)
          #expect(frame.width > 0 && frame.height > 0)
        }
      }
    }
  }

  @Test func `each axis goes by its own side of the frame`() throws {
    let frame = ViewRect(x: 10, y: 20, width: 400, height: 50)
    let range = try ForceRange(maximum: 2)
    let zoom = try ForceZoom(frame: frame, range: range, scaling: .even(upTo: 3))
    let finger = ViewPoint(x: 110, y: 60)
    #expect(try zoom.anchor(of: finger) == ViewPoint(x: 0.25, y: 0.8))
    // Twice as large, with the finger's place where it was.
    #expect(
      try zoom.frame(at: finger, force: 1) == ViewRect(x: -90, y: -20, width: 800, height: 100))
  }

  @Test func `a largest scale below 1 is refused by its own name`() throws {
    let error = #expect(throws: GeometryError.self) {
      try ForceZoom(frame: demoView, scaling: .even(upTo: 0.5))
    }
    #expect(error?.description == "scaling: 0.5 is below 1, and a press does not shrink")
  }
}
