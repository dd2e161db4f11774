import Testing

@testable import ZoomGeometry

/// Where a stage puts the thumbnail.
struct TransitionStageTests {
  private func transition(_ stage: Stage, _ size: ViewSize = phone) throws -> Transition {
    try Transition(
      picture: SamplePicture.forest.size(), screen: Screen(size: size), stage: stage)
  }

  @Test func `without a view it is a square of 100 points`() throws {
    #expect(
      try transition(Stage()).thumbnail == ViewRect(x: 20, y: 50, width: 100, height: 100))
  }

  @Test func `without a view it fits into any viewport`() throws {
    for side in [1e-6, 1, 100, 32768] {
      let thumbnail = try transition(Stage(), ViewSize(width: side, height: side)).thumbnail
      #expect(thumbnail.width > 0 && thumbnail.maxX <= side && thumbnail.maxY <= side)
    }
  }

  @Test func `TI-B4: frame and corners go through scrolled and scaled views around`() throws {
    let stage = Stage(
      view: ViewRect(x: 30, y: 140, width: 50, height: 40), cornerRadius: 5,
      ancestors: [
        Stage.Ancestor(
          frame: ViewRect(x: 0, y: 0, width: 200, height: 200), scroll: ViewPoint(x: 0, y: 100)),
        Stage.Ancestor(frame: ViewRect(x: 50, y: 60, width: 200, height: 200), scale: 2),
      ])
    let it = try transition(stage)
    // (30, 40) after scrolling; about the middle (100, 100) at scale 2: (-40, -20); then (50, 60).
    #expect(it.thumbnail == ViewRect(x: 10, y: 40, width: 100, height: 80))
    #expect(it.cornerRadius == 10)
  }

  @Test func `TI-P15: sixteen views around at the ends of their scales leave it finite`() throws {
    for scale in [0.001, 1000] {
      let around = Stage.Ancestor(
        frame: ViewRect(x: 2e9, y: -2e9, width: 2e9, height: 2e9),
        scroll: ViewPoint(x: -2e9, y: 2e9), scale: scale)
      let it = try transition(
        Stage(cornerRadius: 2e9, ancestors: Array(repeating: around, count: 16)))
      #expect(it.thumbnail.isFinite && it.mask.isFinite && it.startTransform.isFinite)
      #expect(it.scale > 0 && it.maskRadius.isFinite)
    }
  }

  @Test(arguments: [
    (60.0, 600.0, 0.5), (600, 75, 0.5), (120, 150, 1), (96, 150, 0.8), (120, 120, 0.8),
  ])
  func `in a viewport below 120x150 it is smaller in proportion`(
    width: Double, height: Double, part: Double
  ) throws {
    let thumbnail = try transition(Stage(), ViewSize(width: width, height: height)).thumbnail
    let wanted = ViewRect(x: 20 * part, y: 50 * part, width: 100 * part, height: 100 * part)
    #expect(isNear(thumbnail, wanted))
  }

  @Test(arguments: [(100.0, 60.0), (60, 100), (80, 80)])
  func `corners are no rounder than a half circle, on the way and in the thumbnail`(
    width: Double, height: Double
  ) throws {
    let picture = try SamplePicture.forest.size()
    let view = ViewRect(x: 20, y: 50, width: width, height: height)
    for radius in [10.0, 500] {
      let it = try transition(Stage(view: view, cornerRadius: radius))
      let layer = try it.thumbnailLayer(of: picture)
      let half = min(it.mask.width, it.mask.height) / 2
      #expect(layer.mask == it.mask)
      #expect(near(layer.cornerRadius, min(radius / it.scale, half), within: 1e-9))
      // The radius falls to zero while the mask grows.
      let open = try it.layer(of: picture, at: it.start, openedBy: 0.5)
      let mask = try it.mask(openedBy: 0.5)
      let wanted = min(radius / it.scale / 2, min(mask.width, mask.height) / 2)
      #expect(open.mask == mask && near(open.cornerRadius, wanted, within: 1e-9))
    }
  }
}
