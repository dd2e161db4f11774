import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws
@testable import PlantedFaults

@Suite struct PictureShrinkingTests {
  /// Returns the smallest picture found for which a planted fault changes a peek.
  private static func shrunk(_ summary: String) async throws -> TestPicture {
    let fault = try #require(PixelFaults.all.first { $0.summary == summary })
    let subject = fault.planted(in: try PixelSubject(ResidentPipeline()))
    let report = await Property.check(
      "differs", PictureLaws.asked(subject, sides: 1...200, reductions: [.none]),
      settings: PropertySettings(cases: 300, seed: 11)
    ) { asked, _ in
      let whole = try subject.files.file(of: asked.picture).whole()
      let expected = whole.cut(asked.request.region).quarterTurned(asked.request.turn)
      let got = try subject.pixels(asked.request, of: asked.picture)
      try Property.require(PixelComparison(got, expected: expected).isSame)
    }
    return try #require(report.failures.first).minimal.picture
  }

  @Test(arguments: [
    "Regions begin a column too far right.", "Regions begin a row too high.",
    "Answers are mirrored left to right.", "The first and the third band are swapped.",
    "Everything is half a pixel too far left.", "The last row and column of the picture are black.",
    "Samples of 16 bits lose their lower half.",
  ]) func `a failing picture shrinks to a few pixels in a PNG`(_ summary: String) async throws {
    let picture = try await Self.shrunk(summary)
    #expect(picture.size.width <= 4 && picture.size.height <= 4, "\(picture)")
    #expect(picture.container == .png && picture.orientation == .up)
  }

  @Test func `a picture that fails only if wider than a coding block shrinks to less than two`()
    async throws
  {
    let picture = try await Self.shrunk(
      "Regions wider than a coding block begin at a multiple of 16.")
    #expect(picture.size.width < 32 && picture.size.height <= 4, "\(picture)")
  }
}
