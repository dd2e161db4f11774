import Foundation
import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests requests, and the helper for sources that read unreduced pixels only.
struct RegionRequestAnswerTests {
  private let picture = Result { try Pixels.noise(37, 22) }

  @Test func `a request survives being written down`() throws {
    let request = RegionRequest(
      try PixelRegion(x: 1, y: 2, width: 3, height: 4), reduction: .half, turn: .clockwise)
    let json = try JSONEncoder().encode(request)
    #expect(try JSONDecoder().decode(RegionRequest.self, from: json) == request)
    let senseless = Data(#"{"region":{"x":0,"y":0,"width":0,"height":5}}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RegionRequest.self, from: senseless)
    }
  }

  @Test func `a reduction is written as its factor, 1 to 64`() throws {
    for factor in [1, 2, 3, 64] {
      let reduction = try #require(Reduction(rawValue: factor))
      let json = Data("[\(factor)]".utf8)
      #expect(try JSONEncoder().encode([reduction]) == json)
      #expect(try JSONDecoder().decode([Reduction].self, from: json) == [reduction])
    }
    for factor in [Int.min, -1, 0, 65, Int.max] { #expect(Reduction(rawValue: factor) == nil) }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Reduction].self, from: Data("[65]".utf8))
    }
  }

  @Test(arguments: Reduction.ofDecoders, QuarterTurn.allCases)
  func `a region is reduced first and turned then`(
    _ reduction: Reduction, _ turn: QuarterTurn
  ) throws {
    let picture = try picture.get()
    // The picture's edge cuts the last blocks.
    let region = try PixelRegion(x: 8, y: 8, width: 29, height: 14)
    let request = RegionRequest(region, reduction: reduction, turn: turn)
    let answer = try request.answer(pictureSize: picture.size, file: "picture") { region in
      RegionAnswer(
        pixels: picture.crop(region),
        work: Work(bytesRead: 7, pixelsDecoded: 814, pixelsDelivered: 0))
    }
    let means = try #require(picture.crop(region).meanOfBlocks(reduction.rawValue))
    #expect(answer.pixels.difference(from: means.quarterTurned(turn)) == nil)
    #expect(answer.resampling == (reduction == .none ? .none : .blockMean))
    let delivered = request.outputSize.area
    #expect(answer.work == Work(bytesRead: 7, pixelsDecoded: 814, pixelsDelivered: delivered))
  }

  @Test(arguments: [
    (1, 0, 8, 8), (0, 1, 8, 8), (0, 0, 7, 8), (0, 0, 8, 7), (32, 16, 4, 6), (32, 16, 5, 5),
    (4, 4, 8, 8), (0, 0, 38, 8), (-8, 0, 8, 8), (40, 0, 8, 8), (0, 0, 8, 24),
    // These begin inside a block and end at a border of blocks.
    (1, 0, 7, 8), (0, 1, 8, 7), (33, 16, 4, 6), (32, 17, 5, 5),
  ])
  func `what does not hold whole blocks is refused before anything is read`(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int
  ) throws {
    let region = try PixelRegion(x: x, y: y, width: width, height: height)
    let size = try picture.get().size
    for turn in QuarterTurn.allCases {
      let request = RegionRequest(region, reduction: .eighth, turn: turn)
      let error = expectError(.outside) {
        try request.answer(pictureSize: size, file: "picture") { _ throws(PipelineError) in
          Issue.record("read all the same")
          throw PipelineError(.fault, operation: "read", file: nil, reason: "read")
        }
      }
      #expect(error?.file == "picture")
      #expect(error?.isRefusal == false)
      #expect(error?.reason.contains("\(region)") == true)
      #expect(error?.advice != nil)
    }
  }

  @Test func `pixels of another size than the region's are a fault`() throws {
    let picture = try picture.get()
    let request = RegionRequest(try PixelRegion(x: 0, y: 0, width: 8, height: 8))
    expectError(.fault) {
      try request.answer(pictureSize: picture.size, file: nil) { _ in
        RegionAnswer(
          pixels: picture, work: Work(bytesRead: nil, pixelsDecoded: 1, pixelsDelivered: 1))
      }
    }
  }
}
