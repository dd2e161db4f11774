import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks what orientation tags mean; law PX-22 compares pictures with and without one.
struct OrientationExactnessTests {
  /// By the definition of the tag: the places to which the stored corners move.
  @Test(
    arguments: zip(1...8, [[0, 1], [1, 0], [3, 2], [2, 3], [0, 2], [2, 0], [3, 1], [1, 3]]))
  func `the stored corners come to stand where the tag says`(
    _ tag: Int, _ topLeftAndRight: [Int]
  ) async throws {
    // Stored corners: 0 top left, 1 top right, 2 bottom left, 3 bottom right. The tag names the
    // visual side of row 0 and column 0 (CIPA DC-008, 4.6.5, "Orientation").
    let path = try await CorpusPictures.file("orientation-\(tag)")
    let stored = try Self.storedPixels(path)
    let upright = try Reference(path).pixels
    func pixel(_ pixels: Pixels, corner: Int) -> [UInt8] {
      let x = corner % 2 * (pixels.size.width - 1)
      let y = corner / 2 * (pixels.size.height - 1)
      let start = (y * pixels.size.width + x) * 3
      return Array(pixels.bytes[start..<start + 3])
    }
    #expect(pixel(upright, corner: 0) == pixel(stored, corner: topLeftAndRight[0]))
    #expect(pixel(upright, corner: 1) == pixel(stored, corner: topLeftAndRight[1]))
    let corners = (0..<4).map { pixel(stored, corner: $0) }
    #expect(Set(corners).count == 4, "corners that look alike prove nothing")
  }

  @Test func `the eight pictures hold the same coded pixels under different tags`() async throws {
    var stored: Set<Pixels> = []
    var upright: Set<Pixels> = []
    var files: Set<[UInt8]> = []
    for tag in 1...8 {
      let path = try await CorpusPictures.file("orientation-\(tag)")
      stored.insert(try Self.storedPixels(path))
      upright.insert(try Reference(path).pixels)
      files.insert(try bytes(of: path))
    }
    #expect(stored.count == 1)
    #expect(upright.count == 8)
    #expect(files.count == 8)
  }

  /// Returns the pixels as stored, by setting the tag's value to 1.
  private static func storedPixels(_ path: FilePath) throws -> Pixels {
    var jpeg = try bytes(of: path)
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
    let at = try #require(
      jpeg.indices.dropLast(entry.count).first { Array(jpeg[$0..<$0 + entry.count]) == entry })
    jpeg[at + entry.count] = 1
    let folder = try TestFolder()
    return try Reference(folder.write(jpeg, as: "stored.jpg")).pixels
  }
}
