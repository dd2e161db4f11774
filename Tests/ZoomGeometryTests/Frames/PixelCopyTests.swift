import Foundation
import Testing

@testable import ZoomGeometry

struct PixelCopyTests {
  private let region = PixelRegion(613, 413, 375, 374)

  private func layer(_ region: PixelRegion? = nil, on screen: Screen) -> PictureLayer {
    PictureLayer(copying: region ?? self.region, inMiddleOf: screen)
  }

  @Test func `pixels are in the middle of the screen, or half a pixel right and below`() throws {
    let screen = try Screen(size: ViewSize(200, 333.5), scale: 2)
    let layer = layer(on: screen)
    // (400 - 375) / 2 = 12.5 and (667 - 374) / 2 = 146.5.
    #expect(layer.copy == PixelCopy(region: region, x: 13, y: 147))
    #expect(layer.content == PictureRect(613, 413, 375, 374))
    #expect(layer.size == ViewSize(187.5, 187))
    #expect(layer.transform == .translation(x: 6.5, y: 73.5))
    let plan = try #require(PicturePlan(layer, on: screen, picture: forest))
    #expect(plan.kind == .exact(.none) && plan.reduction == 1 && plan.shrink == 1)
    #expect(plan.region == region && plan.copiesTo == (13, 147))
    #expect(plan.target == PixelRegion(13, 147, 375, 374))
    #expect(plan.samples.columns == 613..<988 && plan.samples.rows == 413..<787)
    #expect(Layer.picture(layer).description == "picture 375x374+613+413 1:1 at (13, 147) px")
  }

  @Test(arguments: ["614", "-9223372036854775808"])
  func `a stored position that contradicts the transform is ignored`(
    x: String
  ) throws {
    let screen = try Screen(size: ViewSize(400, 667), scale: 1)
    let layer = layer(on: screen)
    let text = String(decoding: try JSONEncoder().encode(layer), as: UTF8.self)
    let changed = text.replacing("\"x\":13", with: "\"x\":\(x)")
    #expect(changed != text)
    let read = try JSONDecoder().decode(PictureLayer.self, from: Data(changed.utf8))
    let plan = try #require(PicturePlan(read, on: screen, picture: forest))
    #expect(plan.region == region && plan.copiesTo == (13, 147))
  }

  @Test(arguments: ["content", "size", "transform", "copy"])
  func `a stored copy that contradicts the layer's numbers is ignored`(
    part: String
  ) throws {
    let screen = try Screen(size: ViewSize(400, 667), scale: 2)
    func parts(_ region: PixelRegion) throws -> [String: Any] {
      let stored = try JSONEncoder().encode(layer(region, on: screen))
      return try #require(try JSONSerialization.jsonObject(with: stored) as? [String: Any])
    }
    var changed = try parts(region)
    changed[part] = try parts(PixelRegion(600, 400, 300, 200))[part]
    let read = try JSONDecoder().decode(
      PictureLayer.self, from: JSONSerialization.data(withJSONObject: changed))
    #expect(read.copy != nil)
    let bare = PictureLayer(content: read.content, size: read.size, transform: read.transform)
    let plan = try #require(PicturePlan(read, on: screen, picture: forest))
    #expect(plan == PicturePlan(bare, on: screen, picture: forest))
  }

  @Test(arguments: [1.0, 1.5, 2, 2.625, 3, 3.5])
  func `a copy is clipped at the screen's edges, in whole pixels`(scale: Double) throws {
    let screen = try Screen(size: ViewSize(40, 1000), scale: scale)
    let plan = try #require(PicturePlan(layer(on: screen), on: screen, picture: forest))
    let (width, height) = (screen.pixels.width, screen.pixels.height)
    let left = (width - 375 + 1) >> 1
    #expect(plan.region == PixelRegion(613 - left, 413, width, 374))
    #expect(plan.target == PixelRegion(0, (height - 373) >> 1, width, 374))
  }

  @Test func `a changed layer is no longer a copy, a faded one still is`() throws {
    let screen = try Screen(size: phone)
    var layer = layer(on: screen)
    layer.opacity = 0.5
    layer.cornerRadius = 3
    layer.mask = ViewRect(0, 0, 10, 10)
    #expect(layer.copy != nil)
    // With a mask, the plan is computed from the layer's numbers.
    #expect(PicturePlan(layer, on: screen, picture: forest)?.target.width == 10)
    let changes: [(inout PictureLayer) -> Void] = [
      { $0.content.x += 1 }, { $0.size.width *= 2 },
      { $0.transform = $0.transform.then(.translation(x: 1, y: 0)) },
    ]
    for change in changes {
      var changed = layer
      change(&changed)
      #expect(changed.copy == nil)
    }
    // Also for a region that reaches out of the picture, the plan uses the layer's numbers.
    let beside = PixelRegion(1500, 0, 200, 200)
    let plan = PicturePlan(self.layer(beside, on: screen), on: screen, picture: forest)
    #expect(plan?.region == PixelRegion(1500, 0, 100, 200))
  }

