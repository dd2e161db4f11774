import Testing

@testable import ZoomGeometry

/// Tests of the published animation's defects; laws FT-P16 to FT-P18 have the right results.
struct OriginalForceAnimationTests {
  let animation = OriginalForceAnimation()

  @Test func `FT-B16: the largest force is before the animation's end`() {
    #expect(near(animation.time(at: fullForce), 20.0 / 21, within: 1e-12))
  }

  @Test(arguments: [7, 8, 0x1p31, .infinity, -1, .nan])
  func `FT-B17: from 7 on, below 0 and at NaN the view is at rest`(force: Double) {
    #expect(!((0.0..<1).contains(animation.time(at: force))))
    #expect(animation.pose(at: force) == .rest)
  }
}

struct ForceButtonTests {
  /// Rows of force, offset, radius and scale; a unit of force is 0.15 of the usual range.
  static let table: [(Double, Double, Double, Double)] = [
    (0.0, 6.6, 10.0, 1.0), (1.0, 5.61, 8.5, 1.01), (6.6, 0.066, 0.1, 1.066),
    (fullForce, 0, 0, 16.0 / 15), (8, 0, 0, 16.0 / 15),
  ]

  @Test(arguments: table)
  func `FT-B6 and FT-B7: the published table, corrected`(
    force: Double, offset: Double, radius: Double, scale: Double
  ) throws {
    let button = try ForceButton()
    let shadow = try button.shadow(at: force)
    #expect(near(shadow.offset.x, offset, within: 1e-12))
    #expect(near(shadow.offset.y, offset, within: 1e-12))
    #expect(near(shadow.radius, radius, within: 1e-12))
    #expect(shadow.opacity == 0.8)
    #expect(near(try button.scale(at: force), scale, within: 1e-12))
  }
}

/// Tests of the published button's defects; `ForceButtonTests` has the right results.
struct OriginalForceButtonTests {
  /// Rows of force, offset, radius, radius of a button that has 5 at rest, and scale.
  static let table: [(Double, Double, Double, Double, Double)] = [
    (0.0, 6.6, 10.0, 5.0, 1.0), (1.0, 5.6, 9.0, 4.0, 1.01), (6.6, 0.0, 3.4, -1.6, 1.066),
    (fullForce, -0.0667, 3.3333, -1.6667, 1.0667), (8.0, -1.4, 2.0, -3.0, 1.08),
  ]

  @Test(arguments: table)
  func `FT-B6 and FT-B7: the published table`(
    force: Double, offset: Double, radius: Double, smallRadius: Double, scale: Double
  ) {
    var button = OriginalForceButton()
    let shadow = button.shadow(at: force)
    #expect(prints(shadow.offset.x, as: offset, decimals: 4))
    #expect(prints(shadow.offset.y, as: offset, decimals: 4))
    #expect(prints(shadow.radius, as: radius, decimals: 4))
    #expect(shadow.opacity == 0.8)
    #expect(prints(button.scale(at: force), as: scale, decimals: 4))
    button.maximumRadius = 5
    #expect(prints(button.shadow(at: force).radius, as: smallRadius, decimals: 4))
  }

  @Test func `FT-B8: with a largest force of 0 the offset is NaN or infinite`() {
    var button = OriginalForceButton()
    button.maximumForce = 0
    #expect(button.shadow(at: 0).offset.x.isNaN)
    #expect(button.shadow(at: 1).offset.x == -.infinity)
  }
}

struct ForceZoomTests {
  @Test func `pictures one pixel wide or high and the largest numbers give finite frames`() throws {
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
        let fit = AspectFit(picture: picture, viewport: view.size).frame.moved(by: view.origin)
        let zoom = ForceZoom(unchecked: fit, try ForceRange(maximum: most))
        for finger in [ViewPoint(most, most), ViewPoint(-most, -most), middle] {
          let frame = try zoom.frame(at: finger, force: fullForce)
          #expect(frame.isFinite)
          #expect(frame.width > 0 && frame.height > 0)
        }
      }
    }
  }
}

/// Tests of the published zoom's defects; `ForceZoomTests` has the right results.
struct OriginalForceZoomTests {
  let demo = OriginalForceZoom(view: demoView)

  @Test func `FT-B11: before the view appears every anchor is a corner`() {
    let early = OriginalForceZoom(view: demoView, captured: ViewRect(0, 0, 0, 0))
    #expect(early.anchor(of: middle) == ViewPoint(1, 1))
    #expect(early.anchor(of: ViewPoint(-1, 5)) == ViewPoint(0, 1))
    // The order of the arguments turns 0 / 0 into 0.
    #expect(early.anchor(of: ViewPoint(0, 0)) == ViewPoint(0, 0))
    #expect(demo.anchor(of: ViewPoint(.nan, .infinity)) == ViewPoint(0, 1))
    #expect(demo.scale(at: .nan) == 1)
  }
}

/// The largest force of the hardware that measured force.
let fullForce = 400.0 / 60

/// The zoomed view of the published demonstration, in the middle of the phone's screen.
let demoView = ViewRect(87.5, 233.5, 200, 200)
