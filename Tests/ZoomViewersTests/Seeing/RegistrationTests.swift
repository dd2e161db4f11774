import PropertyTesting
import TestSupport
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

@Suite struct RegistrationTests {
  /// Returns a view drawn from a seed: sizes, scales from the fit to 4, turns and backgrounds.
  private static func view(_ seed: UInt64) -> SyntheticView {
    var random = SplitMix64(seed: seed)
    let levels = [Cards.wide, Cards.tall, Cards.thin][Int(seed % 3)]
    let (width, height) = (Double(levels.size.width), Double(levels.size.height))
    let fit = min(240 / width, 320 / height)
    let scale = fit * Double.random(in: 1...(4 / fit), using: &random)
    var view = SyntheticView(
      levels, scale: seed % 5 == 0 ? fit : scale,
      angle: seed % 4 == 0 ? Double.random(in: -3...3, using: &random) : 0,
      isMirrored: seed % 7 == 0,
      point: (
        Double.random(in: 0.2...0.8, using: &random) * width,
        Double.random(in: 0.2...0.8, using: &random) * height
      ),
      at: (
        Double.random(in: 70...170, using: &random), Double.random(in: 100...220, using: &random)
      ))
    if seed % 6 == 1 { view.filter = .area }
    let backgrounds: [SIMD4<Float>] = [[255, 255, 255, 0], .zero, [128, 0, 128, 0]]
    view.background = backgrounds[Int(seed / 3 % 3)]
    return view
  }

  @Test(arguments: UInt64(0)..<30)
  func `a sharp view's place is found to a twentieth of a pixel, whatever its scale and turn`(
    seed: UInt64
  ) throws {
    let view = Self.view(seed)
    let ratio = [1, 1.25, 2][Int(seed % 3)]
    let sight = Registration(levels: view.levels).fit(try view.pixels(), ratio: ratio)
    let place = try #require(sight.place, "\(sight)")
    let error = try view.error(of: place.toScreen, ratio: ratio)
    #expect(error <= 0.05, "the place is \(error) px off, estimated \(place.error)")
    #expect(error <= 2 * place.error)
    #expect(place.isMirrored == (seed % 7 == 0))
    #expect(place.stretch < 0.002)
    #expect(place.visibleShare > 0.003 && place.visibleShare <= 1)
  }

  @Test func `an overlay whose colours look like the card's does not move the place`() throws {
    let view = SyntheticView(scale: 0.8, point: (450, 300))
    let shot = try view.pixels().changed { x, y, band, old in
      (20..<110).contains(x) && (30..<70).contains(y) ? [230, 160, 60][band] : old
    }
    let place = try #require(Registration(levels: Cards.wide).fit(shot, ratio: 1).place)
    #expect(try view.error(of: place.toScreen, ratio: 1) <= 0.05)
  }

  @Test func `a stretched or sheared view is found as it is`() throws {
    for change in [Affine.scale(x: 1.01, y: 1), Affine(a: 1, b: 0, c: 0.01, d: 1, tx: 0, ty: 0)] {
      var view = SyntheticView(scale: 0.7, point: (450, 300))
      view.toDevice = view.toDevice.then(change)
      let shot = try view.pixels()
      let place = try #require(Registration(levels: Cards.wide).fit(shot, ratio: 1).place)
      #expect(abs(place.stretch - 0.01) < 0.0005)
      #expect(try view.error(of: place.toScreen, ratio: 1) <= 0.05)
    }
  }

  /// Viewers show such views while tiles load, and the estimate must cover the error of the blur.
  @Test(arguments: 1...3) func `a view blurred by coarse levels is found`(halvings: Int) throws {
    var view = SyntheticView(scale: 0.9, point: (450, 300))
    view.filter = .coarser(halvings)
    let shot = try view.pixels()
    let place = try #require(Registration(levels: Cards.wide).fit(shot, ratio: 1).place)
    let error = try view.error(of: place.toScreen, ratio: 1)
    #expect(error <= 1 && error <= 0.05 + 3 * place.error, "\(error), estimated \(place.error)")
  }

  @Test func `a screen without the card is lost`() throws {
    let registration = Registration(levels: Cards.wide)
    let white = try Pixels(width: 240, height: 320) { _, _, _ in 255 }
    let smooth = try Pixels(width: 240, height: 320) { x, y, band in
      UInt8([200 - y / 4 + x / 8, 100 + y / 4 - x / 8, 40 + y / 20][band])
    }
    let plain = try Pixels(width: 240, height: 320) { _, _, band in [230, 160, 60][band] }
    // A card of another size has the same colours where it is stretched, and another texture.
    let other = try SyntheticView(Cards.tall, scale: 0.8, point: (188, 250)).pixels()
    for shot in [white, smooth, plain, other, try .noise(240, 320)] {
      #expect(registration.fit(shot, ratio: 1).place == nil)
    }
  }

  @Test func `screenshots of other forms are refused in words`() throws {
    let registration = Registration(levels: Cards.wide)
    let grey = registration.fit(try .noise(240, 320, bands: 1), ratio: 1)
    #expect(grey == .lost("the screenshot is not of 8 bits in colour"))
    #expect(registration.fit(try .noise(1, 1), ratio: 1).place == nil)
  }

  @Test func `a screenshot with an alpha band is read like one without`() throws {
    let shot = try SyntheticView(scale: 0.7, point: (450, 300)).pixels()
    let opaque = try Pixels(width: 240, height: 320, bands: 4) { x, y, band in
      band == 3 ? 255 : shot.bytes[(y * 240 + x) * 3 + band]
    }
    let registration = Registration(levels: Cards.wide)
    #expect(registration.fit(opaque, ratio: 1) == registration.fit(shot, ratio: 1))
  }
}

extension Registration {
  fileprivate func fit(_ shot: Pixels, ratio: Double) -> Sight {
    fit(shot, FitGrid(shot), ratio: ratio)
  }
}

@Suite struct PlaceCardTests {
  @Test func `a card can be as small as a pixel`() throws {
    for (width, height) in [(1, 1), (1, 90), (90, 1)] {
      let size = try PixelSize(width: width, height: height)
      let levels = PlanePyramid(PlaceCard.pixels(of: size))
      #expect(levels.levels.allSatisfy { $0.bytes.count == $0.size.area * 3 })
      #expect(levels.levels.last.map { max($0.size.width, $0.size.height) <= 8 } == true)
    }
  }
}
