internal import SystemPackage
internal import ZoomGeometry

/// The size and the tables in the headers of a strip that is a JPEG.
struct JPEGStripHeader {
  let size: PixelSize
  /// Whether it defines tables, which libjpeg keeps for later strips.
  let definesTables: Bool
  /// Whether it defines all tables that it needs, so that it decodes the same after any strip.
  let isComplete: Bool

  /// Reads the headers of a JPEG; nil if they are truncated or the JPEG is of another kind.
  ///
  /// Only sequential JPEGs with one scan are read: others may define tables between scans.
  init?(_ bytes: ArraySlice<UInt8>, of path: FilePath) {
    guard let jpeg = try? JPEGParser.parse(MemoryFile(Array(bytes), madeFrom: path)),
      [.baseline, .extended].contains(jpeg.process), jpeg.firstScanIsComplete
    else { return nil }
    // The tables by their slots: DC from 0, AC from 16, quantization from 256.
    var (wanted, defined) = (Set<Int>(), Set<Int>())
    for segment in jpeg.segments {
      let body = segment.body.map { Int($0) }
      switch segment.code {
      case 0xC0, 0xC1:
        for place in jpeg.components.indices { wanted.insert(256 + body[8 + 3 * place]) }
      case 0xC4, 0xDB:
        let isWhole = segment.readTables { head, _ in
          defined.insert(segment.code == 0xC4 ? Int(head) : 256 + Int(head) & 15)
          return true
        }
        guard isWhole else { return nil }
      case 0xDA:
        for place in jpeg.components.indices {
          let selector = body[2 + 2 * place]
          wanted.formUnion([selector >> 4, 16 + selector & 15])
        }
      default: break
      }
    }
    size = jpeg.size
    definesTables = !defined.isEmpty
    isComplete = defined.isSuperset(of: wanted)
  }
}

extension TIFFStrips {
  /// Reading the headers of more strips takes longer than a peek may.
  private static let mostStripsWithHeaders = 1 << 16
  /// Headers of strips without tables take some 30 bytes; longer ones are read a second time.
  private static let headBytes = [256, 1 << 16]

  /// Returns whether no JPEG strip defines tables, by the first bytes of each strip.
  ///
  /// libjpeg keeps tables from one strip to the next. So a strip that uses the file's common tables
  /// (JPEGTables) decodes the same without earlier strips only if no strip defines tables.
  func haveCommonTablesOnly(in file: FileReader) throws(PipelineError) -> Bool {
    guard count <= Self.mostStripsWithHeaders,
      let places = try places(0..<count, in: file)?.places
    else { return false }
    for place in places {
      var header: JPEGStripHeader?
      for count in Self.headBytes where header == nil {
        let head = try file.bytes(at: place.offset, count: min(count, place.count))
        header = JPEGStripHeader(head[...], of: file.path)
      }
      guard let header, !header.definesTables else { return false }
    }
    return true
  }
}
