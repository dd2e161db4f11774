import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that sources of JPEGs are exact or refuse, reduced by the decoder or not.
struct JPEGExactnessTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: JPEGSampling.all)
  func `every sampling is exact at every kind of place`(_ sampling: JPEGSampling) throws {
    // Numbers of restart markers wrap, and some last intervals are short or the only ones.
    for (width, height, restart) in [
      (149, 150, JPEGEncoding.Restart.none), (97, 131, .rows(1)), (130, 97, .rows(3)),
      (98, 67, .mcus(5)), (64, 64, .mcus(1)), (256, 64, .rows(2)), (37, 329, .rows(9)),
      (64, 64, .rows(40)),
    ] {
      let options = sampling.encoding(quality: 80).with(\.restart, restart)
      try expectExact(JPEGBytes(width, height, options), thinned: 5)
    }
  }

  /// Sides around an MCU, and fewer than three columns of chroma, which use another upsampler.
  @Test(
    arguments: Thoroughness.pick(
      [1, 3, 8, 9, 16, 17, 33],
      full: [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 65]),
    JPEGSampling.shapes)
  func `pictures about as large as an MCU are exact`(
    _ side: Int, _ sampling: JPEGSampling
  ) throws {
    for (width, height) in [(side, 35), (35, side), (side, side)] {
      let options = sampling.encoding(quality: 90).with(\.restart, side % 2 == 0 ? .none : .rows(1))
      try expectExact(JPEGBytes(width, height, options), thinned: 13)
    }
  }

  /// `sequential` presents a size of whole blocks by replacing four bytes as they are read.
  @Test(arguments: [0, 60_000, 130_000])
  func `a reduction from the top is exact, whatever stands before the frame`(
    _ length: Int
  ) throws {
    let profile = length > 0 ? [UInt8](repeating: 0xFF, count: length) : nil
    let jpeg = try JPEGBytes(203, 107, JPEGEncoding(quality: 85).with(\.metadata.icc, profile))
    try expectExact(jpeg, by: [SequentialPipeline()], thinned: 25)
  }

  /// At 160x96 every orientation may use the decoder's reduction, which must be turned upright.
  @Test(arguments: Orientation.allCases)
  func `every orientation is exact, reduced or not`(_ orientation: Orientation) throws {
    let options = JPEGEncoding(quality: 85).with(\.metadata.orientation, orientation.rawValue)
    try expectExact(
      JPEGBytes(160, 96, options), by: [PartialPipeline(), SequentialPipeline()], thinned: 17)
  }

  /// Tries each block of a row and of a column of blocks.
  @Test(arguments: JPEGSampling.shapes, Reduction.real)
  func `every single block reduces as in the whole file`(
    _ sampling: JPEGSampling, _ reduction: Reduction
  ) throws {
    let jpeg = try JPEGBytes(203, 107, sampling.encoding().with(\.restart, .rows(1)))
    guard let whole = try? jpeg.wholeReduced(by: reduction) else { return }
    let source = try PartialPipeline().open(folder.write(jpeg.bytes, as: "made.jpg"))
    let places =
      stride(from: 0, to: 203, by: reduction.rawValue).map { ($0, 53) }
      + stride(from: 0, to: 107, by: reduction.rawValue).map { (101, $0) }
    for (x, y) in places {
      let region = try PixelRegion(x: x, y: y, width: 1, height: 1)
        .holdingBlocks(of: reduction.rawValue, in: source.size)
      let pixels = try source.read(RegionRequest(region, reduction: reduction)).pixels
      let wanted = whole.crop(region.reduced(by: reduction.rawValue))
      #expect(pixels.difference(from: wanted) == nil, "\(region)")
    }
  }

  /// The region is large enough to be split and decoded concurrently.
  @Test func `a region of many MCUs is exact where it is cut`() async throws {
    let path = try await CorpusPictures.file("pharmacy")
    let source = try PartialPipeline().open(path)
    let region = try PixelRegion(x: 1, y: 333, width: 4533, height: 401)
    let pixels = try source.read(RegionRequest(region)).pixels
    #expect(try pixels.difference(from: Reference(path, region: region).pixels) == nil)
    let blocks = region.holdingBlocks(of: 4, in: source.size)
    let answer = try source.read(RegionRequest(blocks, reduction: .quarter))
    let whole = try JPEGBytes(bytes(of: path)).wholeReduced(by: .quarter)
    #expect(answer.resampling == .decoder)
    #expect(
      answer.pixels.difference(from: whole.crop(blocks.reduced(by: 4))) == nil)
  }

  /// Both sides of 64x40 have whole blocks, one side of 64x41 and 65x40, neither side of 331x205.
  @Test(arguments: Orientation.allCases, [(64, 40), (64, 41), (65, 40), (331, 205)])
  func `stored blocks are upright blocks where each reversed side holds whole ones`(
    _ orientation: Orientation, _ sides: (Int, Int)
  ) throws {
    let options = JPEGEncoding(quality: 85).with(\.metadata.orientation, orientation.rawValue)
    let jpeg = try JPEGBytes(sides.0, sides.1, options)
    let picture = try Picture(folder.write(jpeg.bytes, as: "a.jpg"))
    for reduction in Reduction.ofDecoders {
      let side = reduction.rawValue
      // By definition: every upright block, mapped to the file, has borders of stored blocks.
      let upright = picture.size
      let blocks = try [(0, 0), (upright.width / 2, upright.height / 2)].map { x, y in
        try PixelRegion(x: x, y: y, width: 1, height: 1)
          .holdingBlocks(of: side, in: upright)
      }
      let coincide = try blocks.allSatisfy { block in
        let stored = try picture.storedRegion(for: block)
        return stored == stored.holdingBlocks(of: side, in: picture.storedSize)
      }
      #expect(picture.hasUprightBlocks(of: reduction) == coincide, "\(sides) by \(side)")
    }
  }

  /// Compares with libvips on the unchanged file: blocks that are whole in both must be the same.
  @Test(arguments: ["petronas-progressive", "jpeg-scans", "forest"])
  func `whole blocks are those that libvips gives for the file as it is`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try SequentialPipeline().open(path)
    let known = try JPEGBytes(bytes(of: path)).reduced(by: .eighth)
    let region = try PixelRegion(
      x: 0, y: 0, width: known.size.width * 8, height: known.size.height * 8)
    let answer = try source.read(RegionRequest(region, reduction: .eighth))
    #expect(answer.resampling == .decoder)
    #expect(answer.pixels.difference(from: known) == nil)
  }

  @Test func `the widest JPEG has no room for whole blocks, so it is averaged`() throws {
    let made = try MadeJPEG(JPEGEncoding(colour: .gray, quality: 85), 65_500, 2)
    let region = try PixelRegion(x: 65_480, y: 0, width: 20, height: 2)
    for (reduction, resampling) in [
      (Reduction.quarter, Resampling.decoder), (.eighth, .blockMean),
    ] {
      let request = RegionRequest(region, reduction: reduction)
      let answer = try SequentialPipeline().open(made.path).read(request)
      #expect(answer.resampling == resampling)
      #expect(answer.pixels.size.height == 1)
      let other = try PartialPipeline().open(made.path).read(request)
      #expect(other.resampling == resampling)
      #expect(other.pixels.difference(from: answer.pixels) == nil)
    }
  }

  /// Expects exact regions and reductions, or a refusal if naive refuses; tries every `thinned`th.
  private func expectExact(
    _ jpeg: JPEGBytes, by pipelines: [any Pipeline] = [PartialPipeline()],
    thinned step: Int
  ) throws {
    #expect(!pipelines.isEmpty)
    let path = try folder.write(jpeg.bytes, as: "made.jpg")
    guard let reference = try? Reference(path) else {
      // libjpeg does not support every sampling that T.81 allows; then no source may answer.
      let pixel = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
      for pipeline in pipelines {
        #expect(throws: PipelineError.self) { try pipeline.open(path).read(pixel) }
      }
      return
    }
    let (structure, picture) = (try JPEGStructure(of: path), try Picture(path))
    let (size, orientation) = (picture.size, picture.orientation)
    let regions = try TellingRegions(of: size, seed: 51).all()
    let sources = try pipelines.map { (name: $0.name, source: try $0.open(path)) }
    var wrong: [String] = []
    for reduction in Reduction.ofDecoders {
      let isReduced = reduction != .none
      let whole =
        isReduced
        ? try jpeg.wholeReduced(by: reduction).upright(from: orientation) : reference.pixels
      if isReduced, min(size.width, size.height) >= reduction.rawValue {
        // For the true size libvips leaves out partial blocks and gives the same for the others.
        let known = try jpeg.reduced(by: reduction).upright(from: orientation)
        #expect(whole.crop(PixelRegion(whole: known.size)).difference(from: known) == nil)
      }
      for place in stride(from: regions.count - reduction.rawValue, through: 0, by: -step) {
        let region = regions[place].holdingBlocks(of: reduction.rawValue, in: size)
        let wanted = whole.crop(region.reduced(by: reduction.rawValue))
        for (name, source) in sources {
          let answer = try source.read(RegionRequest(region, reduction: reduction))
          let label = "\(name) \(region) by \(reduction.rawValue)"
          if let difference = answer.pixels.difference(from: wanted) {
            wrong.append("\(label): \(difference)")
          }
          if isReduced != (answer.resampling == .decoder) { wrong.append("\(label): resampled") }
          // A pass from the top would be exact as well, but is not allowed here.
          let stored = try picture.storedRegion(for: region)
          let window = MCUWindow(structure, region: stored, reduction: reduction)
          if name == "partial", answer.work.unitsDecoded != window.count {
            wrong.append("\(label): of no window")
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(size): \(wrong.count): \(wrong.prefix(3))")
  }
}
