import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks regions read from uncompressed pixels against full decodes.
struct PNMCarverTests {
  private let folder: TestFolder
  // libvips marks its PNM loader as untrusted.
  private let pipeline = PartialPipeline(limits: PictureLimits(loaders: .all))

  init() throws { folder = try TestFolder() }

  @Test(arguments: ["P5", "P6"], [255, 65_535, 100, 1000])
  func `regions equal a full decode`(_ magic: String, _ greatest: Int) throws {
    var numbers = SplitMix64(seed: UInt64(greatest))
    for (width, height) in [(1, 1), (37, 53), (64, 3), (3, 64)] {
      let file = try write(magic, "\n\(width)  \(height)\n\(greatest) ", width * height, &numbers)
      let source = try pipeline.open(file)
      let reference = try Reference(file, limits: pipeline.limits)
      let regions = try TellingRegions(of: source.size).all()
      try expectCrops(source, regions, of: reference)
      let works = try regions.map { try source.read(RegionRequest($0)).work }
      #expect(works.map(\.pixelsDecoded) == regions.map(\.area))
    }
  }

  @Test func `comments and spaces are read where libvips allows them`() throws {
    var numbers = SplitMix64(seed: 6)
    var opened = 0
    for _ in 0..<500 {
      let pieces = ["\n", " ", "\t", "# 3 4\n", "#\n", "#vips2ppm - 1\r\n", "\r", "# no end"]
      let gaps = (0..<4).map { _ in
        // Most gaps begin with a space, as the format requires.
        (Int.random(in: 0..<8, using: &numbers) == 0 ? "" : " ")
          + (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
            pieces.randomElement(using: &numbers) ?? ""
          }.joined()
      }
      let header = "\(gaps[0])7\(gaps[1])5\(gaps[2])255\(gaps[3])\n"
      let file = try write("P6", header, 7 * 5, &numbers)
      guard let source = try? pipeline.open(file) else { continue }
      opened += 1
      try expectCrops(
        source, TellingRegions(of: source.size).all(),
        of: Reference(file, limits: pipeline.limits), header.debugDescription)
    }
    #expect(opened > 50)
  }

  /// Writes six bytes per pixel, which is enough for any kind here.
  private func write(
    _ magic: String, _ header: String, _ pixels: Int, _ numbers: inout SplitMix64
  ) throws -> FilePath {
    let noise = (0..<pixels * 6).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    return try folder.write(Array((magic + header).utf8) + noise, as: "a.ppm")
  }
}
