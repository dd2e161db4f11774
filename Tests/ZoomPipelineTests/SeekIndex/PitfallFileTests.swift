import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Known faults of partial JPEG readers: damage, stale indexes, concurrency (see `PitfallTests`).
@Suite struct PitfallFileTests {
  private let folder: TestFolder
  private let store: SidecarStore

  init() throws {
    folder = try TestFolder()
    store = SidecarStore(in: folder.path)
  }

  /// Returns a region of 40x20 whose first row is `y`, for pictures 640 pixels wide.
  private func band(_ y: Int) throws -> PixelRegion {
    try PixelRegion(x: 300, y: y, width: 40, height: 20)
  }

  @Test func `15 a file that is cut off is an error at once, even above the cut`() throws {
    let bytes = try MadeJPEG(JPEGEncoding(quality: 80), 640, 320).bytes
    let cut = try MadeJPEG(Array(bytes.prefix(bytes.count * 3 / 4)))
    #expect(throws: PipelineError.self) { try Reference(cut.path) }
    expectError(.damaged) { try IndexedPipeline().open(cut.path) }
  }

  @Test(arguments: ["a restart marker out of turn", "a fill byte in coded data"])
  func `15 below damage are the full decode's pixels, and what was entered above it stays`(
    _ what: String
  ) throws {
    // 20 rows of 40 MCUs.
    let isMarker = what.contains("restart")
    let options = JPEGEncoding(quality: 80).with(\.restart, isMarker ? .rows(1) : .none)
    var jpeg = JPEGBytes(try MadeJPEG(options, 640, 320).bytes)
    if isMarker {
      jpeg.bytes[jpeg.restarts[9]] ^= 1
    } else {
      // In the middle, in row 9 or 10; libjpeg tolerates it.
      let middle = (jpeg.codedStart + jpeg.bytes.count) / 2
      let stuffed = try #require(
        (middle..<jpeg.bytes.count - 1).first { jpeg.bytes[$0] == 0xFF && jpeg.bytes[$0 + 1] == 0 })
      jpeg.bytes.insert(0xFF, at: stuffed)
    }
    let isWindow = try MadeJPEG(jpeg.bytes).expectExact([60, 280, 60, 220, 0].map(band), what)
    #expect(isWindow == [true, false, true, false, true])
  }

  /// Only the data after the scan is unexpected, such as a second height.
  @Test func `15 a scan that ends in disorder is entered, but has no whole index`() throws {
    var jpeg = JPEGBytes(try MadeJPEG(JPEGEncoding(quality: 80), 640, 320).bytes)
    // A DNL segment (T.81, B.2.5) with 1 x 256 + 64 lines, which libjpeg ignores.
    jpeg.bytes.insert(contentsOf: [0xFF, 0xDC, 0, 4, 1, 64], at: jpeg.end - 1)
    let made = try MadeJPEG(jpeg.bytes)
    let (foot, above) = (try PixelRegion(x: 620, y: 300, width: 20, height: 20), try band(60))
    try made.expectWindows([above, foot, above, foot])
    expectError(.unsupported) { try store.build(for: made.path) }
  }

  @Test func `16 an index of a file as it was is not used, be length and time the same`() throws {
    let options = JPEGEncoding(quality: 80).with(\.restart, .rows(1))
    var jpeg = JPEGBytes(try MadeJPEG(options, 300, 200).bytes)
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    try store.build(for: path)
    #expect(try store.refusal(for: path) == nil)
    let before = try FileVersion(of: path)
    // Another picture with another quantisation of luma.
    let table = try #require(jpeg.places(of: 0xDB).first)
    jpeg.bytes[table + 10] ^= 1
    try folder.write(jpeg.bytes, as: "a.jpg")
    try setModified(path, to: before.modified)
    #expect(try FileVersion(of: path).hasSameContent(as: before))
    #expect(try store.refusal(for: path)?.kind == "stale")
    try expectExact(path, isStored: false)
    // A shorter file with an end marker: the index points past its end.
    let cut = jpeg.restarts[5] - 1
    try folder.write(Array(jpeg.bytes[..<cut]) + [0xFF, 0xD9], as: "a.jpg")
    #expect(try store.refusal(for: path)?.kind == "stale")
  }

  @Test func `16 an index of another picture, or one that was tampered with, is not used`() throws {
    let options = JPEGEncoding(quality: 80)
    let path = try folder.write(try MadeJPEG(options, 300, 200).bytes, as: "a.jpg")
    let other = try folder.write(try MadeJPEG(options, 300, 200, seed: 2).bytes, as: "b.jpg")
    try store.build(for: path)
    try store.build(for: other)
    let (place, sidecar) = (try store.location(for: path), try store.location(for: other))
    let (own, others) = (try bytes(of: place), try bytes(of: sidecar))
    try expectExact(path, isStored: true)
    var tampered = own
    // Offsets and predictors of the records are at the end.
    tampered[tampered.count - 60] ^= 4
    // Points are verified when a peek needs them; wrong ones cause a scan of the picture.
    for (wrong, isOpened) in [
      (others, false), (tampered, true), (Array(own.dropLast()), false), ([], false),
    ] {
      try AtomicFile.write(wrong, to: place)
      #expect(try store.refusal(for: path) != nil)
      try expectExact(path, isStored: isOpened)
    }
  }

  /// Expects exact pixels, with or without the stored index.
  private func expectExact(_ path: FilePath, isStored: Bool) throws {
    let source = try IndexedPipeline(stores: [store]).open(path)
    #expect((source.state == .index) == isStored)
    let reference = try Reference(path)
    let jpeg = try JPEGStructure(of: path)
    for region in try jpeg.regions(20, seed: 16) {
      let answer = try source.read(RegionRequest(region))
      #expect(answer.pixels.difference(from: reference.crop(region)) == nil, "\(region)")
      #expect(jpeg.isWindow(answer.work.unitsDecoded, of: region), "\(region)")
    }
  }

  @Test func `19 peeks at once, while the index grows and another is written, are exact`()
    async throws
  {
    let path = try folder.write(
      try MadeJPEG(JPEGEncoding(quality: 80), 600, 400).bytes, as: "a.jpg")
    let (jpeg, reference) = (try JPEGStructure(of: path), try Reference(path))
    let growing = try IndexedPipeline().open(path)
    let store = store
    let regions = try jpeg.regions(60, seed: 19)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        // Each build writes a whole file, which replaces the one before.
        group.addTask { for _ in 0..<10 { try store.build(for: path) } }
      }
      for region in regions {
        group.addTask {
          for source in [growing, try IndexedPipeline(stores: [store]).open(path)] {
            let answer = try source.read(RegionRequest(region))
            let difference = answer.pixels.difference(from: reference.crop(region))
            #expect(difference == nil, "\(region)")
            #expect(jpeg.isWindow(answer.work.unitsDecoded, of: region), "\(region)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(growing.state == .index)
    #expect(try store.refusal(for: path) == nil)
  }

  @Test func `20 a peek's work is the same at the top and at the foot, and small`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 640, 1280)
    let grown = try IndexedPipeline().open(made.path)
    _ = try grown.read(RegionRequest(PixelRegion(x: 0, y: 1279, width: 1, height: 1)))
    // A picture without entry points.
    let progressive = try MadeJPEG.progressive(640, 1280)
    for (source, length) in [
      (grown, try made.bytes.count),
      (try progressive.openIndexed(), try progressive.bytes.count),
    ] {
      #expect(source.state == .index)
      let works = try [0, 320, 1120].map { y in
        try source.read(RegionRequest(PixelRegion(x: 240, y: y + 40, width: 100, height: 100))).work
      }
      #expect(Set(works.map(\.unitsDecoded)).count == 1)
      #expect(Set(works.map(\.unitsWalked)).count == 1)
      // At most eight rows in the window, with fewer than 16 MCUs before each.
      #expect(works[0].unitsWalked <= 8 * 15)
      for work in works { #expect(try #require(work.bytesRead) * 4 < length) }
    }
  }
}
