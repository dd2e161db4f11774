import Testing

@testable import ZoomGeometry

struct TransitionFitTests {
  private func fit(
    _ picture: SamplePicture, scale: Double = 2, turn: QuarterTurn = .none
  ) throws -> TransitionFit {
    try TransitionFit(
      picture: picture.size(), screen: Screen(size: phone, scale: scale), turn: turn)
  }

  @Test func `in landscape the picture is fitted again: forest to 500x375`() throws {
    let landscape = try fit(.forest, turn: .clockwise)
    let box = landscape.box(at: landscape.scale)
    #expect(near(box.width, 375, within: 1e-9) && near(box.height, 500, within: 1e-9))
    #expect(landscape.full == ViewSize(width: 375, height: 281.25))
    #expect(try fit(.forest, turn: .half).scale == 1)
  }

  @Test(arguments: [
    (SamplePicture.forest, 4.267, 2.13), (.pharmacy, 12.09, 6.05), (.petronas, 8.704, 4.35),
  ])
  func `TI-B15: pixel for pixel takes more than 3x, which the maximum gives`(
    picture: SamplePicture, points: Double, pixels: Double
  ) throws {
    // On a screen of one pixel a point and on one of two.
    let maximum = try fit(picture, scale: 1).band.maximum
    #expect(prints(maximum, as: points, decimals: points < 10 ? 3 : 2))
    let retina = try fit(picture, scale: 2)
    #expect(prints(max(3, pixels), as: retina.band.maximum, decimals: 2))
    let size = try picture.size()
    let atMaximum = retina.box(at: retina.band.maximum).width * 2 / Double(size.width)
    #expect(atMaximum >= 1 - 1e-12)
    let published = retina.box(at: PinchBand.publishedMaximum).width * 2 / Double(size.width)
    #expect((published < 1) == (pixels > 3))
  }

  @Test func `the maximum can be chosen`() throws {
    let screen = try Screen(size: phone)
    let picture = try SamplePicture.forest.size()
    #expect(try TransitionFit(picture: picture, screen: screen, maximum: 8).band.maximum == 8)
    #expect(throws: GeometryError.self) {
      try TransitionFit(picture: picture, screen: screen, maximum: .nan)
    }
  }

  @Test(arguments: SamplePicture.allCases, QuarterTurn.allCases)
  func `TI-P8 and TI-P10: settling leads into bounds, and once`(
    picture: SamplePicture, turn: QuarterTurn
  ) throws {
    let fit = try fit(picture, turn: turn)
    for scale in [0.01, 0.9, 1, 2, 3, 50] {
      for centre in [ViewPoint(x: -900, y: 4000), middle, ViewPoint(x: 250, y: 300)] {
        let pose = TransitionPose(centre: centre, scale: scale, turn: turn)
        let settled = try fit.settled(pose, about: ViewPoint(x: 60, y: 80))
        let zoom = settled.scale / fit.scale
        #expect(zoom >= 1 - 1e-12 && zoom <= fit.band.maximum + 1e-12)
        let box = fit.box(at: settled.scale)
        for (centre, side, screen) in [
          (settled.centre.x, box.width, 375.0), (settled.centre.y, box.height, 667),
        ] {
          let (low, high) = (centre - side / 2, centre + side / 2)
          if side > screen {
            #expect(low <= 1e-9 && high >= screen - 1e-9)
          } else {
            #expect(near(centre, screen / 2, within: 1e-9))
          }
        }
        #expect(try fit.settled(settled, about: middle) == settled)
      }
    }
  }

  @Test func `TI-B7 and TI-P9: after a pinch beside the middle nothing moves that may stand there`()
    throws
  {
    let fit = try fit(.forest)
    let finger = ViewPoint(x: 93.75, y: 192.875 + 70.3125)
    let pinch = try TransitionPinch(fit.fitted, fit: fit, centre: finger)
    let zoomed = try pinch.pose(ratio: 3, centre: finger)
    // Three times as large about a quarter of each side.
    #expect(near(zoomed.centre.x, 375, within: 1e-9))
    let settled = try fit.settled(zoomed, about: finger)
    let again = try fit.thrown(settled, about: finger, velocity: ViewPoint(x: 0, y: 0))
    #expect(again.pose == settled)
    #expect(near(settled.centre.x, zoomed.centre.x, within: 1e-9))
  }

  @Test func `a scale out of bounds is brought back about the fingers`() throws {
    let fit = try fit(.petronas)
    let place = ViewPoint(x: 200, y: 300)
    let zoomed = fit.fitted.scaled(to: 9, about: place)
    let settled = try fit.settled(zoomed, about: place)
    let (before, after) = (zoomed.content(at: place), settled.content(at: place))
    #expect(near(settled.scale, 4.352, within: 1e-9))
    // At this scale a picture pixel is one of the screen's, and is brought onto it: by half a pixel
    // of the screen at most, which is a quarter of a point.
    #expect(
      abs(before.x - after.x) * settled.scale <= 0.25
        && abs(before.y - after.y) * settled.scale <= 0.25)
  }

  @Test func `TI-P15: any picture in any screen has finite fits`() throws {
    for width in [1, 100_000, PixelSize.maximumSide] {
      for height in [1, 100_000, PixelSize.maximumSide] {
        let picture = try PixelSize(width: width, height: height)
        for side in [1e-6, 1, 667, 32768] {
          let screen = try Screen(size: ViewSize(width: side, height: 375), scale: 1)
          for turn in QuarterTurn.allCases {
            let fit = try TransitionFit(picture: picture, screen: screen, turn: turn)
            #expect(fit.scale.isFinite && fit.scale > 0 && fit.band.maximum >= 3)
            #expect(fit.fitted.transform(of: fit.full).isFinite)
          }
        }
      }
    }
  }
}

extension TransitionFitTests {
  @Test func `TI-B14: corrected, a view of no size is refused before there is an anchor`() {
    #expect(throws: GeometryError.self) { try Screen(size: ViewSize(width: 0, height: 10)) }
    #expect(throws: GeometryError.self) { try Screen(size: ViewSize(width: 10, height: 0)) }
  }

  @Test(arguments: QuarterTurn.allCases)
  func `scales out of bounds come to rest at the nearest one of the turn`(turn: QuarterTurn) throws
  {
    let fit = try TransitionFit(
      picture: SamplePicture.petronas.size(), screen: Screen(size: phone), turn: turn)
    let largest = fit.scale * fit.band.maximum
    for (scale, settled) in [
      (0.1 * fit.scale, fit.scale), (0.99 * fit.scale, fit.scale), (1.01 * largest, largest),
      (10 * largest, largest), (2 * fit.scale, 2 * fit.scale),
    ] {
      let pose = fit.fitted.scaled(to: scale, about: middle)
      #expect(near(try fit.settled(pose, about: middle).scale, settled, within: 1e-12))
    }
  }
}
