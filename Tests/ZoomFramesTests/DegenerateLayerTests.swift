import PropertyTesting
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomFrames

struct DegenerateLayerTests {
  @Test func `numbers that are not finite are refused`() throws {
    let renderer = FrameRenderer(source: PlainSource(try .noise(8, 8)))
    let screen = try screen(8, 8)
    for layer in [
      Layer.picture(layer(.nan, 0, 8, 8)),
      .picture(layer(0, 0, 8, 8, .translation(x: .infinity, y: 0))),
      .fill(FillLayer(rect: ViewRect(x: 0, y: .nan, width: 1, height: 1), shade: 1)),
      .outline(OutlineLayer(rect: screen.bounds, width: .infinity, shade: 1)),
    ] {
      expectError(.unsupported) { try renderer.render([layer], on: screen) }
    }
  }

  @Test func `layers of all kinds of numbers draw or are refused, and never trap`() throws {
    let renderer = FrameRenderer(source: PlainSource(try .noise(12, 9)))
    let screen = try screen(10, 8)
    let values = [-1e300, -1e9, -3, 0, 1e-9, 0.5, 1, 2, 7, 1e9, 1e300]
    var numbers = SplitMix64(seed: 9)
    func value() -> Double { values.randomElement(using: &numbers) ?? 0 }
    func rect() -> ViewRect { ViewRect(x: value(), y: value(), width: value(), height: value()) }
    func shadow() -> Shadow {
      Shadow(offset: ViewPoint(x: value(), y: value()), radius: value(), opacity: value())
    }
    var drawn = 0
    for number in 0..<1500 {
      let layer: Layer
      switch number % 3 {
      case 0:
        layer = .picture(
          PictureLayer(
            content: PictureRect(x: value(), y: value(), width: value(), height: value()),
            size: ViewSize(width: value(), height: value()),
            transform: Affine(
              a: value(), b: value(), c: value(), d: value(), tx: value(), ty: value()),
            mask: number.isMultiple(of: 2) ? rect() : nil, cornerRadius: value(), opacity: value(),
            shadow: shadow()))
      case 1:
        layer = .fill(
          FillLayer(
            rect: rect(), shade: value(), opacity: value(), cornerRadius: value(),
            shadow: shadow()))
      default:
        layer = .outline(
          OutlineLayer(rect: rect(), width: value(), shade: value(), shadow: shadow()))
      }
      do {
        _ = try renderer.render([layer], on: screen)
        drawn += 1
      } catch {
        #expect(error.code == .overBudget || error.code == .fault, "\(error)")
      }
    }
    #expect(drawn > 1000)
  }

  @Test func `tiny and huge scales draw`() throws {
    let picture = try Pixels.slopes(300, 200)
    let renderer = FrameRenderer(source: PlainSource(picture))
    let screen = try screen(30, 20)
    for scale in [1e-9, 1e-6, 1e-3, 0.03, 0.05, 0.1, 10, 1e3, 1e6, 1e9] {
      let frame = try renderer.render(
        [.picture(layer(0, 0, 300, 200, .scale(scale)))], on: screen)
      #expect(frame.layers.count == (300 * scale > 1.0 / 512 ? 1 : 0), "\(scale)")
      // At this scale the screen shows only the first pixel.
      if scale >= 1e3 {
        let isFirst = (0..<20).allSatisfy { y in
          frame.pixels[29, y].elementsEqual(picture[0, 0]) { abs(Int($0) - Int($1)) <= 1 }
        }
        #expect(isFirst, "\(scale)")
      }
    }
  }

  @Test func `for a screen, pixels of any colours become three bands of 8 bits`() throws {
    let colours: [(SampleFormat, ColourInterpretation, [UInt8], [UInt8])] = [
      (.uint8, .grey, [7, 200], [7, 7, 7, 200, 200, 200]),
      (.uint8, .srgb, [10, 20, 30, 255, 100, 100, 100, 0], [10, 20, 30, 0, 0, 0]),
      (.uint16, .rgb16, [0, 1, 0, 2, 0, 3, 255, 255, 255, 255, 0, 0], [1, 2, 3, 255, 255, 0]),
      (
        .uint16, .rgb16, [0, 100, 0, 2, 0, 3, 255, 255, 255, 255, 0, 9, 0, 9, 0, 0],
        [100, 2, 3, 0, 0, 0]
      ),
    ]
    for (format, colour, bytes, shown) in colours {
      let bands = bytes.count / (2 * format.byteCount)
      let pixels = try Pixels(2, 1, bands, format, colour, bytes: bytes)
      #expect(try pixels.forScreen().bytes == shown)
    }
    let ink = try Pixels(2, 1, 4, .uint8, .cmyk, bytes: [0, 0, 0, 0, 0, 0, 0, 255])
    let shown = try ink.forScreen()
    #expect(shown.bands == 3 && shown[0, 0].allSatisfy { $0 > 240 })
    #expect(shown[1, 0].allSatisfy { $0 < 60 })
  }
}
