import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// `skip` is exact, does less than `sequential`, and fails where that fails.
struct SkipPipelineTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: 0..<WindowStructureTests.samplings.count)
  func `every sampling is exact at every kind of place, one to one and reduced`(
    _ number: Int
  ) throws {
    let (name, colour, sampling) = WindowStructureTests.samplings[number]
    for (width, height) in [(149, 150), (131, 97), (98, 67), (64, 64)] {
      let options = JPEGEncoding(colour: colour, sampling: sampling, quality: 80)
      try expectExact(JPEGBytes(width, height, options), "\(name) \(width)x\(height)", thinned: 2)
    }
  }

  /// Pictures of less than an MCU, of one pixel more, and of less than 3 columns of chroma.
  @Test(
    arguments: [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 65],
    [0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 21])
  func `pictures about as large as an MCU are exact`(_ side: Int, _ number: Int) throws {
    let (name, colour, sampling) = WindowStructureTests.samplings[number]
    for (width, height) in [(side, 35), (35, side), (side, side)] {
      let options = JPEGEncoding(colour: colour, sampling: sampling, quality: 90)
      try expectExact(JPEGBytes(width, height, options), "\(name) \(width)x\(height)", thinned: 9)
    }
  }

  @Test(arguments: ["restarts in rows", "restarts", "optimised tables", "extended", "metadata"])
  func `what may stand around and in the coded data changes nothing`(_ what: String) throws {
    var options = JPEGEncoding(quality: 85)
    switch what {
    case "restarts in rows": options.restart = .rows(2)
    case "restarts": options.restart = .mcus(7)
    case "optimised tables": options.coding = .optimised
    case "extended": break
    default:
      options.metadata.icc = [UInt8](repeating: 0xFF, count: 130_000)
      options.trailingBytes = 4000
    }
    let made = try JPEGBytes(150, 203, options).filled(what == "metadata" ? 3 : 0)
    try expectExact(what == "extended" ? made.extended() : made, what, thinned: 3)
  }

  @Test(arguments: ["forest", "pharmacy", "petronas-norestart"])
  func `random peeks into large pictures are exact`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let reference = try Reference(path)
    let source = try SkipPipeline().open(path)
    let size = source.size
    var numbers = SplitMix64(seed: 95)
    for _ in 0..<40 {
      let side = Int.random(in: 1...375, using: &numbers)
      let region = try PixelRegion(
        x: Int.random(in: 0...size.width - side, using: &numbers),
        y: Int.random(in: 0...size.height - side, using: &numbers), width: side, height: side)
      let pixels = try source.read(RegionRequest(region)).pixels
      #expect(pixels.difference(from: reference.crop(region)) == nil, "\(region)")
    }
  }

  // MARK: Work

  @Test(arguments: ["forest", "jpeg-444", "jpeg-410", "jpeg-422", "grey", "grey-2x2", "ycck"])
  func `every MCU down to the region's foot is decoded or walked through, never both`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try SkipPipeline().open(path)
    let jpeg = try JPEGStructure(of: path)
    for region in try TellingRegions(of: source.size, seed: 96).random(20) {
      let work = try source.read(RegionRequest(region)).work
      let label = "\(region) \(work)"
      let decoded = try #require(work.unitsDecoded)
      #expect((decoded + work.unitsWalked).isMultiple(of: jpeg.mcusPerRow), "\(label)")
      #expect(decoded + work.unitsWalked <= jpeg.mcuCount, "\(label)")
      #expect(
        (decoded + work.unitsWalked) / jpeg.mcusPerRow * jpeg.mcuSize.height >= region.maxY,
        "\(label)")
      // At most two columns and two rows of MCUs more than the region touches.
      let across = region.width / jpeg.mcuSize.width + 4
      let down = region.height / jpeg.mcuSize.height + 5
      let isCropped =
        jpeg.components.count > 1
        || jpeg.components[0].horizontal * jpeg.components[0].vertical == 1
      #expect(decoded <= (isCropped ? across : jpeg.mcusPerRow) * down, "\(label)")
      #expect(work.pixelsDelivered == region.area)
      #expect(try #require(work.pixelsDecoded) >= region.area, "\(label)")
    }
  }

  @Test func `the lower a region, the more bytes are read, at the top few`() async throws {
    let path = try await CorpusPictures.file("forest")
    let source = try SkipPipeline().open(path)
    let length = try FileVersion(of: path).length
    let read = try (0..<6).map { step in
      let region = try PixelRegion(x: 5, y: step * 239, width: 9, height: 3)
      return try #require(try source.read(RegionRequest(region)).work.bytesRead)
    }
    #expect(read == read.sorted())
    #expect(read[0] * 4 < length)
    #expect(read[5] > length / 2 && read[5] <= length)
  }

  @Test func `it keeps the open file`() async throws {
    let source = try SkipPipeline().open(try await CorpusPictures.file("grey"))
    _ = try source.read(RegionRequest(PixelRegion(x: 0, y: 0, width: 1, height: 1)))
    #expect(source.state == .openFile)
    source.forget()
    #expect(source.state == .openFile)
  }

  // MARK: Refusals and damage

  @Test(arguments: ["petronas-progressive", "jpeg-scans", "png", "webp", "tiff-tiled"])
  func `what it saves nothing on is refused with a reason`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let error = #expect(throws: PipelineError.self) { try SkipPipeline().open(path) }
    #expect(error?.code == .unsupported)
    #expect(error?.file == path)
    #expect(error?.reason.isEmpty == false)
  }

  @Test func `a flipped bit gives what sequential gives`() throws {
    for restart in [JPEGEncoding.Restart.none, .rows(1)] {
      var options = JPEGEncoding(quality: 85)
      options.restart = restart
      let jpeg = try JPEGBytes(70, 100, options)
      var numbers = SplitMix64(seed: 97)
      var (served, refused) = (0, 0)
      for _ in 0..<80 {
        let place = Int.random(in: 2..<jpeg.end - 1, using: &numbers)
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &numbers)
        let path = try folder.write(jpeg.patched { $0[place] ^= bit }.bytes, as: "flipped.jpg")
        guard let source = try? SkipPipeline().open(path) else { continue }
        for region in try TellingRegions(of: source.size, seed: 98).random(4) {
          let request = RegionRequest(region)
          let wanted = try? SequentialPipeline().open(path).read(request)
          let answer = try? source.read(request)
          if wanted == nil { refused += 1 } else { served += 1 }
          let label = "byte \(place) bit \(bit): \(region)"
          #expect((answer == nil) == (wanted == nil), "\(label)")
          if let answer, let wanted {
            #expect(answer.pixels.difference(from: wanted.pixels) == nil, "\(label)")
          }
        }
      }
      #expect(served > 50)
      #expect(refused + served > 200)
    }
  }

  /// Longer than any piece in which the decoders read, without a marker at which they could catch up.
  @Test func `a flipped bit in a large picture gives what sequential gives`() async throws {
    let path = try await CorpusPictures.file("forest")
    var bytes = try TestSupport.bytes(of: path)
    let coded = try JPEGStructure(of: path).codedStart..<bytes.count - 2
    var numbers = SplitMix64(seed: 99)
    var answered = 0
    for _ in 0..<12 {
      let place = Int.random(in: coded, using: &numbers)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &numbers)
      bytes[place] ^= bit
      let flipped = try folder.write(bytes, as: "flipped.jpg")
      bytes[place] ^= bit
      let source = try SkipPipeline().open(flipped)
      for region in try TellingRegions(of: source.size, seed: 98).random(3) {
        let request = RegionRequest(region)
        let wanted = try? SequentialPipeline().open(flipped).read(request)
        let answer = try? source.read(request)
        let label = "byte \(place) bit \(bit): \(region)"
        #expect((answer == nil) == (wanted == nil), "\(label)")
        guard let answer, let wanted else { continue }
        answered += 1
        #expect(answer.pixels.difference(from: wanted.pixels) == nil, "\(label)")
      }
    }
    #expect(answered > 12)
  }

  @Test func `a file cut off above the region's foot is damaged, never grey`() throws {
    let jpeg = try JPEGBytes(150, 203, JPEGEncoding(quality: 85))
    let (start, end) = (jpeg.codedStart, jpeg.end)
    for eighth in 0..<8 {
      let length = start + (end - start) * eighth / 8
      let path = try folder.write(Array(jpeg.bytes.prefix(length)), as: "cut.jpg")
      let source = try SkipPipeline().open(path)
      let foot = try PixelRegion(x: 40, y: 190, width: 60, height: 13)
      for reduction in [Reduction.none, .half] {
        let region = try foot.holdingBlocks(of: reduction, in: source.size)
        let error = #expect(throws: PipelineError.self, "\(eighth)") {
          try source.read(RegionRequest(region, reduction: reduction))
        }
        #expect(error?.code == .damaged)
        #expect(error?.file == path)
      }
    }
  }

  @Test func `the widest JPEG has no room for whole blocks, so it is averaged`() throws {
    let jpeg = try JPEGBytes(
      65_500, 2, JPEGEncoding(colour: .gray, sampling: [.init(1, 1)], quality: 85))
    let path = try folder.write(jpeg.bytes, as: "wide.jpg")
    let region = try PixelRegion(x: 65_480, y: 0, width: 20, height: 2)
    for (reduction, resampling) in [
      (Reduction.quarter, Resampling.decoder), (.eighth, .blockMean),
    ] {
      let request = RegionRequest(region, reduction: reduction)
      let answer = try SkipPipeline().open(path).read(request)
      #expect(answer.resampling == resampling)
      let wanted = try SequentialPipeline().open(path).read(request)
      #expect(answer.pixels.difference(from: wanted.pixels) == nil)
    }
  }

  /// Other tests open files at the same time, so this one runs in a process of its own.
  @Test func `no descriptor stays open, whether pictures are good or broken`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      let jpeg = try JPEGBytes.small()
      let good = try folder.write(jpeg.bytes, as: "good.jpg")
      let cut = try folder.write(Array(jpeg.bytes.prefix(jpeg.codedStart + 300)), as: "cut.jpg")
      let text = try folder.write(Array("text".utf8), as: "text.jpg")
      func openDescriptors() -> Int { (0..<256).count { fcntl($0, F_GETFD) != -1 } }
      func readAll() {
        for path in [good, cut, text] {
          guard let source = try? SkipPipeline().open(path) else { continue }
          let whole = PixelRegion(whole: source.size)
          _ = try? source.read(RegionRequest(whole))
          _ = try? source.read(RegionRequest(whole, reduction: .half))
          _ = try? SequentialRewrite.encoded(FileReader(path), memoryLimit: 1 << 24)
        }
      }
      // The first time libvips opens what it keeps.
      readAll()
      let before = openDescriptors()
      for _ in 0..<5 { readAll() }
      precondition(openDescriptors() == before, "descriptors were left open")
    }
  }

  // MARK: Helpers

  /// Exact at every `thinned`th telling region, or refused by naive as well.
  private func expectExact(_ jpeg: JPEGBytes, _ what: String, thinned step: Int) throws {
    let path = try folder.write(jpeg.bytes, as: "made.jpg")
    guard let reference = try? Reference(path) else {
      // libjpeg does not do every sampling that T.81 allows; then nothing may answer.
      let source = try? SkipPipeline().open(path)
      let pixel = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
      if let source {
        #expect(throws: PipelineError.self, "\(what)") { try source.read(pixel) }
      }
      return
    }
    let source = try SkipPipeline().open(path)
    let regions = try TellingRegions(of: source.size, seed: 99).all()
    var wrong: [String] = []
    for place in stride(from: regions.count - 1, through: 0, by: -step) {
      let region = regions[place]
      let pixels = try source.read(RegionRequest(region)).pixels
      if let difference = pixels.difference(from: reference.crop(region)) {
        wrong.append("\(region): \(difference)")
      }
    }
    for reduction in Reduction.real {
      let whole = try WindowReductionTests.wholeReduced(jpeg, path, reduction)
      for place in stride(from: reduction.rawValue % step, to: regions.count, by: 2 * step) {
        let region = try regions[place].holdingBlocks(of: reduction, in: source.size)
        let answer = try source.read(RegionRequest(region, reduction: reduction))
        #expect(answer.resampling == .decoder, "\(what)")
        let wanted = try whole.crop(
          region.inBlocks(of: reduction), from: PixelRegion(whole: whole.size))
        if let difference = answer.pixels.difference(from: wanted) {
          wrong.append("\(region) by \(reduction.rawValue): \(difference)")
        }
      }
    }
    #expect(wrong.isEmpty, "\(what): \(wrong.count): \(wrong.prefix(3))")
  }
}
