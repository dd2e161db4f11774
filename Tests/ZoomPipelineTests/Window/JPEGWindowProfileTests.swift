import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct JPEGWindowProfileTests {
  private let folder: TestFolder
  private let window: JPEGWindow

  init() throws {
    folder = try TestFolder()
    let picture = try MadeJPEG(.init(colour: .yCbCr), 120, 90)
    let source = try #require(
      try IndexedPipeline().open(picture.path) as? any JPEGWindowSource)
    window = try source.window(for: PixelRegion(x: 30, y: 20, width: 40, height: 40))
  }

  /// libvips reads any bytes as a profile without checking them.
  @Test(arguments: [1, 65_519, 65_520, 200_000])
  func `a profile of any length is read back whole, and no pixel changes`(length: Int) throws {
    var random = SplitMix64(seed: UInt64(length))
    let profile = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let path = try folder.write(
      #require(window.bytes(withProfile: profile)), as: "with-\(length).jpg")
    let found = try #require(try Picture(path).iccProfile())
    #expect(isSame(found, profile))
    let plain = try folder.write(window.bytes, as: "plain.jpg")
    #expect(try Picture(path).digest() == Picture(plain).digest())
  }

  /// JFIF requires its marker directly after the start marker (T.871, 10.1).
  @Test func `metadata comes behind JFIF's marker, and first where there is none`() {
    let jfif: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 5, 1, 2, 3, 0xFF, 0xDB]
    let plain: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 5]
    let nothing: [UInt8] = [0xFF, 0xD8]
    for (encoded, place) in [(jfif, 9), (plain, 2), (nothing, 2)] {
      var longer = encoded
      JPEGSegment.insert([JPEGSegment(code: 7, body: [8])], into: &longer)
      var expected = encoded
      expected.insert(contentsOf: [0xFF, 7, 0, 3, 8], at: place)
      #expect(longer == expected)
    }
  }

  @Test func `no profile changes nothing, and one that cannot be numbered is refused`() {
    #expect(window.bytes(withProfile: []).map { isSame($0, window.bytes) } == true)
    let longest = [UInt8](repeating: 0, count: 255 * 65_519)
    #expect(window.bytes(withProfile: longest) != nil)
    #expect(window.bytes(withProfile: longest + [0]) == nil)
  }
}
