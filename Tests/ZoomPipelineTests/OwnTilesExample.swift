import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

// The README's example, compiled: parts of a JPEG served without decoding them.

/// Returns the answer of a tile server: a JPEG, and the tile's offset in it.
func tile(
  _ region: PixelRegion, of photo: FilePath
) throws -> (jpeg: [UInt8], offset: PixelPoint, size: PixelSize)? {
  let partial = try StandardPipelines(indexes: .standard).named("partial")?.open(photo)
  guard let parts = partial as? any JPEGWindowSource else { return nil }
  let window = try parts.window(for: region)
  return (window.bytes, window.offset, window.size)
}

@Suite struct OwnTilesExampleTests {
  @Test func `a tile has the picture's own pixels`() async throws {
    let photo = try await CorpusPictures.file("forest")
    let region = try PixelRegion(x: 512, y: 256, width: 128, height: 128)
    let tile = try #require(try tile(region, of: photo))
    let folder = try TestFolder()
    let served = try folder.write(tile.jpeg, as: "tile.jpg")
    let part = try PixelRegion(
      x: tile.offset.x, y: tile.offset.y, width: tile.size.width, height: tile.size.height)
    let naive = try #require(StandardPipelines().named("naive"))
    let isSame =
      try naive.open(served).read(RegionRequest(part)).pixels
      == naive.open(photo).read(RegionRequest(region)).pixels
    #expect(isSame)
  }
}
