internal import ZoomGeometry
internal import ZoomPipeline

/// The settings that decide, together with the pixels, the bytes of a JPEG.
package struct JPEGEncoding: Hashable, Sendable {
  /// The colour model of the components and the markers that declare it.
  package enum Colour: String, CaseIterable, Sendable {
    case gray
    /// Components 1, 2, 3 as in JFIF.
    case yCbCr
    /// Unconverted red, green and blue, declared by component identifiers "R", "G", "B" only.
    case rgbIdentifiers
    /// Unconverted red, green and blue, declared by an Adobe APP14 marker with transform 0.
    case rgbAdobe
    /// Amounts of ink, stored inverted as Adobe does, with APP14 transform 0.
    case cmyk
    /// Amounts of ink, as YCbCr plus K, stored inverted as Adobe does, with APP14 transform 2.
    case ycck

    package var componentCount: Int { sourceForm.bands }

    package var sourceForm: PixelForm {
      switch self {
      case .gray: .gray8
      case .yCbCr, .rgbIdentifiers, .rgbAdobe: .rgb8
      case .cmyk, .ycck: .cmyk8
      }
    }

    /// The default: 4:2:0 for YCbCr, 2x2 luma and black for YCCK, no subsampling for others.
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

  /// The spacing of restart markers.
  package enum Restart: Hashable, Sendable {
    case none
    /// A marker after each group of this many MCUs, 1...65535.
    case mcus(Int)
    /// A marker after each group of this many MCU rows of the scan.
    case rows(Int)
  }

  package enum Coding: Hashable, Sendable, CaseIterable {
    /// With the example tables of T.81 Annex K.3, which have a code for every symbol that 8-bit
    /// samples need.
    case huffman
    /// With the shortest tables for this picture (T.81 K.2).
    case optimised
    /// In libjpeg's default scans, with tables optimised for this picture.
    case progressive
    /// Sequentially, with arithmetic coding.
    case arithmetic
  }

  package var colour: Colour
  /// One entry per component; libjpeg requires each factor to divide the largest.
  package var sampling: [Sampling]
  /// Scales the Annex K.1 tables, from 1 (worst) to 100 (nearly lossless).
  package var quality: Int
  package var restart = Restart.none
  package var coding = Coding.huffman
  /// One sequential scan per component instead of one interleaved scan.
  package var isOneScanPerComponent = false
  package var metadata = Metadata()
  package var trailingBytes = 0

  /// Creates options; without `sampling` the colour's default applies.
  package init(colour: Colour = .yCbCr, sampling: [Sampling]? = nil, quality: Int = 80) {
    self.colour = colour
    self.sampling = sampling ?? colour.usualSampling
    self.quality = quality
  }

  /// The bytes after the end marker, without 0xFF, so that no decoder takes them for a marker.
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

    /// The segments in the order of writing; a profile that is too long is left out.
    var segments: [JPEGSegment] {
      var segments: [JPEGSegment] = []
      if let orientation = orientation.flatMap(Orientation.init) {
        segments.append(.exif(orientation))
      }
      if let xmp {
        segments.append(
          JPEGSegment(code: 0xE1, body: Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp))
      }
      if let icc { segments += JPEGSegment.profile(icc) ?? [] }
      if let comment { segments.append(JPEGSegment(code: 0xFE, body: comment)) }
      return segments
    }

    /// The reason why the metadata cannot be written; the encoder checks the lengths of segments.
    var refusal: String? {
      if let orientation, Orientation(rawValue: orientation) == nil {
        return "the orientation is not 1...8"
      }
      if let icc, JPEGSegment.profile(icc) == nil { return "the profile is too long" }
      return nil
    }
  }
}
