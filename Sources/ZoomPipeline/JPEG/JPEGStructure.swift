public import SystemPackage
public import ZoomGeometry

/// The content of a JPEG's headers, up to the first coded byte (ITU-T T.81, Annex B).
public struct JPEGStructure: Sendable, Hashable {
  /// One colour component of the frame.
  public struct Component: Sendable, Hashable {
    /// The identifier that scans use.
    public let identifier: UInt8
    /// Horizontal and vertical sampling factors, 1...4.
    public let horizontal: Int
    /// See `horizontal`.
    public let vertical: Int
  }

  /// The coding of the coefficients, by the frame marker (T.81, table B.1).
  public enum Process: String, Sendable, Hashable, Codable {
    case baseline, extended, progressive, lossless, arithmetic, hierarchical
  }

  /// The coding process.
  public let process: Process
  /// Bits a sample.
  public let precision: Int
  /// Width and height in pixels, before orientation.
  public let size: PixelSize
  /// The components in the frame's order.
  public let components: [Component]
  /// MCUs between restart markers; 0 without restart markers.
  public let restartInterval: Int
  /// Whether the first scan holds every component, all coefficients at full precision.
  public let firstScanIsComplete: Bool
  /// The offset of the first scan's entropy-coded bytes.
  public let codedStart: Int
  /// The segments that a decoder needs for the first scan, with SOI before and SOS last.
  ///
  /// Kept: JFIF and Adobe markers (they decide the colour transform), quantisation and Huffman
  /// tables, restart interval, frame and scan headers. Left out: EXIF, XMP, profiles, comments.
  let decoderHeader: [UInt8]
  /// The index in `decoderHeader` of the frame's two height bytes; the width's bytes follow.
  let heightOffset: Int
  /// The offset of the same bytes in the file.
  let fileHeightOffset: Int
  /// The index in `decoderHeader` of the two bytes of the scan's restart interval; nil without.
  let restartOffset: Int?

  /// The MCUs of this size and these components; needed at every peek, so computed once.
  let grid: MCUGrid

  /// The MCUs of a scan of all components.
  struct MCUGrid: Hashable, Sendable {
    /// Pixels that one MCU covers.
    let mcuWidth, mcuHeight: Int
    let mcusPerRow, mcuRows: Int
    let blocksPerMCU: Int

    init(_ size: PixelSize, _ components: [Component]) {
      // A scan of one component is not interleaved: its MCU is one block, whatever the factors say
      // (T.81, A.2.2).
      let isInterleaved = components.count > 1
      mcuWidth = isInterleaved ? 8 * (components.map(\.horizontal).max() ?? 1) : 8
      mcuHeight = isInterleaved ? 8 * (components.map(\.vertical).max() ?? 1) : 8
      mcusPerRow = (size.width - 1) / mcuWidth + 1
      mcuRows = (size.height - 1) / mcuHeight + 1
      blocksPerMCU = isInterleaved ? components.reduce(0) { $0 + $1.horizontal * $1.vertical } : 1
    }
  }

  /// The pixels that one MCU covers.
  public var mcuSize: (width: Int, height: Int) { (grid.mcuWidth, grid.mcuHeight) }

  /// MCUs in one row of the picture.
  public var mcusPerRow: Int { grid.mcusPerRow }

  /// Rows of MCUs.
  public var mcuRows: Int { grid.mcuRows }

  var blocksPerMCU: Int { grid.blocksPerMCU }

  /// Why the first scan's Huffman codes cannot be followed to every pixel; nil when they can.
  var scanRefusal: String? {
    if process != .baseline && process != .extended {
      process == .arithmetic
        ? "it is arithmetic-coded" : "it is \(process.rawValue), not sequential"
    } else if precision != 8 {
      "it has \(precision) bits a sample, not 8"
    } else if !firstScanIsComplete {
      "its components come in scans of their own"
    } else if blocksPerMCU > Self.mostBlocksPerMCU {
      "its MCUs have \(blocksPerMCU) blocks, more than a scan may have"
    } else {
      nil
    }
  }

  /// T.81, B.2.3.
  static let mostBlocksPerMCU = 10

  /// No MCU takes more bytes than this: 64 codes of 32 bits a block, each byte of them stuffed.
  var longestMCU: Int { blocksPerMCU * 64 * 4 * 2 }

  /// MCUs in the picture.
  public var mcuCount: Int { mcusPerRow * mcuRows }

  private static let samplingNames = [
    "1x1,1x1,1x1": "4:4:4", "2x1,1x1,1x1": "4:2:2", "2x2,1x1,1x1": "4:2:0",
    "1x2,1x1,1x1": "4:4:0", "4x1,1x1,1x1": "4:1:1", "4x2,1x1,1x1": "4:1:0",
  ]

  /// The usual name of the sampling: "4:2:0", "grey", or the factors themselves.
  public var samplingName: String {
    guard components.count > 1 else { return "grey" }
    let factors = components.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
    return Self.samplingNames[factors] ?? factors
  }
}

extension JPEGStructure {
  /// The decoder's headers for a part of the picture without restart markers, up to the first coded
  /// byte; `tables` are DHT segments that replace some of the picture's.
  func header(width: Int, height: Int, replacing tables: [UInt8] = []) -> [UInt8] {
    var header = decoderHeader
    if let restartOffset {
      // An interval of 0 is none (T.81, B.2.4.4).
      header[restartOffset] = 0
      header[restartOffset + 1] = 0
    }
    write(width: width, height: height, into: &header)
    // The scan header is last: marker, length, the number of components, two bytes for each, three.
    header.insert(contentsOf: tables, at: header.count - (8 + 2 * components.count))
    return header
  }

  /// Gives a JPEG that begins with `decoderHeader` another size.
  /// - Precondition: both sides fit 16 bits.
  func write(width: Int, height: Int, into encoded: inout [UInt8]) {
    for (offset, number) in [(heightOffset, height), (heightOffset + 2, width)] {
      encoded[offset] = UInt8(number >> 8)
      encoded[offset + 1] = UInt8(number & 0xFF)
    }
  }

  /// Reads the headers of a JPEG file.
  /// - Parameter path: the file.
  /// - Throws: `PipelineError`: `unsupported` when it is not a JPEG, `damaged` when it breaks the rules.
  public init(of path: FilePath) throws(PipelineError) {
    self = try JPEGParser.parse(try FileReader(path))
  }
}

extension JPEGStructure {
  /// Throws when a file lacks an end marker: it was cut off somewhere after its headers.
  ///
  /// A reader that stops at the region's foot would not notice. Coded data cannot hold an end marker by chance,
  /// because each FF is followed by 00 or the rest of a restart marker: if all is in one scan, an end marker near the
  /// file's end is enough. Otherwise all markers are found, which takes about as long as reading the file, but not
  /// longer than reading the coded data that such a picture can have.
  func assertComplete(_ file: FileReader) throws(PipelineError) {
    if scanRefusal == nil {
      // Nearly always the last two bytes. A phone's notes after the end have some KB; if they are longer, the markers
      // are found from the top.
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
    throw PipelineError(
      .damaged, operation: "open", file: file.path, reason: "it is cut off: no end marker",
      advice: "get a whole copy of the file")
  }
}
