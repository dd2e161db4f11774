import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests windows by brute force: random JPEGs of every kind, random regions.
@Suite struct RandomJPEGTests {
  /// Runs in parallel, each argument with a part of the pictures.
  @Test(arguments: 0..<(Thoroughness.pick(2, full: 8)) as Range<UInt64>)
  func `regions of any valid JPEG come from windows and have the pixels of the whole`(
    _ part: UInt64
  ) throws {
    var (checked, checkedInForm, left, unentered) = (0, 0, 0, 0)
    for number in part * 32..<(part + 1) * 32 {
      let random = try RandomJPEG(number)
      let made = try MadeJPEG(random.jpeg.bytes)
      if random.height == .late || !random.isOneScan {
        #expect(throws: PipelineError.self, "\(number)") { try PartialPipeline().open(made.path) }
        unentered += 1
      }
      guard random.height != .late else {
        // libjpeg does not read a height after the scan, so there is nothing to compare with.
        #expect(throws: PipelineError.self, "\(number)") { try Reference(made.path) }
        continue
      }
      let needsForm = try SequentialForm.isNeeded(for: JPEGStructure(of: made.path))
      #expect(needsForm == !random.isOneScan, "\(number)")
      let regions = try made.regions(80, seed: number)
      let source = try random.isOneScan ? PartialPipeline().open(made.path) : made.openIndexed()
      let isWindow = try made.expectExact(regions, from: source, "\(number)")
      let windows = isWindow.count { $0 }
      // A second height ends the scan unexpectedly, so libvips reads the regions at its end.
      if random.height == .twice { left += isWindow.count - windows }
      #expect(random.height == .twice || windows == isWindow.count, "\(number)")
      if random.isOneScan { checked += windows } else { checkedInForm += windows }
    }
    // At least 10,000 regions in the eight parts of a full run.
    #expect(checked * 8 >= 10_000 && checkedInForm > 0, "\(checked) \(checkedInForm)")
    #expect(unentered <= 12 && left < 100, "\(unentered) \(left)")
  }
}
