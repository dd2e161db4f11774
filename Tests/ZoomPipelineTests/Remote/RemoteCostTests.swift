import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// The counts that Documentation/Remote.md promises, on pictures of the corpus.
@Suite struct RemoteCostTests {
  private static let address = "https://host.example/photo"

  /// Regions of 375 x 375 pixels in all parts of a picture.
  private func regions(of size: PixelSize, _ count: Int) throws -> [PixelRegion] {
    var numbers = SplitMix64(seed: 41)
    let (width, height) = (min(375, size.width), min(375, size.height))
    return try (0..<count).map { _ in
      try PixelRegion(
        x: Int.random(in: 0...size.width - width, using: &numbers),
        y: Int.random(in: 0...size.height - height, using: &numbers), width: width, height: height)
    }
  }

  @Test func `petronas with its index takes two round trips, later peeks one`() async throws {
    let path = try await CorpusPictures.file("petronas")
    let folder = try TestFolder()
    let key = SidecarKeyFile(folder.path.appending("key"))
    let made = SidecarStore(.folder(folder.path), key: key)
    let photo = try bytes(of: path)
    let name = FilePath(Self.address)
    try made.build(for: name, limits: MemoryServer([Self.address: photo]).limits())
    let server = MemoryServer([
      Self.address: photo, Self.address + ".zidx": try bytes(of: made.location(for: name)),
    ])
    let source = try PartialPipeline(
      stores: [SidecarStore(.beside, key: key)], limits: server.limits(expectsIndex: true)
    ).open(name)
    #expect(source.state == .index)
    let local = SidecarStore(in: folder.path)
    try local.build(for: path)
    let own = try PartialPipeline(stores: [local]).open(path)
    for (number, region) in try regions(of: source.size, 20).enumerated() {
      let (answer, expected) = (
        try source.read(RegionRequest(region)), try own.read(RegionRequest(region))
      )
      #expect(answer.pixels == expected.pixels)
      var fetched = try #require(answer.work.fetched)
      if number == 0 {
        fetched = fetched + (try #require(source.openingWork.fetched))
        #expect(fetched.roundTrips <= 2 && fetched.bytes <= 220_000, "\(fetched)")
      } else {
        #expect(fetched.roundTrips <= 1, "\(fetched)")
        let read = try #require(expected.work.bytesRead)
        // What an earlier peek fetched beside its own bytes may serve this one.
        #expect(fetched.bytes * 10 <= read * 13, "\(fetched), \(read) bytes read")
      }
    }
  }

  @Test func `without an index, a peek fetches little more than what is above it`() async throws {
    for picture in ["petronas", "petronas-norestart"] {
      let photo = try bytes(of: try await CorpusPictures.file(picture))
      let server = MemoryServer([Self.address: photo])
      let source = try PartialPipeline(limits: server.limits()).open(FilePath(Self.address))
      let size = source.size
      let region = try PixelRegion(x: 1000, y: size.height / 2, width: 375, height: 375)
      let fetched = try #require(try source.read(RegionRequest(region)).work.fetched)
      let share = Double(region.maxY) / Double(size.height)
      #expect(Double(server.sent) <= (share + 0.15) * Double(photo.count), "\(picture): \(fetched)")
      #expect(fetched.roundTrips <= 4, "\(picture): \(fetched)")
    }
  }

  @Test func `every corpus picture has the pixels of the local file`() async throws {
    var tried = 0
    for picture in try CorpusPictures.all() {
      let path = try await CorpusPictures.file(picture.name)
      guard let local = try? StandardPipelines().automatic.open(path) else { continue }
      let server = MemoryServer([Self.address: try bytes(of: path)])
      let source = try StandardPipelines(limits: server.limits()).automatic
        .open(FilePath(Self.address))
      #expect(source.size == local.size, "\(picture.name)")
      for region in try regions(of: source.size, 5) {
        let request = RegionRequest(region)
        #expect(
          try source.read(request).pixels == local.read(request).pixels,
          "\(picture.name): \(region)")
        tried += 1
      }
    }
    #expect(tried > 100)
  }

  @Test func `threads read the same pixels, and no byte is fetched twice`() async throws {
    let path = try await CorpusPictures.file("jpeg-422")
    let server = MemoryServer([Self.address: try bytes(of: path)])
    let source = try PartialPipeline(limits: server.limits()).open(FilePath(Self.address))
    let local = try PartialPipeline().open(path)
    let regions = try regions(of: source.size, 40)
    let right = try concurrently(8) { number throws(PipelineError) in
      var same = 0
      // Each thread takes them in an order of its own.
      for place in regions.indices {
        let region = regions[(place * (2 * number + 1) + number) % regions.count]
        let expected = try local.read(RegionRequest(region)).pixels
        if try source.read(RegionRequest(region)).pixels == expected { same += 1 }
      }
      return same
    }
    #expect(right.allSatisfy { $0 == regions.count })
    var seen = RangeSet<Int>()
    for asked in server.asked.joined() {
      #expect(seen.intersection(RangeSet([asked.range])).isEmpty)
      seen.insert(contentsOf: asked.range)
    }
  }
}
