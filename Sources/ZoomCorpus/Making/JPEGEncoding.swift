internal import ZoomGeometry
internal import ZoomPipeline

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

    /// The segments in the order in which they are written; a profile that is too long is left out.
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

    /// Why it cannot be written, if so; lengths of segments are the encoder's to check.
    var refusal: String? {
      if let orientation, Orientation(rawValue: orientation) == nil {
        return "the orientation is not 1...8"
      }
      if let icc, JPEGSegment.profile(icc) == nil { return "the profile is too long" }
      return nil
    }
  }
}
