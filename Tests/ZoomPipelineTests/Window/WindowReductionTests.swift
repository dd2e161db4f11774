import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// A reduced window gives what reducing the whole file gives, byte for byte.
struct WindowReductionTests {
  @Test(arguments: 0..<WindowStructureTests.samplings.count)
  func `every sampling reduces as the whole file does`(_ number: Int) throws {
    let (name, colour, sampling) = WindowStructureTests.samplings[number]
    for (width, height, rows) in [(199, 120, 1), (161, 131, 2), (130, 97, 1), (256, 64, 1)] {
      var options = JPEGEncoding(colour: colour, sampling: sampling, quality: 85)
      options.restart = .rows(rows)
      try expectSameAsWhole(
        try JPEGBytes(width, height, options), "\(name) \(width)x\(height)", thinned: 2)
    }
  }

  /// Where libjpeg's choice of an upsampler depends on how few chroma columns there are.
  @Test(arguments: [1, 2, 7, 8, 9, 16, 17, 24, 33, 48, 65], [0, 1, 2, 3, 4, 5, 8, 12])
  func `pictures of a few MCUs reduce as the whole file does`(_ width: Int, _ number: Int) throws {
    let (name, colour, sampling) = WindowStructureTests.samplings[number]
    var options = JPEGEncoding(colour: colour, sampling: sampling, quality: 90)
    options.restart = .rows(1)
    for height in [19, 41] {
      try expectSameAsWhole(
        try JPEGBytes(width, height, options), "\(name) \(width)x\(height)", thinned: 8)
    }
  }

  /// Every block of a row and of a column of blocks, alone.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 10, 13], Reduction.real)
  func `every single block reduces as in the whole file`(
    _ number: Int, _ reduction: Reduction
  ) throws {
    let (name, colour, sampling) = WindowStructureTests.samplings[number]
    var options = JPEGEncoding(colour: colour, sampling: sampling, quality: 90)
    options.restart = .rows(1)
    let jpeg = try JPEGBytes(203, 107, options)
    let folder = try TestFolder()
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    let source = try IndexedPipeline().open(path)
    let whole = try Self.wholeReduced(jpeg, path, reduction)
    let side = reduction.rawValue
    let row = source.size.height / 2 / side * side
    let column = source.size.width / 2 / side * side
    let blocks =
      stride(from: 0, to: source.size.width, by: side).map { ($0, row) }
      + stride(from: 0, to: source.size.height, by: side).map { (column, $0) }
    for (x, y) in blocks {
      let region = try PixelRegion(x: x, y: y, width: 1, height: 1)
        .holdingBlocks(of: reduction, in: source.size)
      let answer = try source.read(RegionRequest(region, reduction: reduction))
      let wanted = try whole.crop(
        region.inBlocks(of: reduction), from: PixelRegion(whole: whole.size))
      #expect(answer.pixels.difference(from: wanted) == nil, "\(name) \(region) by \(side)")
    }
  }

  /// Large enough to be cut in two and decoded side by side.
  @Test func `a region of many MCUs reduces as the whole file does where it is cut`() async throws {
    let path = try await CorpusPictures.file("pharmacy")
    let jpeg = JPEGBytes(try bytes(of: path))
    let region = try PixelRegion(x: 8, y: 328, width: 4527, height: 400)
    let whole = try Self.wholeReduced(jpeg, path, .quarter)
    let answer = try IndexedPipeline().open(path).read(
      RegionRequest(region, reduction: .quarter))
    let wanted = try whole.crop(
      region.inBlocks(of: .quarter), from: PixelRegion(whole: whole.size))
    #expect(answer.resampling == .decoder)
    #expect(answer.pixels.difference(from: wanted) == nil)
  }

  @Test(arguments: Reduction.real)
  func `a reduced region in the middle decodes little more than it shows`(
    _ reduction: Reduction
  ) async throws {
    let path = try await CorpusPictures.file("petronas")
    let source = try IndexedPipeline().open(path)
    let side = 64 * reduction.rawValue
    for side in [side, 2 * side, 3 * side] {
      let region = try PixelRegion(x: 1008, y: 2008, width: side, height: side)
      let work = try source.read(RegionRequest(region, reduction: reduction)).work
      #expect(work.pixelsDelivered == (side / reduction.rawValue) * (side / reduction.rawValue))
      #expect(try #require(work.pixelsDecoded) * 2 < work.pixelsDelivered * 5, "\(work)")
      #expect(try #require(work.unitsDecoded) * 256 < region.area * 5 / 2)
    }
  }

  // MARK: Helpers

  /// What libvips makes of the whole file in one pass, parts of blocks at its edges included: the
  /// frame's sides are rounded up to whole blocks.
  static func wholeReduced(
    _ jpeg: JPEGBytes, _ path: FilePath, _ reduction: Reduction
  ) throws -> Pixels {
    let rounded = jpeg.patched { bytes in
      let frame = (jpeg.places(of: 0xC0) + jpeg.places(of: 0xC1))[0]
      for place in [frame + 4, frame + 6] {
        let length = Int(bytes[place]) << 8 | Int(bytes[place + 1])
        let side = reduction.rawValue
        let whole = (length + side - 1) / side * side
        bytes[place] = UInt8(whole >> 8)
        bytes[place + 1] = UInt8(whole & 255)
      }
    }
    return try asItIs(rounded, path, reduction)
  }

  /// What libvips makes of the file as it is.
  static func asItIs(
    _ jpeg: JPEGBytes, _ path: FilePath, _ reduction: Reduction
  ) throws -> Pixels {
    let image = try Image.open(jpeg: jpeg.bytes, for: path, reduction: reduction)
    return try image.read(PixelRegion(whole: image.size))
  }

  private func expectSameAsWhole(_ jpeg: JPEGBytes, _ what: String, thinned step: Int) throws {
    let folder = try TestFolder()
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    let source = try IndexedPipeline().open(path)
    var wrong: [String] = []
    for reduction in Reduction.real {
      let whole = try Self.wholeReduced(jpeg, path, reduction)
      if source.size.width >= reduction.rawValue, source.size.height >= reduction.rawValue {
        // Told the true size, libvips leaves out parts of blocks and gives the same for the others.
        let known = try Self.asItIs(jpeg, path, reduction)
        let place = PixelRegion(whole: known.size)
        if let difference = whole.crop(place, from: PixelRegion(whole: whole.size))
          .difference(from: known)
        {
          wrong.append("rounded up by \(reduction.rawValue): \(difference)")
        }
      }
      let regions = try TellingRegions(of: source.size, seed: 71).all()
      for number in stride(from: reduction.rawValue % step, to: regions.count, by: step) {
        let region = try regions[number].holdingBlocks(of: reduction, in: source.size)
        let answer = try source.read(RegionRequest(region, reduction: reduction))
        #expect(answer.resampling == .decoder)
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
