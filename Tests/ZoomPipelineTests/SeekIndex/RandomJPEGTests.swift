import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// The law of windows by brute force: JPEGs of every kind at random, regions at random.
@Suite struct RandomJPEGTests {
  /// Side by side; each has a part of the pictures.
  private static let parts: UInt64 = 8
  private static let picturesAPart: UInt64 = 32

  /// Regions tried in a picture; a small one has fewer that differ.
  private static let attempts = 80

  private struct Counts {
    /// Regions out of windows of the picture itself.
    var checked = 0
    /// Regions out of windows of its sequential form.
    var checkedInForm = 0
    /// Regions that reach the end of a scan which breaks the rules behind its last MCU.
    var left = 0
    /// Pictures that cannot be entered.
    var refused = 0
    /// Pictures that libjpeg cannot read either.
    var unreadable = 0
  }

  @Test(arguments: 0..<parts)
  func `regions of any valid JPEG are of windows, with the pixels of the whole`(
    _ part: UInt64
  ) throws {
    var counts = Counts()
    for number in part * Self.picturesAPart..<(part + 1) * Self.picturesAPart {
      try check(number, &counts)
    }
    // At least 10,000 in all parts together.
    #expect(counts.checked * Int(Self.parts) >= 10_000, "\(counts)")
    #expect(counts.refused + counts.unreadable <= Int(Self.picturesAPart) * 2 / 5, "\(counts)")
    #expect(counts.checkedInForm > 0 && counts.left < 100, "\(counts)")
  }

  private func check(_ number: UInt64, _ counts: inout Counts) throws {
    let random = try RandomJPEG(number)
    let made = try MadeJPEG(random.jpeg.bytes)
    guard random.height != .late else {
      // libjpeg knows of no height behind the scan, so there are no pixels to agree on.
      #expect(throws: PipelineError.self, "\(number)") { try Reference(made.path) }
      #expect(throws: PipelineError.self, "\(number)") {
        try IndexedPipeline().open(made.path)
      }
      counts.unreadable += 1
      return
    }
    let picture = try Picture(made.path)
    let jpeg = try JPEGStructure(of: made.path)
    let reference = try Reference(made.path)
    let source = try open(made, random, &counts)
    for stored in try Self.regions(in: jpeg, seed: number) {
      let region = try picture.orientation.uprightRegion(
        forStored: stored, storedSize: picture.storedSize)
      let answer = try source.read(RegionRequest(region))
      let difference = answer.pixels.difference(from: reference.crop(region))
      #expect(difference == nil, "\(number): \(region)")
      if random.height == .twice, MCUWindow(jpeg, region: stored).end(jpeg) == jpeg.mcuCount {
        counts.left += 1
        continue
      }
      let wanted = jpeg.windowedMCUs(stored)
      #expect(answer.work.unitsDecoded == wanted, "\(number): \(region) is of no window")
      if random.isOneScan { counts.checked += 1 } else { counts.checkedInForm += 1 }
    }
  }

  /// Enters a picture, by way of an index with its sequential form where it must be.
  private func open(
    _ made: MadeJPEG, _ random: RandomJPEG, _ counts: inout Counts
  ) throws -> any RegionSource {
    if random.isOneScan { return try IndexedPipeline().open(made.path) }
    counts.refused += 1
    let error = #expect(throws: PipelineError.self) {
      try IndexedPipeline().open(made.path)
    }
    #expect(error?.code == .unsupported)
    let folder = try TestFolder()
    let store = SidecarStore(in: folder.path)
    try store.build(for: made.path)
    return try IndexedPipeline(stores: [store]).open(made.path)
  }

  /// Regions of the stored picture, all different: ends at MCUs' borders and the picture's edges as
  /// likely as anywhere, and a single row or column as likely as more of them.
  private static func regions(in jpeg: JPEGStructure, seed: UInt64) throws -> [PixelRegion] {
    var random = SplitMix64(seed: seed)
    func range(_ side: Int, _ mcu: Int) -> (start: Int, count: Int) {
      func place() -> Int {
        guard Bool.random(using: &random) else { return Int.random(in: 0..<side, using: &random) }
        let border = Int.random(in: 0...(side + mcu - 1) / mcu, using: &random) * mcu
        // A smooth chroma sample spreads over four pixels at most.
        return min(max(border + Int.random(in: -4...4, using: &random), 0), side - 1)
      }
      let one = place()
      let other = Bool.random(using: &random) ? one : place()
      return (min(one, other), abs(one - other) + 1)
    }
    var seen: Set<PixelRegion> = []
    // In the order of their making, which a set has not.
    return try (0..<attempts).compactMap { _ in
      let x = range(jpeg.size.width, jpeg.mcuSize.width)
      let y = range(jpeg.size.height, jpeg.mcuSize.height)
      let region = try PixelRegion(x: x.start, y: y.start, width: x.count, height: y.count)
      return seen.insert(region).inserted ? region : nil
    }
  }
}
