import PropertyTesting
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct GrowingIndexTests {
  /// A file that calls a function before each read.
  private struct WatchedFile: CodedSource {
    let inner: any CodedSource
    let onRead: @Sendable () throws(PipelineError) -> Void

    var path: FilePath { inner.path }
    var length: Int { inner.length }

    func read(
      at offset: Int, into target: UnsafeMutableRawBufferPointer
    ) throws(PipelineError) -> Int {
      try onRead()
      return try inner.read(at: offset, into: target)
    }
  }

  /// Numbers the reads of a file, so that one of them can fail.
  private final class Reads: Sendable {
    let count: Mutex<Int>

    init(from first: Int = 0) { count = Mutex(first) }

    func file(_ inner: any CodedSource, failing: Int?) -> WatchedFile {
      WatchedFile(inner: inner) { () throws(PipelineError) in
        let number = self.count.withLock { count in
          defer { count += 1 }
          return count
        }
        guard number == failing else { return }
        throw PipelineError(.unreadable, operation: "read", file: "made.jpg", reason: "not now")
      }
    }
  }

  private let picture: MadeJPEG
  private let file: FileReader
  private let jpeg: JPEGStructure

  init() throws {
    picture = try MadeJPEG(JPEGEncoding(), 320, 200)
    file = try FileReader(picture.path)
    jpeg = try JPEGParser.parse(file)
  }

  private func index(of file: any CodedSource) throws -> GrowingIndex {
    let jpeg = try JPEGParser.parse(file)
    return GrowingIndex(file, jpeg, try ScanTables(jpeg, of: file.path))
  }

  private func window(_ y: Int) throws -> MCUWindow {
    MCUWindow(jpeg, region: try PixelRegion(x: 100, y: y, width: 40, height: 9))
  }

  static let restarts: [JPEGEncoding.Restart] = [
    .none, .rows(1), .rows(3), .mcus(1), .mcus(7), .mcus(16), .mcus(31), .mcus(500),
  ]

  // MARK: Points

  /// Returns the points found by one reader that passes through the whole scan.
  private func serial(_ file: any CodedSource) throws -> [EntryPoint] {
    let jpeg = try JPEGParser.parse(file)
    var reader = try ScanReader(
      file, jpeg, try ScanTables(jpeg, of: file.path), spacing: SeekIndex.spacing(for: jpeg),
      at: EntryPoint(mcu: 0, bit: jpeg.codedStart * 8, predictors: .zero), expecting: 1000)
    try reader.skip(to: jpeg.mcuCount)
    return reader.found
  }

  @Test(arguments: restarts, [JPEGEncoding.Colour.gray, .yCbCr, .ycck])
  func `however the index grows, its points are those of one pass from the top`(
    restart: JPEGEncoding.Restart, colour: JPEGEncoding.Colour
  ) throws {
    let options = JPEGEncoding(colour: colour, quality: 92).with(\.restart, restart)
    let file = MemoryFile(
      try JPEGBytes(330, 190, options).filled(3).bytes, madeFrom: "made.jpg")
    let jpeg = try JPEGParser.parse(file)
    let expected = try serial(file)
    #expect(expected.count == (jpeg.mcuCount - 1) / SeekIndex.spacing(for: jpeg) + 1)
    let whole = try SeekIndex.build(of: file, jpeg)
    #expect((0..<whole.pointCount).compactMap { whole.point(at: $0) } == expected)
    // Peeks grow the index first, then the rest is completed.
    let growing = try index(of: file)
    for region in try jpeg.regions(12, seed: 5) {
      let plan = try #require(try growing.plan([MCUWindow(jpeg, region: region)]).plans?.first)
      _ = try #require(try growing.encode(plan))
      let known = growing.known.withLock { $0.points }
      for (number, point) in expected.enumerated() {
        #expect(known.point(at: number) ?? point == point)
      }
    }
    let known = growing.known.withLock { $0.points }
    #expect(expected.indices.dropFirst().contains { known.point(at: $0) != nil })
    #expect(try growing.complete() == whole)
  }

  /// A scan with concurrent parts, whose borders are in noise, texture or flat rows.
  ///
  /// In flat rows the order of blocks cannot be seen.
  @Test(arguments: 0..<4)
  func `parts that are scanned from their middle find the points of one pass`(kind: Int) throws {
    var random = SplitMix64(seed: UInt64(kind))
    let size = try PixelSize(width: 1200, height: kind == 3 ? 3000 : 900)
    let bytes = (0..<size.area * 3).map { place -> UInt8 in
      let row = place / (size.width * 3)
      switch kind {
      case 0: return UInt8.random(in: 0...255, using: &random)
      case 1: return UInt8.random(in: 60...140, using: &random)
      case 2: return row / 100 % 2 == 0 ? 90 : UInt8.random(in: 0...255, using: &random)
      default: return row < 2900 ? 90 : UInt8.random(in: 0...255, using: &random)
      }
    }
    let file = MemoryFile(
      try JPEGEncoder.encode(bytes, size: size, JPEGEncoding(quality: kind == 0 ? 70 : 90)),
      madeFrom: "made.jpg")
    let jpeg = try JPEGParser.parse(file)
    if kind < 3 { #expect(file.length > 3 * EntropyPass.partLength) }
    let whole = try SeekIndex.build(of: file, jpeg)
    #expect((0..<whole.pointCount).compactMap { whole.point(at: $0) } == (try serial(file)))
  }

  // MARK: Peeks

  @Test func `a window needs no more than the data above its end`() throws {
    let growing = try index(of: file)
    #expect(!growing.hasGrown)
    var walked = 0
    for y in [0, 100, 40, 170, 3] {
      let (plans, work) = try growing.plan([window(y)])
      #expect(plans?.count == 1)
      walked += work.unitsWalked
      // The second request needs no work.
      #expect(try growing.plan([window(y)]).work == .none)
    }
    #expect(growing.hasGrown && walked <= jpeg.mcuCount)
    growing.forget()
    #expect(!growing.hasGrown)
    #expect(try growing.plan([window(100)]).work.unitsWalked > 0)
  }

  @Test func `a stored index leaves nothing to scan`() throws {
    try picture.store.build(for: picture.path)
    let stored = try picture.store.load(for: picture.path).get()
    let tables = try ScanTables(jpeg, of: file.path)
    let growing = GrowingIndex(file, jpeg, tables, stored: stored)
    #expect(growing.hasGrown)
    // The block of points is read once, and no MCU is scanned.
    #expect(try growing.plan([window(180)]).work.unitsWalked == 0)
    #expect(try growing.plan([window(180)]).work == .none)
    #expect(try growing.complete() == SeekIndex.build(of: file, jpeg))
    growing.forget()
    #expect(growing.hasGrown)
  }

  @Test func `a request for known data does not wait for one that scans`() throws {
    let isClosed = Mutex(false)
    let (arrival, opening) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let gated = WatchedFile(inner: file) { () throws(PipelineError) in
      guard isClosed.withLock({ $0 }) else { return }
      arrival.signal()
      opening.wait()
    }
    let growing = try index(of: gated)
    _ = try growing.plan([window(0)])
    isClosed.withLock { $0 = true }
    let low = try window(180)
    let isPlanned = Mutex(false)
    let end = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let plans = try? growing.plan([low]).plans
      isPlanned.withLock { $0 = plans != nil }
      end.signal()
    }
    // The scan has begun and is blocked.
    arrival.wait()
    let (plans, work) = try growing.plan([window(0)])
    #expect(plans != nil && work == .none)
    isClosed.withLock { $0 = false }
    opening.signal()
    end.wait()
    #expect(isPlanned.withLock { $0 })
  }

  @Test func `short passes do not keep longer ones from scanning parts concurrently`() throws {
    let growing = try index(of: file)
    for y in stride(from: 0, to: 100, by: 10) { _ = try growing.plan([window(y)]) }
    let parts = growing.growth.withLock { $0.parts }
    #expect((parts.count, parts.misses) == (EntropyPass.mostParts, 0))
  }

  @Test(arguments: [JPEGEncoding.Restart.rows(1), .rows(3)])
  func `a read of markers that fails leaves every start in its place`(
    restart: JPEGEncoding.Restart
  ) throws {
    // Several of the blocks in which the file is searched for markers.
    let made = try JPEGBytes(1000, 300, JPEGEncoding(quality: 97).with(\.restart, restart))
    let folder = try TestFolder()
    let file = try FileReader(folder.write(made.bytes, as: "made.jpg"))
    #expect(made.bytes.count > 3 << 15)
    let wanted = try index(of: file).complete()
    for failing in 0..<4 {
      // Reads of the headers do not count.
      let reads = Reads(from: Int.min)
      let watched = reads.file(file, failing: failing)
      let growing = try index(of: watched)
      reads.count.withLock { $0 = 0 }
      var answer: SeekIndex?
      for _ in 0..<2 where answer == nil { answer = try? growing.complete() }
      let isSame = answer == wanted
      #expect(isSame, "read \(failing)")
    }
  }

  // MARK: Damage

  @Test(arguments: [JPEGEncoding.Restart.rows(1), .rows(5), .mcus(7)])
  func `data after a marker out of turn is irregular, and data before it is not`(
    restart: JPEGEncoding.Restart
  ) throws {
    var made = try JPEGBytes(320, 200, JPEGEncoding().with(\.restart, restart))
    let number = made.restarts.count / 2
    made.bytes[made.restarts[number]] ^= 1
    let growing = try index(of: MemoryFile(made.bytes, madeFrom: "made.jpg"))
    expectError(.unsupported) { try growing.complete() }
    #expect(try growing.plan([window(0)]).plans != nil)
    for _ in 0..<2 { #expect(try growing.plan([window(190)]).plans == nil) }
  }

  /// A restart marker is missing; it is searched for in the data after the interval, twice.
  @Test func `a read that fails is an error of the pass, also where the data is irregular`()
    throws
  {
    let size = try PixelSize(width: 1000, height: 900)
    var random = SplitMix64(seed: 9)
    let noise = (0..<size.area).map { _ in UInt8.random(in: 0...255, using: &random) }
    let options = JPEGEncoding(colour: .gray, quality: 100).with(\.restart, .rows(50))
    var made = JPEGBytes(try JPEGEncoder.encode(noise, size: size, options))
    let marker = made.restarts[0]
    made.bytes.removeSubrange(marker - 1...marker)
    let file = MemoryFile(made.bytes, madeFrom: "made.jpg")
    let jpeg = try JPEGParser.parse(file)
    let tables = try ScanTables(jpeg, of: file.path)
    /// Scans the first interval and returns the number of reads; the read numbered `failing` fails.
    func reads(failing: Int?) throws -> Int {
      let reads = Reads()
      let watched = reads.file(file, failing: failing)
      let pass = EntropyPass(file: watched, jpeg: jpeg, tables: tables, spacing: 16)
      let start = EntryPoint(mcu: 0, bit: jpeg.codedStart * 8, predictors: .zero)
      let progress = try pass.advance(from: start, to: jpeg.restartInterval, parts: 1)
      #expect(progress.isIrregular && progress.end.mcu == jpeg.restartInterval)
      return reads.count.withLock { $0 }
    }
    let count = try reads(failing: nil)
    #expect(count > 2)
    for number in 0..<count {
      expectError(.unreadable, "read \(number)") { try reads(failing: number) }
    }
  }

  /// A flipped bit shifts all codes up to the next marker.
  @Test(arguments: [JPEGEncoding.Restart.none, .rows(2), .mcus(3)])
  func `broken data gives the points of one pass, or none`(restart: JPEGEncoding.Restart) throws {
    let whole = try JPEGBytes(300, 200, JPEGEncoding(quality: 85).with(\.restart, restart))
    var random = SplitMix64(seed: 6)
    var (found, refused) = (0, 0)
    for _ in 0..<150 {
      let place = Int.random(in: whole.codedStart..<whole.end, using: &random)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      let file = MemoryFile(whole.patched { $0[place] ^= bit }.bytes, madeFrom: "made.jpg")
      let jpeg = try JPEGParser.parse(file)
      if let index = try? SeekIndex.build(of: file, jpeg) {
        #expect((0..<index.pointCount).compactMap { index.point(at: $0) } == (try serial(file)))
        found += 1
      } else {
        refused += 1
      }
    }
    #expect(found > 3 && refused > 10)
  }

  @Test(arguments: [false, true])
  func `fill bytes longer than one read end the scan`(
    isAtEnd: Bool
  ) throws {
    var jpeg = try JPEGBytes.small()
    let place = (isAtEnd ? jpeg.end : jpeg.restarts[3]) - 1
    jpeg.bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: 600_000), at: place)
    let file = MemoryFile(jpeg.bytes, madeFrom: "made.jpg")
    expectError(.unsupported) { try SeekIndex.build(of: file, try JPEGParser.parse(file)) }
  }
}
