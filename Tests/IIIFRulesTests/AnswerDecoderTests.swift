import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import IIIFRules

struct AnswerDecoderTests {
  private func answer(bands: Int, in folder: TestFolder) throws -> [UInt8] {
    let size = try PixelSize(width: 300, height: 200)
    let file = folder.path.appending("\(bands).tif")
    try Image(
      Pixels(
        size: size, bands: bands, format: .uint8, interpretation: bands < 3 ? .grey : .srgb,
        bytes: [UInt8](repeating: 7, count: size.area * bands))
    ).write(to: file, settings: "[compression=deflate]")
    return try bytes(of: file)
  }

  @Test func `an answer that takes too much memory is not decoded, and is no fault of the server`()
    throws
  {
    let folder = try TestFolder()
    let decoder = try AnswerDecoder(
      mostPixels: 300 * 200, limits: PictureLimits(memory: MemoryBudget(limit: 1 << 20)))
    #expect(try decoder.decode(try answer(bands: 3, in: folder)).raster.bands == 3)
    // Many bands of a constant level compress to a few kilobytes.
    for (bands, says) in [(60, "60 bands of uint8 are not compared"), (5, "5 bands"), (4, "")] {
      let limits = PictureLimits(memory: MemoryBudget(limit: bands == 4 ? 239_999 : 1 << 30))
      let decoder = try AnswerDecoder(mostPixels: 300 * 200, limits: limits)
      let bytes = try answer(bands: bands, in: folder)
      #expect(bytes.count < 100_000)
      let error = #expect(throws: AnswerDecoder.Undecodable.self) { try decoder.decode(bytes) }
      #expect(error?.isOurs == true && error?.description.contains(says) == true)
    }
  }
}
