import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the helper for sources that read unreduced pixels only.
struct RegionRequestAnswerTests {
  private let picture = Result { try Pixels.noise(37, 22) }

  /// Answers by cropping the picture, with work that the tests recognise.
  private func answer(_ request: RegionRequest) throws -> RegionAnswer {
    let picture = try picture.get()
    return try request.answer(pictureSize: picture.size, file: "picture") { region in
      RegionAnswer(
        pixels: picture.crop(region),
        work: Work(bytesRead: 7, pixelsDecoded: 814, pixelsDelivered: 0))
    }
  }

  @Test func `one to one and upright it is the source's own answer`() throws {
    let region = try PixelRegion(x: 3, y: 5, width: 7, height: 11)
    let answer = try answer(RegionRequest(region))
    let picture = try picture.get()
    #expect(answer.pixels == picture.crop(region))
    #expect(answer.resampling == .none)
    #expect(answer.work == Work(bytesRead: 7, pixelsDecoded: 814, pixelsDelivered: 77))
  }

  @Test(arguments: Reduction.real, QuarterTurn.allCases)
  func `it is reduced first and turned then`(_ reduction: Reduction, _ turn: QuarterTurn) throws {
    let picture = try picture.get()
    let region = try PixelRegion(x: 8, y: 8, width: 29, height: 14)
    let request = RegionRequest(region, reduction: reduction, turn: turn)
    let answer = try answer(request)
    let means = try #require(picture.crop(region).meanOfBlocks(reduction.rawValue))
    let wanted = means.quarterTurned(turn)
    #expect(answer.pixels.difference(from: wanted) == nil)
    #expect(answer.pixels.size == request.outputSize)
    #expect(answer.resampling == .blockMean)
    #expect(answer.work.pixelsDelivered == request.outputSize.area)
    #expect(answer.work.pixelsDecoded == 814)
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

  @Test func `blocks that the picture's edge cuts are whole`() throws {
    let size = try picture.get().size
    for (x, y, width, height) in [(32, 16, 5, 6), (0, 16, 8, 6), (32, 0, 5, 8), (0, 0, 37, 22)] {
      let region = try PixelRegion(x: x, y: y, width: width, height: height)
      #expect(throws: Never.self) {
        try RegionRequest(region, reduction: .eighth).check(pictureSize: size, file: nil)
      }
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

  @Test func `what a source throws comes through`() throws {
    let request = RegionRequest(try PixelRegion(x: 0, y: 0, width: 8, height: 8), turn: .half)
    let size = try picture.get().size
    expectError(.damaged) {
      try request.answer(pictureSize: size, file: nil) { _ throws(PipelineError) in
        throw PipelineError(.damaged, operation: "read", file: nil, reason: "broken")
      }
    }
  }
}
