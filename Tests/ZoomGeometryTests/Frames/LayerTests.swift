import Foundation
import Testing

@testable import ZoomGeometry

struct LayerTests {
  @Test func `a whole picture fills its frame`() throws {
    let picture = try PixelSize(width: 1600, height: 1200)
    let frame = ViewRect(x: 20, y: 30, width: 160, height: 240)
    let layer = PictureLayer(whole: picture, in: frame)
    #expect(layer.content == PictureRect(x: 0, y: 0, width: 1600, height: 1200))
    #expect(layer.transform.boundingBox(of: layer.seen) == frame)
    #expect(layer.opacity == 1 && layer.cornerRadius == 0 && layer.shadow == nil)
  }

  @Test func `what is seen is the mask, or everything`() throws {
    var layer = PictureLayer(
      whole: try PixelSize(width: 3, height: 2), in: ViewRect(x: 5, y: 6, width: 30, height: 20))
    #expect(layer.seen == ViewRect(x: 0, y: 0, width: 30, height: 20))
    layer.mask = ViewRect(x: 1, y: 2, width: 3, height: 4)
    #expect(layer.seen == ViewRect(x: 1, y: 2, width: 3, height: 4))
  }

  @Test func `layers survive being stored`() throws {
    let rect = ViewRect(x: 1, y: 2, width: 3, height: 4)
    let shadow = Shadow(offset: ViewPoint(x: 6.6, y: 6.6), radius: 10, opacity: 0.8)
    let layers: [Layer] = [
      .picture(
        PictureLayer(
          content: PictureRect(x: 1, y: 2, width: 3, height: 4),
          size: ViewSize(width: 5, height: 6), transform: .rotation(0.4), mask: rect,
          cornerRadius: 7, opacity: 0.5, shadow: shadow)),
      .fill(FillLayer(rect: rect, shade: 0.2, opacity: 0.3, cornerRadius: 4, shadow: shadow)),
      .outline(OutlineLayer(rect: rect, width: 2, shade: 1, shadow: shadow)),
    ]
    let stored = try JSONEncoder().encode(layers)
    #expect(try JSONDecoder().decode([Layer].self, from: stored) == layers)
  }
}
