/// Everything but the pixels that decides the bytes of a JPEG.
package struct JPEGEncoding: Hashable, Sendable {
  /// How components are coded and which markers say so.
  package enum Colour: String, CaseIterable, Sendable {
    case gray
    /// Components 1, 2, 3 as in JFIF.
    case yCbCr
    /// Red, green and blue as such, which the component identifiers "R", "G", "B" alone tell.
    case rgbIdentifiers
    /// Red, green and blue as such, which an Adobe APP14 marker with transform 0 tells.
    case rgbAdobe
    /// Ink amounts stored inverted as Adobe does, APP14 transform 0.
    case cmyk
    /// Ink amounts as YCbCr plus K, stored inverted as Adobe does, APP14 transform 2.
    case ycck

    package var componentCount: Int { sourceForm.bands }

    package var sourceForm: PixelForm {
      switch self {
      case .gray: .gray8
      case .yCbCr, .rgbIdentifiers, .rgbAdobe: .rgb8
      case .cmyk, .ycck: .cmyk8
      }
    }

    /// The sampling used when nothing else is asked for: 4:2:0 for YCbCr, 2x2 luma and black for
    /// YCCK, no subsampling otherwise.
    package var usualSampling: [Sampling] {
      switch self {
      case .yCbCr: Sampling.yCbCr420
      case .ycck: [Sampling(2, 2), Sampling(1, 1), Sampling(1, 1), Sampling(2, 2)]
      case .gray, .rgbIdentifiers, .rgbAdobe, .cmyk:
        Array(repeating: Sampling(1, 1), count: componentCount)
      }
    }
  }

  /// Relative sampling factors of one component, each 1...4 (T.81 A.1.1).
  package struct Sampling: Hashable, Sendable {
    package var horizontal: Int
    package var vertical: Int

    package init(_ horizontal: Int, _ vertical: Int) {
      self.horizontal = horizontal
      self.vertical = vertical
    }

    package static let yCbCr444 = [Sampling(1, 1), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr422 = [Sampling(2, 1), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr440 = [Sampling(1, 2), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr420 = [Sampling(2, 2), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr411 = [Sampling(4, 1), Sampling(1, 1), Sampling(1, 1)]
    package static let yCbCr410 = [Sampling(4, 2), Sampling(1, 1), Sampling(1, 1)]
  }

  /// Where restart markers stand.
  package enum Restart: Hashable, Sendable {
    case none
    /// Every so many MCUs, 1...65535, whatever the width.
    case mcus(Int)
    /// Every so many whole rows of MCUs of the scan.
    case rows(Int)
  }

  package enum Coding: Hashable, Sendable, CaseIterable {
    /// With the example tables of T.81 Annex K.3, which hold every 8-bit symbol.
    case huffman
    /// With the shortest tables for this picture (T.81 K.2).
    case optimised
    /// In libjpeg's usual scans of 4:2:0 pictures and others, with tables for this picture.
    case progressive
    /// Sequentially, with arithmetic codes.
    case arithmetic
  }

  package var colour: Colour
  /// One entry a component; libjpeg wants each to divide the largest.
  package var sampling: [Sampling]
  /// Scales the Annex K.1 tables, from 1 (worst) to 100 (nearly lossless).
  package var quality: Int
  package var restart = Restart.none
  package var coding = Coding.huffman
  /// One sequential scan per component instead of one interleaved scan.
  package var isOneScanPerComponent = false
  package var metadata = Metadata()
  package var trailingBytes = 0

  /// Options for a colour with its usual sampling unless another is given.
  package init(colour: Colour = .yCbCr, sampling: [Sampling]? = nil, quality: Int = 80) {
    self.colour = colour
    self.sampling = sampling ?? colour.usualSampling
    self.quality = quality
  }

  /// Bytes for behind the end, without 0xFF, so that no decoder takes them for a marker.
  var trailer: [UInt8] {
    (0..<trailingBytes).map { UInt8(LatticeHash.value(1, $0, 0) % 255) }
  }
}

extension JPEGEncoding {
  /// Application and comment segments.
  package struct Metadata: Hashable, Sendable {
    /// An EXIF APP1 segment that holds only this orientation, 1...8.
    package var orientation: Int?
    /// XMP packet for an APP1 segment, at most 65504 bytes.
    package var xmp: [UInt8]?
    /// ICC profile, split into as many APP2 segments as it needs, at most 255 of 65519 bytes.
    package var icc: [UInt8]?
    /// Text of a COM segment, at most 65533 bytes.
    package var comment: [UInt8]?

    package init() {}

    /// A small valid XMP packet that names its creator tool.
    package static let sampleXMP = Array(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>\
      <x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">\
      <xmp:CreatorTool>zoombench corpus</xmp:CreatorTool>\
      </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
      """.utf8)

    private static let iccChunk = 65_519

    /// The segments in the order in which they are written: marker and body.
    var segments: [(code: UInt8, body: [UInt8])] {
      var segments: [(code: UInt8, body: [UInt8])] = []
      if let orientation { segments.append((0xE1, Self.exif(orientation: orientation))) }
      if let xmp { segments.append((0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp)) }
      if let icc {
        let chunks = max(1, (icc.count + Self.iccChunk - 1) / Self.iccChunk)
        for index in 0..<chunks {
          let chunk = icc[index * Self.iccChunk..<min(icc.count, (index + 1) * Self.iccChunk)]
          // More than 255 chunks cannot be numbered; the encoder refuses them.
          let place = [UInt8(truncatingIfNeeded: index + 1), UInt8(truncatingIfNeeded: chunks)]
          segments.append((0xE2, Array("ICC_PROFILE\0".utf8) + place + chunk))
        }
      }
      if let comment { segments.append((0xFE, comment)) }
      return segments
    }

    /// Why it cannot be written, if so; lengths of segments are the encoder's to check.
    var refusal: String? {
      if let orientation, !(1...8).contains(orientation) { return "the orientation is not 1...8" }
      if let icc, icc.count > 255 * Self.iccChunk { return "the profile is too long" }
      return nil
    }

    /// The smallest TIFF block that the EXIF standard (CIPA DC-008, 4.6.8) finds complete.
    ///
    /// Big-endian; one directory at offset 8 whose five entries end at 74, where the two
    /// resolutions of 72/1 follow.
    private static func exif(orientation: Int) -> [UInt8] {
      let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
      let entries: [[UInt8]] = [
        [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0],
        [0x01, 0x1A, 0, 5, 0, 0, 0, 1, 0, 0, 0, 74],
        [0x01, 0x1B, 0, 5, 0, 0, 0, 1, 0, 0, 0, 82],
        [0x01, 0x28, 0, 3, 0, 0, 0, 1, 0, 2, 0, 0],
        [0x02, 0x13, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0],
      ]
      let resolution: [UInt8] = [0, 0, 0, 72, 0, 0, 0, 1]
      let directory = [0, UInt8(entries.count)] + entries.flatMap(\.self) + [0, 0, 0, 0]
      return Array("Exif\0\0".utf8) + header + directory + resolution + resolution
    }
  }
}
