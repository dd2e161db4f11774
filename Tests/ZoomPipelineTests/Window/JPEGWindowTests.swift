import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct JPEGWindowTests {
  private let folder: TestFolder
  private let window: JPEGWindow

  init() throws {
    folder = try TestFolder()
    let picture = try MadeJPEG(.init(colour: .yCbCr), 120, 90)
    window = try Self.open(picture).window(for: PixelRegion(x: 30, y: 20, width: 40, height: 40))
  }

  private static func open(_ made: MadeJPEG) throws -> any JPEGWindowSource {
    try #require(try PartialPipeline().open(made.path) as? any JPEGWindowSource)
  }

  @Test(arguments: Orientation.allCases)
  func `a window has a region's pixels as they are stored, and tells how to turn them`(
    orientation: Orientation
  ) throws {
    var options = JPEGEncoding(quality: 88).with(\.restart, .mcus(7))
    // The same coefficients without a tag: here the stored pixels are the upright ones.
    let upright = try MadeJPEG(options, 131, 75)
    let stored = try Reference(upright.path)
    options.metadata.orientation = orientation.rawValue
    let made = try MadeJPEG(options, 131, 75)
    let picture = try Picture(made.path)
    let reference = try Reference(made.path)
    let source = try Self.open(made)
    for region in try made.regions(40, seed: 31) {
      let window = try source.window(for: region)
      let place = try PixelRegion(
        x: window.stored.x + window.offset.x, y: window.stored.y + window.offset.y,
        width: window.size.width, height: window.size.height)
      #expect(place == (try picture.storedRegion(for: region)))
      #expect(window.stored.isInside(stored.region.size))
      let pixels = try Image.open(jpeg: window.bytes, for: made.path).read(
        PixelRegion(
          x: window.offset.x, y: window.offset.y, width: place.width, height: place.height))
      #expect(pixels.difference(from: stored.crop(place)) == nil, "\(region)")
      #expect(
        pixels.upright(from: orientation).difference(from: reference.crop(region)) == nil,
        "\(region)")
      let file = try MadeJPEG(window.bytes)
      let header = try Picture(file.path)
      #expect(header.orientation == orientation)
      #expect(header.storedSize == window.stored.size)
      // The pass is stricter than decoders: it checks every code and bit up to the end marker.
      let structure = try JPEGStructure(of: file.path)
      #expect(structure.process == .baseline && structure.restartInterval == 0)
      let index = try SeekIndex.build(of: header.file, structure)
      #expect(index.scanEnd + 2 == window.bytes.count)
    }
  }

  @Test func `a window outside the picture is refused`() throws {
    let options = JPEGEncoding(quality: 88).with(\.metadata.orientation, 6)
    let made = try MadeJPEG(options, 131, 75)
    let source = try Self.open(made)
    // Inside the stored picture, but outside the upright one.
    let outside = try PixelRegion(x: 100, y: 10, width: 20, height: 20)
    expectError(.outside) { try source.window(for: outside) }
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

  @Test func `an empty profile changes nothing, one of over 255 segments is refused`() {
    #expect(window.bytes(withProfile: []).map { isSame($0, window.bytes) } == true)
    let longest = [UInt8](repeating: 0, count: 255 * 65_519)
    #expect(window.bytes(withProfile: longest) != nil)
    #expect(window.bytes(withProfile: longest + [0]) == nil)
  }
}
