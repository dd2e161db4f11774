import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws
@testable import PlantedFaults

@Suite struct PictureShrinkingTests {
  /// A failing picture of at least a given size, shrunk as far as possible.
  struct Shrunk {
    let start: PixelSize
    let picture: TestPicture
    let evaluations: Int
  }

  /// A search for pictures that expose a fault.
  private struct Hunt: Sendable {
    let subject: PixelSubject
    let least: Int
    let asked: Gen<(TestPicture, RegionRequest)>
    let origin = FailureOrigin(PropertyFailure("differs", fileID: "here", line: 1))

    init(_ summary: String, _ least: Int) throws {
      let fault = try #require(PixelFaults.all.first { $0.summary == summary })
      subject = fault.planted(in: try PixelSubject(ResidentPipeline()))
      self.least = least
      // Up to five thirds of the minimum, so that many of the pictures are large enough.
      asked = Gen<TestPicture>.testPictures(PictureRange(sides: 1...least * 5 / 3)).flatMap {
        picture in
        Gen<RegionRequest>.requests(in: picture.uprightSize, reductions: [.none])
          .map { (picture, $0) }
      }
    }

    func fails(_ picture: TestPicture, _ request: RegionRequest) throws -> Bool {
      let file = try subject.files.file(of: picture)
      let expected = try file.whole().cut(request.region).quarterTurned(request.turn)
      let got = try subject.open(file).read(request).pixels
      return !PixelComparison(got, expected: expected).isSame
    }

    /// Returns the first failing picture that is large enough.
    func start() throws -> (attempt: Attempt, size: PixelSize)? {
      var testCase = TestCase()
      for index in 0..<UInt64(4000) {
        testCase.begin(seed: 11, index: index)
        guard let (picture, request) = try? asked.body(&testCase), picture.size.width >= least,
          picture.size.height >= least * 3 / 4, try fails(picture, request)
        else { continue }
        let attempt = Attempt(
          choices: testCase.choices, spans: testCase.spans, outcome: .failed(origin))
        return (attempt, picture.size)
      }
      return nil
    }

    func replayed(_ choices: [Choice]) -> Attempt {
      var testCase = TestCase()
      testCase.begin(replaying: choices, tail: .overrun)
      var outcome = Attempt.Outcome.discarded
      if let (picture, request) = try? asked.body(&testCase) {
        if testCase.isOverrun {
          outcome = .overrun
        } else {
          outcome = (try? fails(picture, request)) == true ? .failed(origin) : .passed
        }
      }
      return Attempt(choices: testCase.choices, spans: testCase.spans, outcome: outcome)
    }

    func picture(_ choices: [Choice]) throws -> TestPicture {
      var testCase = TestCase()
      testCase.begin(replaying: choices, tail: .simplest)
      return try asked.body(&testCase).0
    }
  }

  static func shrunk(_ summary: String, from least: Int) async throws -> Shrunk? {
    let hunt = try Hunt(summary, least)
    guard let start = try hunt.start() else { return nil }
    let result = await shrink(start.attempt) { hunt.replayed($0) }
    return Shrunk(
      start: start.size, picture: try hunt.picture(result.smallest.choices),
      evaluations: result.evaluations)
  }

  @Test(arguments: [
    "Regions begin a column too far right.", "Regions begin a row too high.",
    "Answers are mirrored left to right.", "The first and the third band are swapped.",
    "Everything is half a pixel too far left.", "The last row and column of the picture are black.",
    "Samples of 16 bits lose their lower half.",
  ]) func `a failing picture shrinks to a few pixels in a PNG`(_ summary: String) async throws {
    let found = try #require(try await Self.shrunk(summary, from: 120))
    #expect(found.picture.size.width <= 4 && found.picture.size.height <= 4, "\(found.picture)")
    #expect(found.picture.container == .png && found.picture.orientation == .up)
  }

  @Test func `a picture that fails only across a coding block keeps less than two`() async throws {
    let found = try #require(
      try await Self.shrunk(
        "Regions wider than a coding block begin at a multiple of 16.", from: 120))
    #expect(found.picture.size.width < 32 && found.picture.size.height <= 4, "\(found.picture)")
  }
}
