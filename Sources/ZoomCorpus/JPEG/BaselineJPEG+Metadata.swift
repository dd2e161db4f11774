extension BaselineJPEG {
  /// Application and comment segments, in the order in which they are written.
  package struct Metadata: Hashable, Sendable {
    /// Writes a JFIF 1.01 APP0 segment; only for gray and YCbCr, which is all that JFIF allows.
    package var jfif = true
    /// Writes an EXIF APP1 segment that holds only this orientation, 1...8.
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

    private static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let iccChunk = 65_519
    private static let payloadLimit = 65_533

    /// Checks ranges and lengths.
    func validate() throws(Failure) {
      if let orientation, !(1...8).contains(orientation) {
        throw .invalidOrientation(orientation)
      }
      let xmpLimit = Self.payloadLimit - Self.xmpSignature.count
      if let xmp, xmp.count > xmpLimit {
        throw .metadataTooLong(bytes: xmp.count, limit: xmpLimit)
      }
      if let icc, icc.count > Self.iccChunk * 255 {
        throw .metadataTooLong(bytes: icc.count, limit: Self.iccChunk * 255)
      }
      if let comment, comment.count > Self.payloadLimit {
        throw .metadataTooLong(bytes: comment.count, limit: Self.payloadLimit)
      }
    }

    /// Writes the segments that follow SOI.
    func write(for colour: Colour, to writer: inout MarkerWriter) {
      if jfif, colour == .gray || colour == .yCbCr {
        // Version 1.01, no unit, aspect ratio 1:1, no thumbnail.
        writer.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
      }
      if let orientation {
        writer.segment(0xE1, Self.exif(orientation: orientation))
      }
      if let xmp {
        writer.segment(0xE1, Self.xmpSignature + xmp)
      }
      if let icc {
        let chunks = max(1, (icc.count + Self.iccChunk - 1) / Self.iccChunk)
        for index in 0..<chunks {
          let chunk = icc[index * Self.iccChunk..<min(icc.count, (index + 1) * Self.iccChunk)]
          let place = [UInt8(index + 1), UInt8(chunks)]
          writer.segment(0xE2, Array("ICC_PROFILE\0".utf8) + place + chunk)
        }
      }
      if let transform = colour.adobeTransform {
        // Version 100, no flags, as Adobe's technical note 5116 lays it out.
        writer.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
      }
      if let comment {
        writer.segment(0xFE, comment)
      }
    }

    /// The smallest TIFF block that the EXIF standard (CIPA DC-008, 4.6.8) finds complete.
    ///
    /// Big-endian; one directory at offset 8 whose five entries end at 74, where the two
    /// resolutions of 72/1 follow.
    static func exif(orientation: Int) -> [UInt8] {
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

extension BaselineJPEG.Colour {
  /// The transform byte of the Adobe segment, where one is written.
  var adobeTransform: UInt8? {
    switch self {
    case .gray, .yCbCr, .rgbIdentifiers: nil
    case .rgbAdobe, .cmyk: 0
    case .ycck: 2
    }
  }
}
