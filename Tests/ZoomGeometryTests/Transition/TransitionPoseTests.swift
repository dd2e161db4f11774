import Testing

@testable import ZoomGeometry

struct TransitionPoseTests {
  private let size = ViewSize(width: 375, height: 281.25)

  @Test(arguments: QuarterTurn.allCases)
  func `a pose at rest is exact in every turn`(turn: QuarterTurn) {
    let pose = TransitionPose(centre: middle, scale: 2, turn: turn)
    let transform = pose.transform(of: size)
    let numbers = [transform.a, transform.b, transform.c, transform.d].map(abs)
    #expect(numbers.sorted() == [0, 0, 2, 2])
    #expect(transform.apply(to: ViewPoint(x: 187.5, y: 140.625)) == middle)
    #expect(pose.linear == Affine.scale(2).then(.turn(turn)))
  }

  @Test func `a lag turns further, by the same angle as whole turns`() {
    let lagging = TransitionPose(centre: middle, scale: 1, lag: .pi / 2)
    let turned = TransitionPose(centre: middle, scale: 1, turn: .clockwise)
    let point = ViewPoint(x: 10, y: 20)
    let (one, other) = (
      lagging.transform(of: size).apply(to: point), turned.transform(of: size).apply(to: point)
    )
    #expect(near(one.x, other.x, within: 1e-9) && near(one.y, other.y, within: 1e-9))
  }

  @Test(arguments: QuarterTurn.allCases, [0, 0.3])
  func `scaling about a place keeps what is shown there`(turn: QuarterTurn, lag: Double) {
    let pose = TransitionPose(centre: middle, scale: 0.7, turn: turn, lag: lag)
    let place = ViewPoint(x: 31, y: 402)
    let scaled = pose.scaled(to: 2.9, about: place)
    let (before, after) = (pose.content(at: place), scaled.content(at: place))
    #expect(near(before.x, after.x, within: 1e-9) && near(before.y, after.y, within: 1e-9))
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
    let content = ViewPoint(x: 20, y: -30)
    let place = pose.transform(of: size).apply(
      to: ViewPoint(x: 187.5 + content.x, y: 140.625 + content.y))
    #expect(near(pose.content(at: place), content))
  }

  @Test func `between two poses lies each number's own way`() {
    let small = TransitionPose(centre: ViewPoint(x: 70, y: 100), scale: 0.5, turn: .half)
    let large = TransitionPose(centre: ViewPoint(x: 190, y: 340), scale: 2.5)
    let way = small.moved(towards: large, by: 0.25)
    #expect(way.centre == ViewPoint(x: 100, y: 160))
    #expect(way.scale == 1)
    #expect(way.turn == QuarterTurn.none)
    // Half the smaller of both scales is the least, from either side.
    #expect(small.moved(towards: large, by: 0).scale == 0.5)
    #expect(small.moved(towards: large, by: -0.2).scale == 0.25)
    #expect(large.moved(towards: small, by: 1.2).scale == 0.25)
  }
}
