import Testing

@testable import ZoomCorpus

@Suite struct SceneTests {
  private let size = SceneSize(width: 3, height: 2)

  @Test(arguments: PixelForm.allCases)
  func `a raster scene hands out exactly the bytes it was given`(form: PixelForm) throws {
    let bytes = (0..<6 * form.bytesPerPixel).map { UInt8($0) }
    let scene = try #require(RasterScene(size: size, form: form, bytes: bytes))
    #expect(scene.pixels() == bytes)
    #expect(scene.pixels(rows: 1..<2) == Array(bytes[scene.rowBytes...]))
    #expect(scene.pixels(rows: 1..<1) == [])
  }

  @Test func `a raster scene refuses bytes that are not the picture`() {
    #expect(RasterScene(size: size, form: .gray8, bytes: [1, 2, 3, 4, 5]) == nil)
    #expect(RasterScene(size: size, form: .gray8, bytes: Array(repeating: 0, count: 7)) == nil)
    #expect(RasterScene(size: SceneSize(width: 0, height: 2), form: .gray8, bytes: []) == nil)
    #expect(RasterScene(size: SceneSize(width: -1, height: -1), form: .gray8, bytes: [1]) == nil)
    let huge = SceneSize(width: .max, height: 2)
    #expect(RasterScene(size: huge, form: .rgb8, bytes: [1]) == nil)
  }
}
