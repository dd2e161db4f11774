import Testing

@testable import ZoomGeometry

/// A picture's transition on the phone's screen.
func transition(
  _ picture: SamplePicture, _ thumbnail: ViewRect, radius: Double = 25
) throws -> Transition {
  try Transition(
    picture: picture.size(), viewport: phone, thumbnail: thumbnail, cornerRadius: radius)
}

/// The transition between thumbnail and full screen, in worked examples.
struct TransitionTests {
  /// The sample pictures with thumbnails wide, high and square, on the phone's screen.
  static let cases: [(SamplePicture, ViewRect)] = SamplePicture.allCases.flatMap { picture in
    [(100.0, 100.0), (100, 200), (200, 50), (3, 400), (900, 900)].map { width, height in
      (picture, ViewRect(20, 50, width, height))
    }
  }

  @Test func `forest from a square thumbnail`() throws {
    let forest = try transition(.forest, ViewRect(20, 50, 100, 100))
    #expect(forest.full == ViewRect(0, 192.875, 375, 281.25))
    #expect(prints(forest.scale, as: 0.355556, decimals: 6))
    #expect(forest.delta == ViewPoint(-117.5, -233.5))
    #expect(prints(forest.mask.x, as: 46.875, decimals: 9))
    #expect(prints(forest.mask.width, as: 281.25, decimals: 9))
    #expect(forest.mask.height == 281.25)
    #expect(forest.mask.y == 0)
    #expect(prints(forest.maskRadius, as: 70.3125, decimals: 9))
  }

  @Test func `petronas from a square thumbnail`() throws {
    let petronas = try transition(.petronas, ViewRect(20, 50, 100, 100))
    #expect(petronas.full == ViewRect(0, 52.25, 375, 562.5))
    #expect(prints(petronas.scale, as: 0.266667, decimals: 6))
    #expect(prints(petronas.mask.y, as: 93.75, decimals: 9))
    #expect(petronas.mask.width == 375)
    #expect(prints(petronas.mask.height, as: 375, decimals: 9))
    #expect(prints(petronas.maskRadius, as: 93.75, decimals: 9))
  }

  @Test func `a thumbnail can be larger than the full screen: pharmacy from a high one`() throws {
    let pharmacy = try transition(.pharmacy, ViewRect(0, 0, 100, 200))
    #expect(prints(pharmacy.full.y, as: 258.128, decimals: 3))
    #expect(prints(pharmacy.full.height, as: 150.744, decimals: 3))
    #expect(prints(pharmacy.scale, as: 1.326751, decimals: 6))
    #expect(prints(pharmacy.mask.x, as: 149.814, decimals: 3))
    #expect(prints(pharmacy.mask.width, as: 75.372, decimals: 3))
    #expect(pharmacy.mask.height == pharmacy.full.height)
  }

  @Test func `TI-B5 and TI-P15: an empty thumbnail and numbers that are none are refused`() throws {
    let good = ViewRect(0, 0, 10, 10)
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: GeometryError.self) { try transition(.forest, ViewRect(0, 0, 10, bad)) }
      #expect(throws: GeometryError.self) { try transition(.forest, ViewRect(0, 0, bad, 10)) }
      #expect(throws: GeometryError.self) {
        try Transition(picture: PixelSize(1, 1), viewport: ViewSize(bad, 10), thumbnail: good)
      }
    }
    #expect(throws: GeometryError.self) { try transition(.forest, good, radius: -1) }
    #expect(throws: GeometryError.self) { try transition(.forest, good, radius: .nan) }
    #expect(throws: GeometryError.self) { try transition(.forest, good).mask(openedBy: .nan) }
  }

  @Test func `a mask is cut at its own side of the picture only`() throws {
    // Higher than forest's 4:3 and lower than petronas' 2:3, so that one side is seen whole and
    // the other is longer than that.
    let forest = try transition(.forest, ViewRect(0, 0, 120, 100)).mask
    #expect(near(forest, ViewRect(18.75, 0, 337.5, 281.25)))
    let petronas = try transition(.petronas, ViewRect(0, 0, 100, 120)).mask
    #expect(near(petronas, ViewRect(0, 56.25, 375, 450)))
  }

  @Test func `a share beyond the way counts as its end, and corners are square unless told`() throws
  {
    let it = try transition(.forest, ViewRect(0, 0, 100, 100))
    for (share, end) in [(-0.5, 0.0), (-0x1p1000, 0), (1.5, 1), (0x1p1000, 1)] {
      #expect(try it.mask(openedBy: share) == it.mask(openedBy: end))
      #expect(try it.radius(openedBy: share) == it.radius(openedBy: end))
    }
    let square = try Transition(picture: forest, viewport: phone, thumbnail: it.thumbnail)
    #expect(square.cornerRadius == 0 && square.maskRadius == 0)
  }
}

/// Where a stage puts the thumbnail.
struct TransitionStageTests {
  private func transition(_ stage: Stage, _ size: ViewSize = phone) throws -> Transition {
    try Transition(picture: SamplePicture.forest.size(), screen: Screen(size: size), stage: stage)
  }

  @Test func `without a view it is a square of 100 points`() throws {
    #expect(try transition(Stage()).thumbnail == ViewRect(20, 50, 100, 100))
  }

