internal import SystemPackage
internal import ZoomGeometry

/// A strict parser of a JPEG's headers: anything that it does not understand is an error.
struct JPEGParser {
  private static let operation = "read JPEG headers"

  private let file: any CodedSource
  private var position = 0
  /// Bytes of the file read ahead, so that headers take one or two reads.
  private var buffer: [UInt8] = []
  private var bufferStart = 0

  private var process: JPEGStructure.Process?
  private var precision = 0
  private var size: PixelSize?
  private var components: [JPEGStructure.Component] = []
  private var restartInterval = 0
  /// The segments that a decoder needs, and the number of their bytes with the start marker.
  private var segments: [JPEGSegment] = []
  private var headerBytes = 2
  private var fileHeightOffset = 0
  private var metadata = JPEGMetadata()

  static func parse(_ file: any CodedSource) throws(PipelineError) -> JPEGStructure {
    try read(file).structure
  }

  static func read(
    _ file: any CodedSource
  ) throws(PipelineError) -> (structure: JPEGStructure, metadata: JPEGMetadata) {
    var parser = JPEGParser(file: file)
    return (try parser.parse(), parser.metadata)
  }

  private init(file: any CodedSource) { self.file = file }

  private mutating func parse() throws(PipelineError) -> JPEGStructure {
    guard try byte() == 0xFF, try byte() == 0xD8 else {
      throw .refusal(Self.operation, file.path, "it is not a JPEG")
    }
    for _ in 0..<Loader.mostSegments {
      let marker = try nextMarker()
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        try readFrame(marker)
      case 0xDD:
        let body = try segment(marker, keep: true)
        guard body.count == 2 else { throw odd("a restart interval of the wrong length") }
        restartInterval = body.number(at: 0)
      case 0xC4, 0xDB:
        let body = try segment(marker, keep: true)
        metadata.readTables(JPEGSegment(code: marker, body: Array(body)))
      case 0xCC:
        metadata.isCertain = false
        _ = try segment(marker, keep: false)
      case 0xE0:
        // A decoder needs only the presence of the JFIF marker, so the thumbnail is removed.
        let body = try segment(marker, keep: false)
        if body.count >= 14, body.starts(with: "JFIF\0".utf8) {
          keep(JPEGSegment(code: marker, body: Array(body.prefix(12)) + [0, 0]))
        }
      case 0xE1:
        metadata.readEXIFOrXMP(try segment(marker, keep: false))
      case 0xE2:
        // A profile may be long, and only its head matters here.
        let count = try length()
        metadata.readProfile(try next(min(count, JPEGMetadata.gainMap.count)), length: count)
        position += count
      case 0xEE:
        // Adobe's marker decides the colour transform.
        metadata.readAdobe(try segment(marker, keep: true))
      case 0xDA:
        return try readScan()
      case 0xD9:
        throw odd("an end before the first scan")
      case 0x00...0xBF, 0xC8, 0xD0...0xD8, 0xDE, 0xDF, 0xF0...0xFD:
        // Decoders skip some of these and reject others; no decoder reads a length after them.
        let name = "FF" + String(marker, radix: 16, uppercase: true)
        throw odd("marker \(name) where a segment should be")
      default:
        position += try length()
      }
    }
    throw odd("more than \(Loader.mostSegments) segments before a scan")
  }

  private mutating func readFrame(_ marker: UInt8) throws(PipelineError) {
    guard process == nil else { throw odd("a second frame header") }
    process =
      switch marker {
      case 0xC0: .baseline
      case 0xC1: .extended
      case 0xC2: .progressive
      case 0xC3: .lossless
      case 0xC9, 0xCA, 0xCB: .arithmetic
      default: .hierarchical
      }
    let body = try segment(marker, keep: true)
    guard body.count >= 6, body.count == 6 + 3 * body.byte(at: 5) else {
      throw odd("a frame header of the wrong length")
    }
    fileHeightOffset = position - body.count + 1
    precision = body.byte(at: 0)
    let height = body.number(at: 1)
    let width = body.number(at: 3)
    guard height > 0 else {
      throw .refusal(Self.operation, file.path, "its height stands after the scan (DNL)")
    }
    do {
      size = try PixelSize(width: width, height: height)
    } catch {
      throw odd("a size of \(width)x\(height)")
    }
    for index in 0..<body.byte(at: 5) {
      let factors = body.byte(at: 7 + 3 * index)
      let component = JPEGStructure.Component(
        identifier: UInt8(body.byte(at: 6 + 3 * index)), horizontal: factors >> 4,
        vertical: factors & 15)
      guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical) else {
        throw odd("sampling factors of \(component.horizontal)x\(component.vertical)")
      }
      components.append(component)
    }
    guard (1...4).contains(components.count) else {
      throw odd("\(components.count) components")
    }
  }

  private mutating func readScan() throws(PipelineError) -> JPEGStructure {
    let body = try segment(0xDA, keep: true)
    guard let process, let size else { throw odd("a scan before the frame header") }
    guard !body.isEmpty, body.count == 4 + 2 * body.byte(at: 0) else {
      throw odd("a scan header of the wrong length")
    }
    let scanned = (0..<body.byte(at: 0)).map { UInt8(body.byte(at: 1 + 2 * $0)) }
    let known = components.map(\.identifier)
    // Every component once and in the frame's order, coefficients 0...63, no approximation.
    let isComplete = scanned == known && body.suffix(3).elementsEqual([0, 63, 0])
    metadata.isMultiscan = process == .progressive || scanned.count < components.count
    // Not certain where a decoder would fail or has special rules.
    if ![.baseline, .extended, .progressive].contains(process) || precision != 8
      || ![1, 3, 4].contains(known.count) || Set(known).count != known.count
      || scanned.isEmpty || Set(scanned).count != scanned.count
      || !Set(scanned).isSubset(of: known)
      || size.width > JPEGMetadata.largestSide || size.height > JPEGMetadata.largestSide
    {
      metadata.isCertain = false
    }
    metadata.finish(componentCount: known.count)
    return JPEGStructure(
      process: process, precision: precision, size: size, components: components,
      restartInterval: restartInterval, firstScanIsComplete: isComplete,
      hasGainMap: metadata.hasGainMap, codedStart: position,
      segments: segments, fileHeightOffset: fileHeightOffset)
  }

  // MARK: Bytes

  /// Returns the bytes at the position, without advancing.
  private mutating func next(_ count: Int) throws(PipelineError) -> ArraySlice<UInt8> {
    if position < bufferStart || position + count > bufferStart + buffer.count {
      guard position <= Loader.mostBeforePixels else {
        throw odd("more than \(Loader.mostBeforePixels.megabytes) before a scan")
      }
      // Headers without a profile or thumbnail fit into one read of this size.
      buffer = try file.bytes(at: position, count: max(count, 16_384))
      bufferStart = position
      guard buffer.count >= count else {
        throw file.damage("it is cut off inside its headers", operation: Self.operation)
      }
    }
    return buffer[(position - bufferStart)...].prefix(count)
  }

  private mutating func byte() throws(PipelineError) -> Int {
    let byte = try next(1).byte(at: 0)
    position += 1
    return byte
  }

  /// Reads the next marker; only fill bytes 0xFF may precede it (T.81, B.1.1.2).
  private mutating func nextMarker() throws(PipelineError) -> UInt8 {
    guard try byte() == 0xFF else { throw odd("bytes between its segments") }
    var code = try byte()
    while code == 0xFF { code = try byte() }
    return UInt8(code)
  }

  private mutating func length() throws(PipelineError) -> Int {
    let length = try next(2).number(at: 0)
    guard length >= 2 else { throw odd("a segment of length \(length)") }
    position += 2
    return length - 2
  }

  private mutating func segment(
    _ marker: UInt8, keep: Bool
  ) throws(PipelineError) -> ArraySlice<UInt8> {
    let body = try next(try length())
    position += body.count
    if keep { self.keep(JPEGSegment(code: marker, body: Array(body))) }
    // A decoder holds at most four tables of each kind, which are about 2 KB.
    guard headerBytes <= 1 << 16 else { throw odd("more tables than a decoder can hold") }
    return body
  }

  private mutating func keep(_ segment: JPEGSegment) {
    segments.append(segment)
    headerBytes += 4 + segment.body.count
  }

  /// Returns an error for headers that another source may be able to read.
  private func odd(_ reason: String) -> PipelineError {
    .refusal(Self.operation, file.path, "its headers have \(reason)")
  }
}
