import Testing
import ZoomGeometry

/// FZ-P14: finite output for finite positive input, a typed error for all other.
struct PeekTotalityTests {
  static let magnitudes: [Double] = [
    .leastNonzeroMagnitude, 0x1p-1030, 1e-300, 0.3, 375, 1e300, .greatestFiniteMagnitude,
  ]

  static let touches: [ViewPoint] =
    [0, 1, 0x1p-1030, 1e300, .greatestFiniteMagnitude].flatMap { number in
      [
        ViewPoint(x: number, y: number), ViewPoint(x: -number, y: number),
        ViewPoint(x: 0.1 * number, y: -number),
      ]
    }

  /// All numbers finite, all sizes positive, all parts inside their wholes.
  func isSound(_ peek: Peek, _ setup: PeekSetup) -> Bool {
    let (exact, frame, unit) = (peek.exact, peek.frame, peek.contentsRect)
    let shown = setup.shownFrame
    let numbers = [
      exact.x, exact.y, frame.x, frame.y, unit.x, unit.y, peek.touched.x, peek.touched.y,
    ]
    let sizes = [
      exact.width, exact.height, frame.width, frame.height, unit.width, unit.height,
      peek.size.width, peek.size.height,
    ]
    return numbers.allSatisfy(\.isFinite) && sizes.allSatisfy { $0.isFinite && $0 > 0 }
      && exact.x >= 0 && exact.maxX <= Double(setup.picture.width)
      && exact.y >= 0 && exact.maxY <= Double(setup.picture.height)
      && unit.x >= 0 && unit.maxX <= 1 && unit.y >= 0 && unit.maxY <= 1
      && peek.region.isInside(setup.picture)
      // Three rounded sums and products, none larger than the end. Differences, for the sums can
      // overflow at the end of the range.
      && frame.x >= shown.x && frame.x - shown.x + frame.width - shown.width <= 4 * shown.maxX.ulp
      && frame.y >= shown.y && frame.y - shown.y + frame.height - shown.height <= 4 * shown.maxY.ulp
  }

  @Test(arguments: magnitudes)
  func `huge and tiny numbers give a sound peek or a typed error`(width: Double) throws {
    var sound = 0
    var unsound: [(PeekSetup, ViewPoint)] = []
    var refusals: Set<GeometryError.Reason> = []
    for height in Self.magnitudes {
      for side in Self.magnitudes {
        for scale in Self.magnitudes {
          for (w, h) in [(1, 1), (3, 7), (PixelSize.maximumSide, 1)] {
            do throws(GeometryError) {
              let setup = try PeekSetup(
                picture: PixelSize(width: w, height: h),
                viewport: ViewSize(width: width, height: height), side: side, scale: scale)
              for touch in Self.touches {
                guard let peek = try setup.peek(at: touch), isSound(peek, setup) else {
                  unsound.append((setup, touch))
                  continue
                }
                sound += 1
              }
            } catch {
              refusals.insert(error.reason)
            }
          }
        }
      }
    }
    #expect(unsound.isEmpty, "\(unsound.first.map { "\($0)" } ?? "")")
    // All these numbers are finite and positive: nothing else can be wrong with them.
    #expect(refusals == [.tooSmall])
    // A subnormal viewport shows nothing at a normal scale; all others show most of these.
    #expect((sound > 0) == width.isNormal)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a touch that is not finite is refused and named`(value: Double) throws {
    for policy in LetterboxPolicy.allCases {
      let setup = try PeekSetup(
        picture: PixelSize(width: 1600, height: 1200), viewport: phone, letterbox: policy)
      let x = #expect(throws: GeometryError.self) { try setup.peek(at: ViewPoint(x: value, y: 1)) }
      #expect(x?.argument == "touch.x")
      #expect(x?.reason == .notFinite)
      let y = #expect(throws: GeometryError.self) { try setup.peek(at: ViewPoint(x: 1, y: value)) }
      #expect(y?.argument == "touch.y")
    }
  }

  @Test func `a peek larger than any number shows the whole picture`() throws {
    let setup = try PeekSetup(
      picture: PixelSize(width: 1600, height: 1200), viewport: phone,
      side: .greatestFiniteMagnitude, scale: .greatestFiniteMagnitude)
    let peek = try #require(try setup.peek(at: middle))
    #expect(peek.region == PixelRegion(whole: setup.picture))
    #expect(peek.frame == setup.shownFrame)
  }
}
