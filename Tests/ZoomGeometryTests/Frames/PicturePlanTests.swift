import Foundation
import PropertyTesting
import Testing

@testable import ZoomGeometry

struct PicturePlanTests {
  private let picture = PixelSize(uncheckedWidth: 1600, height: 1200)

  private func screen(_ width: Double = 100, _ height: Double = 80, scale: Double = 1) throws
    -> Screen
  {
    try Screen(size: ViewSize(width, height), scale: scale)
  }

  private func layer(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ map: Affine = .identity
  ) -> PictureLayer {
    PictureLayer(
      content: PictureRect(x, y, width, height), size: ViewSize(width, height), transform: map)
  }

  /// Returns seeded layers of all scales, turns, mirrorings and positions.
  private func layers(_ count: Int) -> [PictureLayer] {
    var numbers = SplitMix64(seed: 11)
    return (0..<count).map { _ in
      let scale = pow(2, Double.random(in: -5...3, using: &numbers))
      let uneven = Double.random(in: 0.5...2, using: &numbers)
      let mirror = Bool.random(using: &numbers) ? 1.0 : -1
      return layer(
        .random(in: -800...1600, using: &numbers), .random(in: -800...1200, using: &numbers),
        .random(in: 1...1600, using: &numbers), .random(in: 1...1200, using: &numbers),
        Affine.scale(x: scale * mirror, y: scale * uneven)
          .then(.rotation(.random(in: -4...4, using: &numbers)))
          .then(
            .translation(
              x: .random(in: -100...200, using: &numbers),
              y: .random(in: -100...200, using: &numbers))))
    }
  }

  @Test(arguments: [[], [3, 16, 40]] as [[Int]])
  func `a region lies in the picture and holds whole blocks`(_ stored: [Int]) throws {
    let screen = try screen()
    let plans = layers(2000).compactMap {
      PicturePlan($0, on: screen, picture: picture, stored: stored)
    }
    #expect(plans.count > 500)
    let wrong = plans.first { plan in
      let (region, block) = (plan.region, plan.reduction * plan.shrink)
      return !region.isInside(picture) || !region.x.isMultiple(of: block)
        || !region.y.isMultiple(of: block)
        || !(region.maxX.isMultiple(of: block) || region.maxX == picture.width)
        || !(region.maxY.isMultiple(of: block) || region.maxY == picture.height)
        || !plan.target.isInside(screen.pixels)
    }
    #expect(wrong == nil)
  }

  @Test(arguments: [[], [3, 16, 40]] as [[Int]])
  func `a region contains the pixels that every screen pixel samples`(_ stored: [Int]) throws {
    let screen = try screen(40, 30)
    var tried = 0
    for layer in layers(400) {
      guard let plan = PicturePlan(layer, on: screen, picture: picture, stored: stored),
        let inverse = plan.map.inverted()
      else { continue }
      tried += 1
      let block = Double(plan.reduction * plan.shrink)
      var isInside = true
      for y in 0..<30 {
        for x in 0..<40 {
          let at = inverse.apply(to: ViewPoint(Double(x) + 0.5, Double(y) + 0.5))
          let content = layer.content
          guard at.x >= content.x, at.x < content.maxX, at.y >= content.y, at.y < content.maxY
          else { continue }
          isInside = isInside && plan.target.contains(x: x, y: y)
          // The neighbour blocks, kept inside the picture.
          for (place, side, low, high) in [
            (at.x, picture.width, plan.region.x, plan.region.maxX),
            (at.y, picture.height, plan.region.y, plan.region.maxY),
          ] {
            let first = (place / block - 0.5).rounded(.down)
            for tap in [first, first + 1] {
              let pixel = min(max(Int(tap * block), 0), side - 1)
              isInside = isInside && pixel >= low && pixel < high
            }
          }
        }
      }
      #expect(isInside, "\(layer)")
    }
    #expect(tried >= 100)
  }

