internal import SystemPackage

extension Loader {
  /// The leading bytes that identify a format; no loader needs more than 1,000.
  static let headLength = 1 << 16

  /// The bytes outside any segment that libjpeg may skip before the first scan; normally 0.
  private static let mostStray = 1_000_000
  /// The bytes before the pixels of a PNG or JPEG: 16 times the largest known profiles and texts.
  static let mostBeforePixels = 250_000_000
  /// The chunks of a PNG, or the segments of a JPEG, before the pixels.
  static let mostSegments = 1 << 16
  /// The longest FITS header: 13,000 cards.
  private static let mostFITSHeader = 1 << 20

  /// Throws if the decoder would search most of a long file for the end of its headers.
  func assertHeadersEnd(_ file: FileReader) throws(PipelineError) {
    let reason: String? =
      switch name {
      case Loader.jpeg.name: try Self.jpegRefusal(file)
      case "pngload": try Self.pngRefusal(file)
      case "ppmload": try Self.pnmRefusal(file)
      default: nil
      }
    if let reason { throw file.damage(reason) }
  }

  /// Throws if a FITS header does not end: cfitsio searches the whole file for its last card.
  static func assertFITSHeaderEnds(_ file: FileReader) throws(PipelineError) {
    let start = try file.bytes(at: 0, count: 80)
    guard start.starts(with: "SIMPLE".utf8),
      start.dropFirst(6).first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "=")
    else { return }
    let header = try file.bytes(at: 0, count: mostFITSHeader)
    let isEnded = stride(from: 0, to: header.count, by: 80).contains { card in
      header[card...].starts(with: "END     ".utf8)
    }
    guard !isEnded else { return }
    guard file.length > mostFITSHeader else { throw file.damage("its FITS header does not end") }
    throw PipelineError(
      .unsupported, operation: "open", file: file.path,
      reason: "its FITS header does not end in its first \(mostFITSHeader.megabytes)",
      advice: "convert it to another format")
  }

  /// Follows the markers as libjpeg does, which skips any bytes between two segments.
  private static func jpegRefusal(_ file: FileReader) throws(PipelineError) -> String? {
    var finder = MarkerFinder(file: file, position: 2)
    var (rest, segments) = (mostStray, 0)
    while rest > 0 {
      let start = finder.place
      guard segments < mostSegments, start <= mostBeforePixels else {
        return "\(mostSegments) segments or \(mostBeforePixels.megabytes) precede its pixels"
      }
      segments += 1
      guard let marker = try finder.next(within: rest) else {
        if finder.place < file.length { break }
        // libjpeg's error says what is missing.
        return nil
      }
      rest -= marker.end - start - 2
      switch marker.code {
      case 0xD9, 0xDA: return nil
      case 0x01, 0xD0...0xD8: continue
      default: try finder.skipSegment()
      }
    }
    return "more than \(mostStray.megabytes) lie between its headers, outside any segment"
  }

  /// libpng reads the data of all chunks before the pixels, even of those that it ignores.
  private static func pngRefusal(_ file: FileReader) throws(PipelineError) -> String? {
    var place = PNGHeaders.signature.count
    for _ in 0..<mostSegments {
      let head = try file.bytes(at: place, count: 8)
      guard head.count == 8, !head.suffix(4).elementsEqual("IDAT".utf8) else { return nil }
      place += 12 + head.bigEndian(at: 0)
      guard place <= mostBeforePixels else {
        return "more than \(mostBeforePixels.megabytes) precede its pixels"
      }
    }
    return "more than \(mostSegments) chunks precede its pixels"
  }

  /// A comment extends to the end of its line, whose length is not limited.
  private static func pnmRefusal(_ file: FileReader) throws(PipelineError) -> String? {
    let head = try file.bytes(at: 0, count: headLength)
    guard head.count == headLength else { return nil }
    var (words, isInWord, isInComment) = (0, false, false)
    // P1 and P4 lack a maximum value.
    let needed = [UInt8(ascii: "1"), UInt8(ascii: "4")].contains(head[1]) ? 3 : 4
    for byte in head {
      if isInComment {
        isInComment = byte != UInt8(ascii: "\n")
        continue
      }
      isInComment = byte == UInt8(ascii: "#")
      let isText = !isInComment && byte > UInt8(ascii: " ")
      if isInWord, !isText { words += 1 }
      isInWord = isText
      if words == needed { return nil }
    }
    return "its header does not end in its first \(headLength) bytes"
  }
}