  @Test func `without a view it fits into any viewport`() throws {
    for side in [1e-6, 1, 100, 32768] {
      let thumbnail = try transition(Stage(), ViewSize(side, side)).thumbnail
      #expect(thumbnail.width > 0 && thumbnail.maxX <= side && thumbnail.maxY <= side)
    }
  }

  @Test func `TI-B4: frame and corners go through scrolled and scaled views around`() throws {
    let stage = Stage(
      view: ViewRect(30, 140, 50, 40), cornerRadius: 5,
      ancestors: [
        Stage.Ancestor(frame: ViewRect(0, 0, 200, 200), scroll: ViewPoint(0, 100)),
        Stage.Ancestor(frame: ViewRect(50, 60, 200, 200), scale: 2),
      ])
    let it = try transition(stage)
    // (30, 40) after scrolling; about the middle (100, 100) at scale 2: (-40, -20); then (50, 60).
    #expect(it.thumbnail == ViewRect(10, 40, 100, 80))
    #expect(it.cornerRadius == 10)
  }

  @Test func `TI-P15: sixteen views around at the ends of their scales leave it finite`() throws {
    for scale in [0.001, 1000] {
      let around = Stage.Ancestor(
        frame: ViewRect(2e9, -2e9, 2e9, 2e9), scroll: ViewPoint(-2e9, 2e9), scale: scale)
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
    let thumbnail = try transition(Stage(), ViewSize(width, height)).thumbnail
    let wanted = ViewRect(20 * part, 50 * part, 100 * part, 100 * part)
    #expect(near(thumbnail, wanted))
  }

  @Test(arguments: [(100.0, 60.0), (60, 100), (80, 80)])
  func `corners are no rounder than a half circle, on the way and in the thumbnail`(
    width: Double, height: Double
  ) throws {
    let picture = try SamplePicture.forest.size()
    let view = ViewRect(20, 50, width, height)
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

struct TransitionPoseTests {
  private let size = ViewSize(375, 281.25)

  @Test(arguments: QuarterTurn.allCases)
  func `a pose at rest is exact in every turn`(turn: QuarterTurn) {
    let pose = TransitionPose(centre: middle, scale: 2, turn: turn)
    let transform = pose.transform(of: size)
    let numbers = [transform.a, transform.b, transform.c, transform.d].map(abs)
    #expect(numbers.sorted() == [0, 0, 2, 2])
    #expect(transform.apply(to: ViewPoint(187.5, 140.625)) == middle)
    #expect(pose.linear == Affine.scale(2).then(.turn(turn)))
  }

  @Test func `a lag turns further, by the same angle as whole turns`() {
    let lagging = TransitionPose(centre: middle, scale: 1, lag: .pi / 2)
    let turned = TransitionPose(centre: middle, scale: 1, turn: .clockwise)
    let point = ViewPoint(10, 20)
    let other = turned.transform(of: size).apply(to: point)
    #expect(near(lagging.transform(of: size).apply(to: point), other))
  }

  @Test(arguments: QuarterTurn.allCases, [0, 0.3])
  func `scaling about a place keeps what is shown there`(turn: QuarterTurn, lag: Double) {
    let pose = TransitionPose(centre: middle, scale: 0.7, turn: turn, lag: lag)
    let place = ViewPoint(31, 402)
    let scaled = pose.scaled(to: 2.9, about: place)
    #expect(near(scaled.content(at: place), pose.content(at: place)))
    #expect(scaled.scale == 2.9)
  }

  @Test func `a spring that passes its end does not mirror a picture from a huge thumbnail`() {
    let huge = TransitionPose(centre: middle, scale: 26667)
    let fitted = TransitionPose(centre: middle, scale: 1)
    #expect(huge.moved(towards: fitted, by: 1.05).scale == 0.5)
    #expect(huge.moved(towards: fitted, by: 1) == fitted)
    #expect(near(fitted.moved(towards: huge, by: 0.5).scale, 13334, within: 1e-9))
  }

  @Test(arguments: [0, 1, -1, 0.3], QuarterTurn.allCases)
  func `a lag is an angle beside the turn, and the content is found through it`(
    lag: Double, turn: QuarterTurn
  ) {
    let pose = TransitionPose(centre: middle, scale: 2, turn: turn, lag: lag)
    #expect(near(pose.linear, Affine.scale(2).then(.rotation(turn.radians + lag))))
    // From the frame's middle, where its own corner is at (-187.5, -140.625).
    let content = ViewPoint(20, -30)
    let place = pose.transform(of: size).apply(
      to: ViewPoint(187.5 + content.x, 140.625 + content.y))
    #expect(near(pose.content(at: place), content))
  }

  @Test func `between two poses lies each number's own way`() {
    let small = TransitionPose(centre: ViewPoint(70, 100), scale: 0.5, turn: .half)
    let large = TransitionPose(centre: ViewPoint(190, 340), scale: 2.5)
    let way = small.moved(towards: large, by: 0.25)
    #expect(way.centre == ViewPoint(100, 160))
    #expect(way.scale == 1)
    #expect(way.turn == QuarterTurn.none)
    // Half the smaller of both scales is the least, from either side.
    #expect(small.moved(towards: large, by: 0).scale == 0.5)
    #expect(small.moved(towards: large, by: -0.2).scale == 0.25)
    #expect(large.moved(towards: small, by: 1.2).scale == 0.25)
  }
}
