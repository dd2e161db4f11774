import Testing
import ZoomGeometry

/// The laws of a peek, on generated set-ups and touches.
///
/// Where no tolerance is given, the law holds to the last bit. The others are those of `PeekCase`,
/// argued there, or argued beside the law.
struct PeekSetupPeekTests {
  @Test func `the sample meets every kind of touch and of picture`() throws {
    let sample = try PeekCase.sample()
    for place in PeekCase.Place.allCases {
      #expect(sample.count { $0.place == place } >= 500, "\(place)")
    }
    let wanted = { (test: PeekCase) in test.setup.side * test.setup.scale }
    #expect(sample.count { wanted($0) > $0.width && wanted($0) > $0.height } >= 300)
    #expect(sample.count { (wanted($0) > $0.width) != (wanted($0) > $0.height) } >= 300)
    #expect(sample.count { wanted($0) < $0.width && wanted($0) < $0.height } >= 300)
    #expect(sample.count { wanted($0) < 1 } >= 100)
    #expect(sample.contains { $0.width >= 100 * $0.height && $0.height > 1 })
    #expect(sample.contains { $0.height >= 100 * $0.width && $0.width > 1 })
  }

  @Test func `FZ-P1: a crop never leaves the picture`() throws {
    let broken = try PeekCase.counterexample { test in
      let exact = test.peek.exact
      let unit = test.peek.contentsRect
      return exact.x >= 0 && exact.y >= 0
        && exact.maxX <= test.width && exact.maxY <= test.height
        && unit.x >= 0 && unit.y >= 0 && unit.maxX <= 1 && unit.maxY <= 1
        && test.peek.region.isInside(test.setup.picture)
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P2: a crop is as long as asked for or as the picture`() throws {
    let broken = try PeekCase.counterexample { test in
      let wanted = test.setup.side * test.setup.scale
      let exact = test.peek.exact
      let unit = test.peek.contentsRect
      return exact.width == min(wanted, test.width) && exact.height == min(wanted, test.height)
        && exact.width > 0 && exact.height > 0
        && unit.width == exact.width / test.width && unit.height == exact.height / test.height
    }
    #expect(broken == nil)
  }

  @Test func `a peek is as large on the screen as asked for unless the picture is smaller`()
    throws
  {
    let broken = try PeekCase.counterexample { test in
      let (side, scale) = (test.setup.side, test.setup.scale)
      let size = test.peek.size
      let whole = { (length: Double, pixels: Double) in
        // A quotient and, in the comparison, a product, each rounded.
        pixels >= side * scale
          ? length == side : near(length * scale, pixels, within: 2 * pixels.ulp)
      }
      return whole(size.width, test.width) && whole(size.height, test.height)
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P3: a crop is centred on the touch where the picture has room`() throws {
    var centred = 0
    let broken = try PeekCase.counterexample { test in
      let exact = test.peek.exact
      let touched = test.peek.touched
      let holds = { (origin: Double, length: Double, touched: Double, side: Double) in
        guard length / 2 <= touched, touched <= side - length / 2 else { return true }
        centred += 1
        // The origin is one rounded difference, the middle here one rounded sum.
        return near(origin + length / 2, touched, within: 2 * side.ulp)
      }
      return holds(exact.x, exact.width, touched.x, test.width)
        && holds(exact.y, exact.height, touched.y, test.height)
    }
    #expect(broken == nil)
    #expect(centred > 1000)
  }

  @Test func `FZ-P4: the touched pixel is in the crop`() throws {
    let broken = try PeekCase.counterexample { test in
      let (exact, touched) = (test.peek.exact, test.peek.touched)
      let picture = test.setup.picture
      // A touch on the far border belongs to the last pixel.
      let column = min(Int(touched.x), picture.width - 1)
      let row = min(Int(touched.y), picture.height - 1)
      return exact.x <= touched.x && touched.x <= exact.maxX
        && exact.y <= touched.y && touched.y <= exact.maxY
        && test.peek.region.contains(x: column, y: row)
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P5: the frame on the screen is the image of the crop`() throws {
    let broken = try PeekCase.counterexample { test in
      let (exact, frame, shown) = (test.peek.exact, test.peek.frame, test.setup.shownFrame)
      // By proportion, not by the fit scale, so that the formula is not compared with itself.
      return near(frame.x, shown.x + exact.x / test.width * shown.width, within: test.points)
        && near(frame.y, shown.y + exact.y / test.height * shown.height, within: test.points)
        && near(frame.width, exact.width / test.width * shown.width, within: test.points)
        && near(frame.height, exact.height / test.height * shown.height, within: test.points)
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P6: the frame is inside the shown picture`() throws {
    let broken = try PeekCase.counterexample { test in
      let (frame, shown) = (test.peek.frame, test.setup.shownFrame)
      return frame.x >= shown.x && frame.y >= shown.y && frame.width > 0 && frame.height > 0
        && frame.maxX <= shown.maxX + test.points && frame.maxY <= shown.maxY + test.points
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P7: swapping x and y everywhere swaps the crop`() throws {
    let broken = try PeekCase.counterexample { test in
      let setup = test.setup
      let swapped = try PeekSetup(
        picture: setup.picture.transposed,
        viewport: ViewSize(width: setup.viewport.height, height: setup.viewport.width),
        side: setup.side, scale: setup.scale)
      let peek = try swapped.peek(at: ViewPoint(x: test.touch.y, y: test.touch.x))
      let (exact, region, frame) = (test.peek.exact, test.peek.region, test.peek.frame)
      return peek?.exact
        == PictureRect(x: exact.y, y: exact.x, width: exact.height, height: exact.width)
        && peek?.frame
          == ViewRect(x: frame.y, y: frame.x, width: frame.height, height: frame.width)
        && peek?.region.x == region.y && peek?.region.y == region.x
        && peek?.region.size == region.size.transposed
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P8: reflecting the touch reflects the crop`() throws {
    let broken = try PeekCase.counterexample { test in
      let viewport = test.setup.viewport
      let reflected = ViewPoint(x: viewport.width - test.touch.x, y: viewport.height - test.touch.y)
      guard let peek = try test.touched(at: reflected) else { return false }
      let (exact, region) = (test.peek.exact, test.peek.region)
      return near(peek.exact.x, test.width - exact.maxX, within: test.pixels)
        && near(peek.exact.y, test.height - exact.maxY, within: test.pixels)
        // Halves round up on both sides, so one pixel of asymmetry.
        && abs(peek.region.x - (test.setup.picture.width - region.maxX)) <= 1
        && abs(peek.region.y - (test.setup.picture.height - region.maxY)) <= 1
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P9: a crop follows the touch, never backwards and never faster`() throws {
    var random = SplitMix64(seed: 9)
    let broken = try PeekCase.counterexample { test in
      // Half of the steps are small, so that both touches are often in the picture's interior.
      let reach = random.pick([0.01, 1.5])
      let other = ViewPoint(
        x: test.touch.x + random.number(0, reach) * test.setup.viewport.width,
        y: test.touch.y + random.number(0, reach) * test.setup.viewport.height)
      guard let peek = try test.touched(at: other) else { return false }
      let steps = [
        (peek.exact.x - test.peek.exact.x, peek.touched.x - test.peek.touched.x, test.width),
        (peek.exact.y - test.peek.exact.y, peek.touched.y - test.peek.touched.y, test.height),
      ]
      return peek.region.x >= test.peek.region.x && peek.region.y >= test.peek.region.y
        // Each step is a difference of rounded numbers, none larger than the side.
        && steps.allSatisfy { crop, touch, side in crop >= 0 && crop <= touch + 2 * side.ulp }
    }
    #expect(broken == nil)
  }

  @Test(arguments: [0.25, 2, 1024])
  func `FZ-P10: scaling viewport and touch by a power of two leaves the crop`(factor: Double)
    throws
  {
    let broken = try PeekCase.counterexample { test in
      let peek = try scaled(test, by: factor)
      return peek?.exact == test.peek.exact && peek?.region == test.peek.region
        && peek?.contentsRect == test.peek.contentsRect
    }
    #expect(broken == nil)
  }

  @Test(arguments: [0.1, 3])
  func `FZ-P10: scaling viewport and touch together leaves the crop`(factor: Double) throws {
    let broken = try PeekCase.counterexample { test in
      guard let peek = try scaled(test, by: factor) else { return false }
      // Twice the tolerance: both crops have gone through rounded arithmetic on a screen.
      return near(peek.exact.x, test.peek.exact.x, within: 2 * test.pixels)
        && near(peek.exact.y, test.peek.exact.y, within: 2 * test.pixels)
        && peek.region.size == test.peek.region.size
    }
    #expect(broken == nil)
  }

  private func scaled(_ test: PeekCase, by factor: Double) throws -> Peek? {
    let (setup, touch) = (test.setup, test.touch)
    let viewport = ViewSize(
      width: setup.viewport.width * factor, height: setup.viewport.height * factor)
    return try PeekSetup(
      picture: setup.picture, viewport: viewport, side: setup.side, scale: setup.scale
    ).peek(at: ViewPoint(x: touch.x * factor, y: touch.y * factor))
  }

  @Test func `FZ-P11: touching the middle of the crop shows the same crop`() throws {
    let broken = try PeekCase.counterexample { test in
      let exact = test.peek.exact
      let centre = viewPoint(test.setup, exact.x + exact.width / 2, exact.y + exact.height / 2)
      guard let again = try test.touched(at: centre) else { return false }
      return near(again.exact.x, exact.x, within: test.pixels)
        && near(again.exact.y, exact.y, within: test.pixels)
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P12: the frame's share of the shown picture is the crop's of the picture`()
    throws
  {
    let broken = try PeekCase.counterexample { test in
      let wanted = test.setup.side * test.setup.scale
      let (frame, shown) = (test.peek.frame, test.setup.shownFrame)
      // Shares are at most 1 and come from fewer than eight rounded operations.
      let rounding = 8 * (1.0).ulp
      return near(frame.width / shown.width, min(1, wanted / test.width), within: rounding)
        && near(frame.height / shown.height, min(1, wanted / test.height), within: rounding)
    }
    #expect(broken == nil)
  }

  @Test func `FZ-P12: the finer the picture, the smaller the frame`() throws {
    let widths = try (1...40).map { step in
      let setup = try onPhone(100 * step, 75 * step)
      return try #require(try setup.peek(at: middle)).frame.width
    }
    // 100, 200 and 300 pixels are all shown; from 400 on the frame shrinks strictly.
    #expect(widths[0...2].allSatisfy { $0 == 375 })
    #expect(zip(widths[2...], widths[3...]).allSatisfy { $0 > $1 })
  }

  @Test func `the unit rectangle is the exact crop in fractions of the picture`() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      let setup = try PeekSetup(
        picture: PixelSize(width: Int(random.number(1, 3000)), height: Int(random.number(1, 3000))),
        viewport: phone)
      let touch = ViewPoint(x: random.number(0, 375), y: random.number(0, 667))
      guard let peek = try setup.peek(at: touch) else { continue }
      let (width, height) = (Double(setup.picture.width), Double(setup.picture.height))
      #expect(near(peek.contentsRect.x * width, peek.exact.x, within: 1e-9 * width))
      #expect(near(peek.contentsRect.y * height, peek.exact.y, within: 1e-9 * height))
      #expect(near(peek.contentsRect.width * width, peek.exact.width, within: 1e-9 * width))
      #expect(near(peek.contentsRect.height * height, peek.exact.height, within: 1e-9 * height))
    }
  }

  @Test func `a peek that nothing cuts off is exactly as large as asked for`() throws {
    // For some of these numbers the quotient of the product is not the number again.
    var differs = 0
    for step in 1...400 {
      let (side, scale) = (Double(step) / 7, 1 + Double(step % 13) / 11)
      if side * scale / scale != side { differs += 1 }
      let setup = try PeekSetup(
        picture: PixelSize(width: 4000, height: 3000), viewport: phone, side: side, scale: scale)
      let peek = try setup.peek(at: ViewPoint(x: 187, y: 333))
      #expect(peek?.size == ViewSize(width: side, height: side))
    }
    #expect(differs > 0)
  }
}