  @Test func `decoded pixels are few for scales from an eighth to four`() throws {
    let screen = try screen(300, 200)
    let large = PixelSize(uncheckedWidth: 20000, height: 20000)
    for scale in [0.125, 0.13, 0.2, 0.25, 0.26, 0.4, 0.499, 0.5, 0.51, 0.75, 0.99, 1.01, 2, 4] {
      let plan = try #require(
        PicturePlan(layer(3000.3, 4000.7, 8000, 8000, .scale(scale)), on: screen, picture: large))
      let decoded = plan.region.reduced(by: plan.reduction).area
      // On each axis at most two decoded pixels per screen pixel, and a margin of six: four blocks,
      // and two for one more screen pixel.
      let margin = (2 * 300.0 + 6) * (2 * 200.0 + 6)
      #expect(Double(decoded) <= margin, "\(scale): \(decoded)")
      #expect(plan.shrink == 1 && plan.target.area == screen.pixels.area)
      #expect(Double(plan.reduction) * scale <= 1.000001 || plan.reduction == 1)
      #expect(plan.reduction == 8 || Double(plan.reduction) * scale > 0.499999)
    }
  }

  @Test func `a quarter turn of whole pixels is exact, in spite of a formula's rounding`() throws {
    for turn in QuarterTurn.allCases {
      let map = Affine.translation(x: -20, y: -15).then(.turn(turn))
        .then(.translation(x: 50, y: 40))
      let plan = try #require(
        PicturePlan(layer(600, 500, 40, 30, map), on: screen(), picture: picture))
      #expect(plan.kind == .exact(turn))
      #expect(plan.region == PixelRegion(600, 500, 40, 30))
      #expect(plan.region.size.turned(by: turn) == plan.target.size)
      #expect(plan.copiesTo == (plan.target.x, plan.target.y))
    }
    // One to one by a scale without a finite binary form.
    let scale = 0.1149
    var rounded = layer(600, 500, 40, 30)
    rounded.size = ViewSize(40 * scale, 30 * scale)
    rounded.transform = Affine.scale(1 / scale).then(.translation(x: 3 * (1 / scale * scale), y: 2))
    #expect(PicturePlan(rounded, on: try screen(), picture: picture)?.kind == .exact(.none))
    // At two screen pixels per point, the same layer is half as large in points.
    var retina = layer(600, 500, 40, 30)
    retina.size = ViewSize(20, 15)
    #expect(PicturePlan(retina, on: try screen(scale: 2), picture: picture)?.kind == .exact(.none))
  }

  @Test func `a map that mirrors, shifts or slightly scales is not exact`() throws {
    for map in [
      Affine.translation(x: 0.01, y: 0), .translation(x: 0, y: 0.5), .scale(1.001),
      Affine(a: -1, b: 0, c: 0, d: 1, tx: 40, ty: 0), Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0),
      .rotation(0.001), .scale(2),
    ] {
      let plan = try #require(
        PicturePlan(layer(600, 500, 40, 30, map), on: screen(), picture: picture))
      #expect(plan.kind == .bilinear, "\(map)")
    }
  }

  @Test func `an invisible layer has no plan`() throws {
    let screen = try screen()
    var hidden = [
      layer(0, 0, 50, 40, .translation(x: 100, y: 0)),
      layer(0, 0, 50, 40, .translation(x: -50, y: 0)), layer(0, 0, 0, 40), layer(0, 0, 50, -1),
      layer(0, 0, 50, 40, .scale(0)), layer(0, 0, 50, 40, .scale(x: 1, y: 0)),
      layer(.nan, 0, 50, 40), layer(0, 0, .infinity, 40),
      layer(0, 0, 50, 40, .translation(x: .nan, y: 0)),
      layer(0, 0, 50, 40, .translation(x: 1e9, y: 1e9)),
    ]
    var clear = layer(0, 0, 50, 40)
    clear.opacity = 0
    var masked = layer(0, 0, 50, 40)
    masked.mask = ViewRect(60, 0, 10, 10)
    hidden += [clear, masked]
    #expect(hidden.allSatisfy { PicturePlan($0, on: screen, picture: picture) == nil })
  }

  @Test func `planning does not trap, whatever the numbers of the layer`() throws {
    let screen = try screen()
    let values = [-1e300, -1e9, -1, 0, 1e-300, 1, 3, 1e9, 1e300]
    var numbers = SplitMix64(seed: 5)
    let value = { (numbers: inout SplitMix64) in values.randomElement(using: &numbers) ?? 0 }
    var planned = 0
    for _ in 0..<5000 {
      let layer = PictureLayer(
        content: PictureRect(value(&numbers), value(&numbers), value(&numbers), value(&numbers)),
        size: ViewSize(value(&numbers), value(&numbers)),
        transform: Affine(
          a: value(&numbers), b: value(&numbers), c: value(&numbers), d: value(&numbers),
          tx: value(&numbers), ty: value(&numbers)))
      guard let plan = PicturePlan(layer, on: screen, picture: picture) else { continue }
      planned += 1
      #expect(plan.region.isInside(picture) && plan.target.isInside(screen.pixels))
    }
    #expect(planned > 0)
  }

  @Test func `the largest stretch is the maximum of all directions`() {
    let map = Affine(a: 1.2, b: -0.7, c: 0.4, d: 2.1, tx: 0, ty: 0)
    let lengths = (0..<3600).map { step in
      let angle = Double(step) / 1800 * Double.pi
      let turned = Affine.rotation(angle).then(map)
      return (turned.a * turned.a + turned.b * turned.b).squareRoot()
    }
    #expect(abs((lengths.max() ?? 0) - map.largestStretch) < 1e-5)
  }

  @Test(arguments: [(4000, 300), (300, 4000), (2500, 2600)])
  func `at scales below an eighth all blocks that fit in a screen pixel are merged`(
    width: Int, height: Int
  ) throws {
    let picture = try PixelSize(width, height)
    let screen = try Screen(size: ViewSize(400, 400))
    var tried = 0
    for share in [1.0, 0.99, 1.01, 2.5, 7, 40, 300, 1e4] {
      let scale = 1 / (8 * share)
      let frame = ViewRect(0.3, 0.4, Double(width) * scale, Double(height) * scale)
      guard
        let plan = PicturePlan(
          PictureLayer(whole: picture, in: frame), on: screen, picture: picture)
      else { continue }
      // At most as many blocks are merged as cover the picture's longer side; at scales above an eighth none are.
      let most = max(width, height) / 8 + 1
      #expect(plan.reduction == (share >= 1 ? 8 : 4))
      #expect(plan.shrink == (share >= 1 ? min(Int(share), most) : 1))
      tried += 1
    }
    // At the smallest scales the picture may miss all pixel centres, so the plan is nil.
    #expect(tried >= 6)
  }

  @Test(arguments: [
    (0.6, 1, 1), (0.4, 2, 1), (0.3, 3, 1), (0.2, 4, 1), (0.07, 8, 1), (0.05, 16, 1), (0.027, 16, 2),
    (0.02, 40, 1), (0.004, 40, 6),
  ])
  func `the largest reduction that loses no detail is used, by a decoder or of a copy in the file`(
    scale: Double, reduction: Int, shrink: Int
  ) throws {
    let plan = try #require(
      PicturePlan(
        layer(0, 0, 1600, 1200, .scale(scale)), on: screen(300, 200), picture: picture,
        stored: [40, 16, 3]))
    #expect(plan.reduction == reduction && plan.shrink == shrink)
  }

  @Test(arguments: [(2, 1), (4, 2), (8, 4)])
  func `a scale that exceeds the limit of a reduction by a billionth still gets the reduction`(
    reduction: Int, other: Int
  ) throws {
    let screen = try screen(300, 200)
    // Division by a power of two does not round, so the first scale is exactly at the limit.
    let limit = (1 + 1e-9) / Double(reduction)
    for (scale, wanted) in [(limit, reduction), (limit.nextUp, other)] {
      let plan = try #require(
        PicturePlan(layer(0.3, 0.7, 1500, 1100, .scale(scale)), on: screen, picture: picture))
      #expect(plan.reduction == wanted)
    }
  }

  @Test(arguments: [-0.4, 0, 0.4])
  func `an exact plan is placed on the nearest pixel`(share: Double) throws {
    let picture = try PixelSize(20, 10)
    let off = share * ExactMap.tolerance
    let layer = PictureLayer(whole: picture, in: ViewRect(3 + off, 7 - off, 20, 10))
    let plan = try #require(
      PicturePlan(layer, on: Screen(size: ViewSize(40, 40)), picture: picture))
    #expect(plan.kind == .exact(.none))
    #expect(plan.copiesTo == (3, 7))
  }
}
