import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct JPEGWindowTests {
  @Test(arguments: Orientation.allCases)
  func `a window has a region's pixels as they are stored, and tells how to turn them`(
    orientation: Orientation
  ) throws {
    var options = JPEGEncoding(quality: 88)
    // The same coefficients without a tag: here the stored pixels are the upright ones.
    let upright = try MadeJPEG(options, 131, 75)
    let stored = try Reference(upright.path)
    options.metadata.orientation = orientation.rawValue
    let made = try MadeJPEG(options, 131, 75)
    let picture = try Picture(made.path)
    let reference = try Reference(made.path)
    let source = try #require(
      try IndexedPipeline().open(made.path) as? any JPEGWindowSource)
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
        try pixels.upright(from: orientation).difference(from: reference.crop(region)) == nil,
        "\(region)")
      let file = try MadeJPEG(window.bytes)
      let header = try Picture(file.path)
      #expect(header.orientation == orientation)
      #expect(header.storedSize == window.stored.size)
    }
  }

  @Test func `a window outside the picture is refused`() throws {
    let options = JPEGEncoding(quality: 88).with(\.metadata.orientation, 6)
    let made = try MadeJPEG(options, 131, 75)
    let source = try #require(
      try IndexedPipeline().open(made.path) as? any JPEGWindowSource)
    // Inside the stored picture, but outside the upright one.
    let outside = try PixelRegion(x: 100, y: 10, width: 20, height: 20)
    expectError(.outside) { try source.window(for: outside) }
  }
}
