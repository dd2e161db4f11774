import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Known faults of partial JPEG readers: the largest sides and files (see `PitfallTests`).
@Suite struct PitfallSizeTests {
  /// Returns a picture of gradients that restart at different places in each band.
  private func strip(_ width: Int, _ height: Int) throws -> MadeJPEG {
    // Primes, so that neighbouring MCUs differ.
    let periods = [251, 241, 239]
    let pixels = try Pixels(width: width, height: height) { x, y, band in
      UInt8((x * (2 * band + 1) + y * 31) % periods[band])
    }
    let options = JPEGEncoding(quality: 85)
    return try MadeJPEG(JPEGEncoder.encode(pixels.bytes, size: pixels.size, options))
  }

  @Test func `17 the widest picture that libjpeg reads is exact at both ends`() throws {
    let (width, height) = (65_500, 19)
    let made = try strip(width, height)
    try made.expectWindows([
      try PixelRegion(x: 0, y: 0, width: 40, height: height),
      try PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1),
      try PixelRegion(x: width - 300, y: 3, width: 300, height: 15),
      try PixelRegion(x: 32_760, y: 0, width: 20, height: height),
      try PixelRegion(x: 0, y: 7, width: width, height: 1),
    ])
  }

  @Test func `17 the highest picture that libjpeg reads is exact at both ends`() throws {
    let (width, height) = (19, 65_500)
    let made = try strip(width, height)
    try made.expectWindows([
      try PixelRegion(x: 0, y: 0, width: width, height: 40),
      try PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1),
      try PixelRegion(x: 3, y: height - 300, width: 15, height: 300),
      try PixelRegion(x: 0, y: 32_760, width: width, height: 20),
    ])
  }

  @Test(arguments: [JPEGEncoding.Restart.none, .mcus(7)])
  func `17 windows of a scan that begins behind five gigabytes are those of the same scan before`(
    restart: JPEGEncoding.Restart
  ) throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 85).with(\.restart, restart), 700, 200)
    let near = MemoryFile(try made.bytes, madeFrom: made.path)
    let far = try FarJPEG(made)
    let (nearby, faraway) = (try JPEGParser.parse(near), try JPEGParser.parse(far))
    #expect(faraway.codedStart == nearby.codedStart + far.distance)
    // Neither 32 bits of bytes nor 32 bits of bits can hold the offset.
    #expect(faraway.codedStart > 5 << 30)
    let indexes = [try SeekIndex.build(of: near, nearby), try SeekIndex.build(of: far, faraway)]
    let index = indexes[1]
    #expect(index.pointCount == indexes[0].pointCount && index.pointCount > 10)
    for number in 0..<index.pointCount {
      let point = try #require(index.point(at: number))
      let other = try #require(indexes[0].point(at: number))
      #expect(point.bit == other.bit + far.distance * 8)
      #expect(point.predictors == other.predictors)
    }
    func windowBytes(
      _ region: PixelRegion, _ file: any CodedSource, _ jpeg: JPEGStructure
    ) throws -> [UInt8] {
      let tables = try ScanTables(jpeg, of: file.path)
      let growing = GrowingIndex(file, jpeg, tables)
      let plan = try #require(try growing.plan([MCUWindow(jpeg, region: region)]).plans?.first)
      let encoder = WindowEncoder(jpeg: jpeg, tables: tables, file: file)
      return try #require(try encoder.encode(plan, noting: nil)).bytes
    }
    for region in try nearby.regions(30, seed: 17) {
      let isEqual = try isSame(windowBytes(region, near, nearby), windowBytes(region, far, faraway))
      #expect(isEqual, "\(region)")
    }
    // The points before it belong to the picture.
    try made.expectWindows([try PixelRegion(x: 300, y: 90, width: 60, height: 40)])
  }
}

/// A JPEG with five gigabytes of comments before its tables, generated when they are read.
private struct FarJPEG: CodedSource {
  let path: FilePath
  private let bytes: [UInt8]
  private let comments = 5 << 30 / Self.comment + 1
  /// A marker and a segment of the greatest length, which includes its two length bytes.
  private static let comment = 2 + 65_535
  /// Copied instead of generated, which takes a hundred times as long without optimisation.
  private static let zeros = [UInt8](repeating: 0, count: 1 << 19)

  init(_ made: MadeJPEG) throws {
    path = made.path
    bytes = try made.bytes
  }

  /// The distance by which the comments move the bytes after the start marker.
  var distance: Int { comments * Self.comment }

  var length: Int { bytes.count + distance }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
    let made = made(at: offset, count: target.count)
    target.copyBytes(from: made)
    return made.count
  }

  private func made(at offset: Int, count: Int) -> [UInt8] {
    precondition(count <= Self.zeros.count)
    let end = min(offset + count, length)
    guard offset < end else { return [] }
    var result = Array(Self.zeros[..<(end - offset)])
    func place(_ part: ArraySlice<UInt8>, at start: Int) {
      let from = max(start, offset)
      let to = min(start + part.count, end)
      guard from < to else { return }
      result.replaceSubrange(
        from - offset..<to - offset,
        with: part[part.startIndex + from - start..<part.startIndex + to - start])
    }
    place(bytes[..<2], at: 0)
    // From the first comment that overlaps the range to the last one that begins in it.
    for number in min(comments, max(0, offset - 2) / Self.comment)..<comments {
      let start = 2 + number * Self.comment
      guard start < end else { break }
      place([0xFF, 0xFE, 0xFF, 0xFF], at: start)
    }
    place(bytes[2...], at: 2 + distance)
    return result
  }

}
