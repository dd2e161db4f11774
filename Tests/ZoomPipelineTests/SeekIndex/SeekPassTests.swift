import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct SeekPassTests {
  private func pass(_ made: MadeJPEG) throws -> SeekPass {
    let file = try FileReader(made.path)
    return try SeekPass(file, JPEGParser.parse(file))
  }

  static let restarts: [JPEGEncoding.Restart] = [
    .none, .rows(1), .rows(3), .mcus(1), .mcus(7), .mcus(16), .mcus(31), .mcus(32), .mcus(500),
  ]

  @Test(arguments: restarts, [JPEGEncoding.Colour.gray, .yCbCr, .ycck])
  func `however far it is asked to go at a time, the points are the same`(
    restart: JPEGEncoding.Restart, colour: JPEGEncoding.Colour
  ) throws {
    var options = JPEGEncoding(colour: colour, quality: 92)
    options.restart = restart
    let made = try MadeJPEG(options, 330, 190, seed: 4)
    var whole = try pass(made)
    let mcus = try JPEGStructure(of: made.path).mcuCount
    try whole.advance(to: mcus)
    #expect(whole.index.isComplete && whole.mcu == mcus)
    #expect(whole.index.pointCount == (mcus - 1) / whole.index.spacing + 1)
    var random = SplitMix64(seed: 2)
    var stepped = try pass(made)
    var target = 0
    while !stepped.index.isComplete {
      target += Int.random(in: 0...40, using: &random)
      try stepped.advance(to: target)
      #expect(stepped.mcu == min(target, mcus) || stepped.mcu == mcus)
    }
    #expect(stepped.index == whole.index)
  }

  @Test func `a point is where the bits of its MCU begin`() throws {
    // Each point of a picture with a marker before every MCU lies behind one.
    var options = JPEGEncoding(quality: 90)
    options.restart = .mcus(1)
    let made = try MadeJPEG(options, 600, 40)
    var pass = try pass(made)
    try pass.advance(to: .max)
    let bytes = try made.bytes
    let restarts = JPEGBytes(bytes).restarts
    #expect(pass.index.pointCount > 3)
    for number in 1..<pass.index.pointCount {
      let point = try #require(pass.index.point(at: number))
      #expect(point.bit == (restarts[point.mcu - 1] + 1) * 8)
      #expect(point.predictors == [0, 0, 0])
    }
  }

  @Test func `fill bytes and bytes behind the end change no MCU's place but by their number`()
    throws
  {
    var options = JPEGEncoding(quality: 90)
    options.restart = .rows(1)
    options.trailingBytes = 99
    let made = try MadeJPEG(JPEGBytes(300, 100, options).filled(3).bytes)
    var pass = try pass(made)
    try pass.advance(to: .max)
    #expect(pass.index.isComplete)
    let bytes = try made.bytes
    let end = try #require(pass.index.scanEnd)
    #expect(Array(bytes[end..<end + 5]) == [0xFF, 0xFF, 0xFF, 0xFF, 0xD9])
  }

  @Test func `what it can take is found by what it says`() throws {
    let grey = try MadeJPEG(JPEGEncoding(colour: .gray), 20, 20)
    #expect(try JPEGStructure(of: grey.path).scanRefusal == nil)
    var options = JPEGEncoding()
    let extended = try MadeJPEG(JPEGBytes(20, 20, options).extended().bytes)
    #expect(try JPEGStructure(of: extended.path).scanRefusal == nil)
    options.isOneScanPerComponent = true
    let scans = try MadeJPEG(options, 20, 20)
    #expect(try JPEGStructure(of: scans.path).scanRefusal != nil)
    #expect(throws: PipelineError.self) { try pass(scans) }
  }

  @Test func `a restart marker out of turn ends the pass where it stands`() throws {
    var jpeg = try JPEGBytes.small()
    let place = jpeg.restarts[4]
    jpeg.bytes[place] ^= 1
    let made = try MadeJPEG(jpeg.bytes)
    var pass = try pass(made)
    let perRow = try JPEGStructure(of: made.path).mcusPerRow
    try pass.advance(to: 5 * perRow - 1)
    let error = #expect(throws: PipelineError.self) { try pass.advance(to: 5 * perRow) }
    #expect(error?.code == .unsupported)
  }

  @Test func `a file that is cut off is damaged, not done`() throws {
    let whole = try JPEGBytes(150, 203, JPEGEncoding(quality: 85)).bytes
    let made = try MadeJPEG(Array(whole.prefix(whole.count * 2 / 3)))
    var pass = try pass(made)
    let error = #expect(throws: PipelineError.self) { try pass.advance(to: 3) }
    #expect(error?.code == .damaged)
  }

  @Test(arguments: [false, true])
  func `fill bytes longer than a stretch end the pass, and do not hold it`(
    isAtEnd: Bool
  ) throws {
    var jpeg = try JPEGBytes.small()
    let place = (isAtEnd ? jpeg.end : jpeg.restarts[3]) - 1
    jpeg.bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: 600_000), at: place)
    let made = try MadeJPEG(jpeg.bytes)
    var pass = try pass(made)
    for _ in 0..<2 {
      let error = #expect(throws: PipelineError.self) { try pass.advance(to: .max) }
      #expect(error?.code == .unsupported)
    }
  }

  @Test func `what broke once is not tried again, and what is above stays`() throws {
    var jpeg = try JPEGBytes.small()
    let place = jpeg.restarts[4]
    jpeg.bytes[place] ^= 1
    let made = try MadeJPEG(jpeg.bytes)
    var pass = try pass(made)
    let perRow = try JPEGStructure(of: made.path).mcusPerRow
    try pass.advance(to: 2 * perRow)
    let (index, mcu) = (pass.index, pass.mcu)
    for _ in 0..<3 {
      #expect(throws: PipelineError.self) { try pass.advance(to: .max) }
      #expect(pass.mcu == mcu)
    }
    #expect(Array(pass.index.records.prefix(index.records.count)) == index.records)
    let bits = (0..<pass.index.pointCount).compactMap { pass.index.point(at: $0)?.bit }
    #expect(bits == bits.sorted() && Set(bits).count == bits.count)
  }

  @Test func `another scan behind the first is no end`() throws {
    var jpeg = try JPEGBytes(60, 60, JPEGEncoding(quality: 85))
    let scan = try #require(jpeg.places(of: 0xDA).first)
    let header = jpeg.bytes[scan - 1..<jpeg.codedStart]
    jpeg.bytes.replaceSubrange(
      jpeg.bytes.count - 2..<jpeg.bytes.count, with: header + [1, 0xFF, 0xD9])
    let made = try MadeJPEG(jpeg.bytes)
    var pass = try pass(made)
    let error = #expect(throws: PipelineError.self) { try pass.advance(to: .max) }
    #expect(error?.code == .unsupported)
  }
}
