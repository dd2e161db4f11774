internal import Synchronization

/// Checks whether any JPEG strip of a picture defines tables.
///
/// libjpeg keeps tables from one strip to the next. So a strip that uses the file's common tables
/// (JPEGTables) decodes the same without earlier strips only if no strip defines tables.
final class JPEGStripTables: Sendable {
  private let strips: TIFFStrips
  private let known = Mutex<Bool?>(nil)

  /// Reading the headers of more strips takes longer than a peek may.
  private static let mostStrips = 1 << 16
  /// Headers of strips without tables take some 30 bytes; longer ones are read a second time.
  private static let headBytes = 256
  private static let mostHeadBytes = 1 << 16

  init(_ strips: TIFFStrips) { self.strips = strips }

  /// Whether no strip defines tables; determined once, from the first bytes of each strip.
  func areCommon(in file: FileReader) throws(PipelineError) -> Bool {
    if let known = known.withLock({ $0 }) { return known }
    let found = try look(file)
    known.withLock { $0 = found }
    return found
  }

  private func look(_ file: FileReader) throws(PipelineError) -> Bool {
    guard strips.stripsPerPlane <= Self.mostStrips,
      let places = try strips.places(0..<strips.stripsPerPlane, plane: 0, in: file)?.places
    else { return false }
    for place in places {
      var header: CodedStrip.JPEGHeader?
      for count in [Self.headBytes, Self.mostHeadBytes] where header == nil {
        header = CodedStrip.jpegHeader(
          try file.bytes(at: place.offset, count: min(count, place.count))[...])
      }
      guard let header, !header.definesTables else { return false }
    }
    return true
  }
}
