import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

struct RestartIndexTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func index(_ jpeg: JPEGBytes) throws -> (RestartIndex, JPEGStructure) {
    let file = try FileReader(folder.write(jpeg.bytes, as: "indexed.jpg"))
    let structure = try JPEGParser.parse(file)
    return (try RestartIndex.scan(file, structure), structure)
  }

  @Test(arguments: [1, 2, 3, 7, 12])
  func `starts stand behind every marker, and segments tile the coded data`(_ rows: Int) throws {
    var options = JPEGEncoding(quality: 85)
    options.restart = .rows(rows)
    let jpeg = try JPEGBytes(150, 203, options)
    let (index, _) = try index(jpeg)
    #expect(index.rowsPerSegment == rows)
    #expect(index.starts == [jpeg.codedStart] + jpeg.restarts.map { $0 + 1 })
    #expect(index.starts.count == (13 + rows - 1) / rows)
    #expect(index.end == jpeg.end - 1)
    let all = 0..<index.starts.count
    #expect(index.bytes(of: all) == jpeg.codedStart..<index.end)
    var position = jpeg.codedStart
    for segment in all {
      let bytes = index.bytes(of: segment..<segment + 1)
      #expect(bytes.lowerBound == position)
      #expect(!bytes.isEmpty)
      position = bytes.upperBound + 2
    }
    #expect(position == index.end + 2)
  }

  @Test func `markers are found across the borders of the blocks it reads`() throws {
    // Fill bytes move the markers one by one over the border of a block of 2^18 bytes.
    var options = JPEGEncoding(sampling: JPEGEncoding.Sampling.yCbCr444, quality: 100)
    options.restart = .rows(1)
    let jpeg = try JPEGBytes(600, 400, options)
    #expect(jpeg.bytes.count > 1 << 18)
    let border = jpeg.codedStart + (1 << 18)
    let before = try #require(jpeg.restarts.last { $0 + 4 < border })
    let gap = border - before
    for extra in gap - 3...gap + 3 {
      let moved = jpeg.patched {
        $0.insert(contentsOf: [UInt8](repeating: 0xFF, count: extra), at: before - 1)
      }
      let (index, _) = try index(moved)
      #expect(index.starts == [moved.codedStart] + moved.restarts.map { $0 + 1 }, "\(extra)")
    }
  }

  @Test func `coded FF bytes are no markers`() throws {
    // Noise at the best quality is full of stuffed FF 00.
    var options = JPEGEncoding(colour: .gray, quality: 100)
    options.restart = .rows(1)
    var numbers = SplitMix64(seed: 83)
    let noise = (0..<64 * 64).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    let scene = try #require(
      RasterScene(size: SceneSize(width: 64, height: 64), form: .gray8, bytes: noise))
    let jpeg = JPEGBytes(try JPEGEncoder.encode(scene, options))
    let stuffed = jpeg.bytes.indices.dropLast().filter {
      jpeg.bytes[$0] == 0xFF && jpeg.bytes[$0 + 1] == 0
    }
    #expect(stuffed.count > 3)
    #expect(try index(jpeg).0.starts.count == 8)
  }

  @Test func `cut anywhere in the coded data it is damaged`() throws {
    let jpeg = try JPEGBytes.small(70, 60)
    for length in stride(from: jpeg.codedStart, to: jpeg.end + 1, by: 13) {
      let error = #expect(throws: PipelineError.self, "\(length)") {
        try index(jpeg.patched { $0.removeSubrange(length...) })
      }
      #expect(error?.code == .damaged, "\(length)")
    }
    #expect(try index(jpeg.patched { $0.removeSubrange((jpeg.end + 1)...) }).0.end == jpeg.end - 1)
  }

  @Test func `what is not baseline in one scan with whole rows is unsupported`() async throws {
    for name in ["forest", "jpeg-restart-part", "jpeg-scans", "petronas-progressive"] {
      let file = try FileReader(try await CorpusPictures.file(name))
      let structure = try JPEGParser.parse(file)
      let error = #expect(throws: PipelineError.self, "\(name)") {
        try RestartIndex.scan(file, structure)
      }
      #expect(error?.code == .unsupported, "\(name)")
      #expect(throws: PipelineError.self) { try RestartIndex.check(structure, file: file.path) }
    }
  }

  @Test func `a scan reads the coded data once`() async throws {
    let file = try FileReader(try await CorpusPictures.file("pharmacy"))
    let index = try RestartIndex.scan(file, try JPEGParser.parse(file))
    #expect(index.starts.count == (1823 + 15) / 16)
    #expect(index.bytesScanned <= file.length)
    #expect(index.bytesScanned >= index.end)
  }
}
