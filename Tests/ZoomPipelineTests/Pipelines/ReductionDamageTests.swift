import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Damaged and changed files, read reduced: errors, never grey.
struct ReductionDamageTests {
  @Test(arguments: ["jpeg-444", "orientation-1", "jpeg-scans", "petronas-progressive", "png"])
  func `a file that is cut off is damaged by every reduction`(_ name: String) async throws {
    let whole = try bytes(of: try await CorpusPictures.file(name))
    let folder = try TestFolder()
    // A large progressive picture takes seconds a decode: once is enough.
    let cuts = name == "petronas-progressive" ? [0.5] : [0.2, 0.9, 0.99]
    for part in cuts {
      let file = try folder.write(
        Array(whole.prefix(Int(Double(whole.count) * part))), as: "cut-\(part)")
      for pipeline in StandardPipelines().all {
        if name == "petronas-progressive", pipeline.name != "sequential" { continue }
        for reduction in Reduction.real {
          let error = #expect(throws: PipelineError.self, "\(pipeline.name) at \(part)") {
            let source = try pipeline.open(file)
            _ = try source.read(
              RegionRequest(PixelRegion(whole: source.size), reduction: reduction))
          }
          #expect(error?.code == .damaged || error?.isRefusal == true, "\(pipeline.name)")
          #expect(error?.file == file, "\(pipeline.name)")
        }
      }
    }
  }

  @Test func `a file replaced after it was opened gives changed`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let request = RegionRequest(
      try PixelRegion(x: 8, y: 8, width: 16, height: 16), reduction: .half)
    for pipeline in StandardPipelines().all {
      let file = try folder.write(jpeg.bytes, as: "\(pipeline.name).jpg")
      let source = try pipeline.open(file)
      _ = try source.read(request)
      try AtomicFile.write(jpeg.bytes, to: file)
      let error = #expect(throws: PipelineError.self, "\(pipeline.name)") {
        try source.read(request)
      }
      #expect(error?.code == .changed, "\(pipeline.name)")
    }
  }

  /// A decoder may not notice, but a cut-out must not give other pixels than the whole file does.
  @Test func `a flipped bit never gives a reduction that the whole file does not`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small(150, 120)
    var numbers = SplitMix64(seed: 83)
    var served = 0
    for number in 0..<60 {
      let reduction = Reduction.real[number % 3]
      let place = Int.random(in: jpeg.codedStart..<jpeg.end - 1, using: &numbers)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &numbers)
      let flipped = jpeg.patched { $0[place] ^= bit }
      let path = try folder.write(flipped.bytes, as: "flipped.jpg")
      guard let source = try? IndexedPipeline().open(path),
        let whole = try? WindowReductionTests.wholeReduced(flipped, path, reduction)
      else { continue }
      for region in try TellingRegions(of: source.size, seed: 84).random(3) {
        let region = try region.holdingBlocks(of: reduction, in: source.size)
        guard let answer = try? source.read(RegionRequest(region, reduction: reduction)) else {
          continue
        }
        served += 1
        let wanted = try whole.crop(
          region.inBlocks(of: reduction), from: PixelRegion(whole: whole.size))
        let difference = answer.pixels.difference(from: wanted)
        #expect(difference == nil, "byte \(place) bit \(bit): \(region)")
      }
    }
    #expect(served > 20)
  }
}