  @Test(arguments: [
    // 1:1 at two pixels per point, and each pixel as a square of 3x3.
    (0.5, QuarterTurn.none, 10.3, 20.8, 10.5, 21.0), (1.5, .none, 10.2, 20.1, 10, 20),
    (0.5, .clockwise, 10.3, 20.8, 10.5, 21), (0.5, .half, -7.3, 20.8, -7.5, 21),
    // At these scales picture pixels do not cover whole screen pixels.
    (0.7, .none, 10.3, 20.8, 10.3, 20.8), (0.4, .none, 10.3, 20.8, 10.3, 20.8),
  ])
  func `a layer of whole screen pixels is aligned to them, other layers stay`(
    scale: Double, turn: QuarterTurn, x: Double, y: Double, alignedX: Double, alignedY: Double
  ) throws {
    let screen = try Screen(size: phone, scale: 2)
    let map = Affine.scale(scale).then(.turn(turn))
    let size = ViewSize(100, 80)
    let box = map.boundingBox(of: size.atOrigin)
    let aligned = PictureLayer(
      content: PictureRect(0, 0, 100, 80), size: size,
      transform: map.then(.translation(x: x - box.x, y: y - box.y))
    ).aligned(to: screen)
    let placed = aligned.transform.boundingBox(of: size.atOrigin)
    #expect(near(placed.x, alignedX, within: 1e-9) && near(placed.y, alignedY, within: 1e-9))
    #expect(near(placed.width, box.width, within: 1e-9))
  }

  @Test func `an oblique or stretched picture is not moved`() throws {
    let screen = try Screen(size: phone)
    let maps: [Affine] = [
      .rotation(0.3).then(.translation(x: 0.3, y: 0.3)),
      .scale(x: 1, y: 1.3).then(.translation(x: 0.3, y: 0.3)),
      .scale(x: 1.3, y: 1).then(.translation(x: 0.3, y: 0.3)),
    ]
    for map in maps {
      var layer = PictureLayer(whole: forest, in: ViewRect(0, 0, 1600, 1200))
      layer.transform = map
      #expect(layer.aligned(to: screen) == layer)
    }
  }

  @Test func `a layer is described in a line`() {
    let whole = Layer.picture(
      PictureLayer(
        content: PictureRect(0, 0.5, 8, 6), size: ViewSize(4, 3),
        transform: .translation(x: 1.256, y: 2.254), mask: ViewRect(1, 0, 2, 3),
        cornerRadius: 1, opacity: 0.5))
    #expect(
      whole.description
        == "picture 8x6 from (0, 0.5) px in 2x3 at (2.26, 2.25) pt, masked, corners 1"
        + ", opacity 0.5")
    let rect = ViewRect(1, 2, 3, 4)
    #expect(
      Layer.fill(FillLayer(rect: rect, shade: 0.9)).description
        == "area in 3x4 at (1, 2) pt, shade 0.9, opacity 1")
    #expect(
      Layer.outline(OutlineLayer(rect: rect, width: 4, shade: 1)).description
        == "line around 3x4 at (1, 2) pt, 4 pt")
  }
}

struct SampleBoxTests {
  @Test(arguments: QuarterTurn.allCases, [-0.9, 0, 0.9])
  func `a map is exact if no corner is off by more than the tolerance`(
    turn: QuarterTurn, share: Double
  ) throws {
    let target = PixelRegion(3, 5, 7, 4)
    let off = share * ExactMap.tolerance
    let inverse = Affine.turn(turn.inverse).then(.translation(x: 40 + off, y: 60 - off))
    let exact = try #require(ExactMap(inverse.inverted() ?? .identity, inverse, target))
    #expect(exact.turn == turn)
    let corners = [(3, 5), (10, 9)].map { x, y in
      Affine.turn(turn.inverse).apply(to: ViewPoint(Double(x), Double(y)))
    }
    let (xs, ys) = (corners.map { Int($0.x) + 40 }, corners.map { Int($0.y) + 60 })
    #expect(exact.box.columns == (xs.min() ?? 0)..<(xs.max() ?? 0))
    #expect(exact.box.rows == (ys.min() ?? 0)..<(ys.max() ?? 0))
    for (x, y) in [(1.5, 0.0), (0, 1.5), (-1.5, 0), (0, -1.5)] {
      let far = Affine.turn(turn.inverse).then(
        .translation(x: 40 + x * ExactMap.tolerance, y: 60 + y * ExactMap.tolerance))
      #expect(ExactMap(far.inverted() ?? .identity, far, target) == nil)
    }
  }

  @Test func `a map is exact as long as all corners are below 2^40`() {
    let target = PixelRegion(3, 5, 7, 4)
    for (x, y) in [(0x1p40 - 10, 0.0), (0, 0x1p40 - 9)] {
      for (step, isExact) in [(-1.0, true), (0, false)] {
        let inverse = Affine.translation(x: x == 0 ? 0 : x + step, y: y == 0 ? 0 : y + step)
        #expect((ExactMap(.identity, inverse, target) != nil) == isExact)
      }
    }
  }
}
