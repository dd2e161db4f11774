import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Law PX-11 checks the pixels; these tests check what they cost.
struct TurnTests {
  static let pictures = [
    "jpeg-422", "jpeg-410", "orientation-5", "orientation-8", "cmyk", "grey", "png-16",
    "png-alpha", "webp", "tiff-tiled", "tiny-17x3",
  ]

  @Test(arguments: pictures)
  func `a turned answer is the upright one turned, at the same cost`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let required = StandardPipelines.serving(path)
    for (pipeline, source) in try StandardPipelines().opened(path, requiring: required) {
      let telling = TellingRegions(of: source.size, seed: 81)
      let count = Thoroughness.pick(1, full: 2)
      for region in try telling.corners().suffix(count) + telling.random(count) {
        source.forget()
        let upright = try source.read(RegionRequest(region))
        for turn in QuarterTurn.allCases {
          source.forget()
          let request = RegionRequest(region, turn: turn)
          let turned = try source.read(request)
          let label = "\(pipeline.name) \(region) \(turn)"
          let wanted = upright.pixels.quarterTurned(turn)
          #expect(turned.pixels.difference(from: wanted) == nil, "\(label)")
          #expect(turned.pixels.size == request.outputSize, "\(label)")
          #expect(turned.work == upright.work, "\(label)")
          #expect(turned.resampling == .none, "\(label)")
        }
      }
    }
  }
}
