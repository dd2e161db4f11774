public import SystemPackage
public import ZoomGeometry

/// The content of a JPEG's headers, up to the first coded byte (ITU-T T.81, Annex B).
public struct JPEGStructure: Sendable, Hashable {
  /// One colour component of the frame.
  public struct Component: Sendable, Hashable {
    /// The identifier that scans use.
    public let identifier: UInt8
    /// Horizontal sampling factor, 1...4.
    public let horizontal: Int
    /// Vertical sampling factor, 1...4.
    public let vertical: Int
  }

  /// The coding of the coefficients, by the frame marker (T.81, table B.1).
  public enum Process: String, Sendable, Hashable, Codable {
    case baseline, extended, progressive, lossless, arithmetic, hierarchical
  }

  /// The coding process.
  public let process: Process
  /// Bits per sample.
  public let precision: Int
  /// Width and height in pixels, before orientation.
  public let size: PixelSize
  /// The components in the frame's order.
  public let components: [Component]
  /// MCUs between restart markers; 0 without restart markers.
  public let restartInterval: Int
  /// Whether the first scan holds every component, all coefficients at full precision.
  public let firstScanIsComplete: Bool
  /// Whether the headers announce a gain map for brighter displays (HDR); it is not applied.
  package let hasGainMap: Bool
  /// The offset of the first scan's entropy-coded bytes.
  public internal(set) var codedStart: Int
  /// The segments that a decoder needs for the first scan, whose header is the last one.
  ///
  /// They are JFIF and Adobe markers (which determine the colour transform), quantisation and
  /// Huffman tables, restart interval, frame and scan headers; not EXIF, XMP, profiles or comments.
  let segments: [JPEGSegment]
  /// The offset in the file of the frame's two height bytes; the width's bytes follow.
  let fileHeightOffset: Int

  /// The pixels that one MCU covers.
  public var mcuSize: (width: Int, height: Int) {
    // In a scan of one component an MCU is one block, whatever its factors (T.81, A.2.2).
    guard components.count > 1 else { return (8, 8) }
    let width = components.reduce(8) { max($0, 8 * $1.horizontal) }
    let height = components.reduce(8) { max($0, 8 * $1.vertical) }
    return (width, height)
  }

  /// The number of MCUs in a row.
  public var mcusPerRow: Int { (size.width - 1) / mcuSize.width + 1 }

  /// The number of MCU rows.
  public var mcuRows: Int { (size.height - 1) / mcuSize.height + 1 }

  var blocksPerMCU: Int {
    components.count > 1 ? components.reduce(0) { $0 + $1.horizontal * $1.vertical } : 1
  }

  /// The reason why the Huffman codes cannot be followed to every pixel; nil if they can.
  var scanRefusal: String? {
    if process != .baseline && process != .extended {
      process == .arithmetic
        ? "it is arithmetic-coded" : "it is \(process.rawValue), not sequential"
    } else if precision != 8 {
      "it has \(precision) bits a sample, not 8"
    } else if !firstScanIsComplete {
      "its first scan lacks components or coefficients"
    } else if blocksPerMCU > Self.mostBlocksPerMCU {
      "its MCUs have \(blocksPerMCU) blocks, more than a scan may have"
    } else {
      nil
    }
  }

  /// The maximum number of blocks of an MCU (T.81, B.2.3).
  static let mostBlocksPerMCU = 10

  /// The maximum length of an MCU in bytes: 64 codes of 32 bits per block, with every byte stuffed.
  var longestMCU: Int { blocksPerMCU * 64 * 4 * 2 }

  /// Returns the first MCU after another that follows a restart marker; `Int.max` without markers.
  func restart(after mcu: Int) -> Int {
    restartInterval > 0 ? (mcu / restartInterval + 1) * restartInterval : .max
  }

  /// The number of MCUs in the picture.
  public var mcuCount: Int { mcusPerRow * mcuRows }

  private static let samplingNames = [
    "1x1,1x1,1x1": "4:4:4", "2x1,1x1,1x1": "4:2:2", "2x2,1x1,1x1": "4:2:0",
    "1x2,1x1,1x1": "4:4:0", "4x1,1x1,1x1": "4:1:1", "4x2,1x1,1x1": "4:1:0",
  ]

  /// The usual name of the sampling, as "4:2:0" or "grey"; otherwise the factors.
  public var samplingName: String {
    guard components.count > 1 else { return "grey" }
    let factors = components.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
    return Self.samplingNames[factors] ?? factors
  }
}

extension JPEGStructure {
  /// Returns the headers of a JPEG of a part of the picture, up to the first coded byte.
  ///
  /// Restart markers are disabled. `tables` are DHT segments that replace some of the picture's.
  /// - Precondition: Width and height fit 16 bits.
  func header(width: Int, height: Int, replacing tables: [JPEGSegment] = []) -> [UInt8] {
    let all = segments.dropLast() + tables + segments.suffix(1)
    var header: [UInt8] = [0xFF, 0xD8]
    // All of the memory at once, because each peek makes a header.
    header.reserveCapacity(all.reduce(2) { $0 + 4 + $1.body.count })
    for segment in all {
      let body = header.count + 4
      segment.append(to: &header)
      if segment.code == 0xDD {
        // An interval of 0 disables restart markers (T.81, B.2.4.4).
        (header[body], header[body + 1]) = (0, 0)
      } else if segment.code != 0xC4, (0xC0...0xCF).contains(segment.code) {
        // The precision of one byte precedes the sides of a frame.
        (header[body + 1], header[body + 2]) = (UInt8(height >> 8), UInt8(height & 0xFF))
        (header[body + 3], header[body + 4]) = (UInt8(width >> 8), UInt8(width & 0xFF))
      }
    }
    return header
  }

  /// Reads the headers of a JPEG file.
  /// - Throws: `PipelineError`: `unsupported` when it is not a JPEG or its headers are irregular,
  ///   `damaged` when they are truncated, or an error of opening and reading.
  public init(of path: FilePath) throws(PipelineError) {
    self = try JPEGParser.parse(try FileReader(path))
  }

  /// Checks that a file has an end marker; without one it was truncated after its headers.
  ///
  /// A reader that stops at the bottom of the region would not notice. Coded data cannot hold an
  /// end marker by chance, because each FF is followed by 00 or the rest of a restart marker. So if
  /// all data is in one scan, an end marker near the file's end is enough. Otherwise all markers
  /// are searched, which takes about as long as reading the file; each search for the next marker
  /// stops after as many bytes as the coded data of such a picture can have.
  func assertComplete(_ file: FileReader) throws(PipelineError) {
    if scanRefusal == nil {
      // The end marker is nearly always the last two bytes. Phones append some KB of notes; if
      // there are more, the markers are searched from the start of the scan.
      for most in [1 << 8, 1 << 16] {
        let bytes = try file.bytes(at: max(codedStart, file.length - most), count: most)
        for place in bytes.indices.dropLast().reversed()
        where bytes[place] == 0xFF && bytes[place + 1] == 0xD9 { return }
      }
    }
    var finder = MarkerFinder(file: file, position: codedStart)
    let mostCoded = 1 << 20 + mcuCount * longestMCU
    while let marker = try finder.next(within: mostCoded) {
      switch marker.code {
      case 0xD9: return
      case 0x01, 0xD0...0xD7: continue
      default: try finder.skipSegment()
      }
    }
    throw file.damage("it is cut off: no end marker")
  }
}
