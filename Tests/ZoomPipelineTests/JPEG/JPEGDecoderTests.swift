import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that libjpeg-turbo called directly gives the pixels of libvips, or none.
///
/// `JPEGExactnessTests` tries every sampling and reduction.
struct JPEGDecoderTests {
  private static let name = FilePath("made.jpg")
  private static let rgb = JPEGDecoder(bands: 3, interpretation: .srgb, file: name)

  /// Colours with and without Adobe's marker, and with every transform it can name.
  @Test(arguments: [JPEGEncoding.Colour.cmyk, .ycck, .rgbAdobe, .yCbCr])
  func `colours equal those of libvips whatever Adobe's marker says`(
    _ colour: JPEGEncoding.Colour
  ) throws {
    let made = try JPEGBytes(40, 30, JPEGEncoding(colour: colour, quality: 90))
    var variants = [made]
    if let marker = made.places(of: 0xEE).first {
      // After the marker: two bytes of length, "Adobe", version, flags, then the transform.
      variants += [0, 1, 2].map { code in made.patched { $0[marker + 14] = code } }
      variants.append(made.patched { $0.removeSubrange(marker - 1...marker + 14) })
    }
    if let marker = made.places(of: 0xE0).first {
      variants.append(made.patched { $0.removeSubrange(marker - 1...marker + 16) })
    }
    #expect(variants.count > 1)
    for (number, jpeg) in variants.enumerated() {
      let whole = try jpeg.reduced(by: .none)
      let decoder = JPEGDecoder(
        bands: whole.bands, interpretation: whole.interpretation, file: Self.name)
      let region = PixelRegion(whole: whole.size)
      guard let pixels = try decoder?.decode(jpeg.bytes, region, .none) else {
        // libjpeg warns if a transform does not fit the number of components.
        let transform = jpeg.places(of: 0xEE).first.map { jpeg.bytes[$0 + 14] }
        #expect(transform == (colour.componentCount == 4 ? 1 : 2), "\(colour) variant \(number)")
        continue
      }
      #expect(pixels.difference(from: whole) == nil, "\(colour) variant \(number)")
    }
  }

  @Test func `a file that is cut off above the region's foot gives nothing`() throws {
    let decoder = try #require(Self.rgb)
    let jpeg = try JPEGBytes.small(70, 100)
    // The whole picture, and a part of the last MCU row.
    let parts: [(PixelRegion, Reduction)] = [
      (try PixelRegion(x: 0, y: 0, width: 70, height: 100), .none),
      (try PixelRegion(x: 30, y: 97, width: 20, height: 3), .none),
      (try PixelRegion(x: 15, y: 48, width: 10, height: 2), .half),
    ]
    for length in stride(from: 0, to: jpeg.restarts[5], by: 13) {
      let cut = Array(jpeg.bytes.prefix(length))
      for (part, reduction) in parts {
        let pixels = try decoder.decode(cut, part, reduction)
        #expect(pixels == nil, "\(length) bytes \(part)")
      }
    }
  }

  @Test func `other bands or colours than the picture's give nothing`() throws {
    let jpeg = try JPEGBytes.small(20, 20)
    let part = try PixelRegion(x: 0, y: 0, width: 20, height: 20)
    let others: [(Int, ColourInterpretation)] = [
      (1, .grey), (4, .cmyk), (3, .rgb16), (3, .cmyk), (2, .grey), (0, .srgb),
    ]
    for (bands, interpretation) in others {
      let decoder = JPEGDecoder(bands: bands, interpretation: interpretation, file: Self.name)
      let pixels = try decoder?.decode(jpeg.bytes, part, .none)
      #expect(pixels == nil, "\(bands) of \(interpretation.rawValue)")
    }
  }

  @Test func `a region that is not inside is an error`() throws {
    let jpeg = try JPEGBytes.small(33, 20)
    for (reduction, x, y, width, height) in [
      (Reduction.none, 0, 0, 34, 20), (.none, 0, 0, 33, 21), (.none, 33, 0, 1, 1),
      (.none, 0, 20, 1, 1), (.half, 0, 0, 18, 10), (.eighth, 4, 0, 2, 1),
      (.none, 1 << 30, 1 << 30, 1, 1),
    ] {
      let part = try PixelRegion(x: x, y: y, width: width, height: height)
      expectError(.outside, of: Self.name, "\(part)") {
        try Self.rgb?.decode(jpeg.bytes, part, reduction)
      }
    }
  }
}
