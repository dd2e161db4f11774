import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import PixelLaws
@testable import PlantedFaults

/// Faults in regions that few random cases ask for; a law must find them with any number of cases.
@Suite struct UnusualRegionsTests {
  private static func report(
    _ law: String, _ pipeline: any Pipeline, _ picture: TestPicture
  ) async throws -> LawReport {
    let file = try PictureFiles.shared.file(of: picture)
    defer { extendLifetime(file) }
    let subject = try PixelSubject(pipeline, picture: file.path)
    let law = try #require(RegionLaws.all.first { $0.name == law })
    return await law.check(subject, settings: PropertySettings(cases: 10, seed: 1))
  }

  private static let jpeg = TestPicture(
    size: size(301, 203), container: PictureContainer.Kind.jpeg.sample)

  /// Returns a pipeline that changes the last sample of its answers to some requests.
  private static func wrong(
    _ sound: any Pipeline, where isWrong: @escaping @Sendable (RegionRequest) -> Bool
  ) -> any Pipeline {
    FaultyPipeline(
      sound,
      FaultyPipeline.Mistake { reading throws(PipelineError) in
        let answer = try reading.soundly()
        guard isWrong(reading.request) else { return answer }
        var bytes = answer.pixels.bytes
        bytes[bytes.count - 1] ^= 1
        return answer.with(answer.pixels.with(answer.pixels.size, bytes))
      })
  }

  @Test(arguments: [(4100, 7), (7, 4100)])
  func `a pipeline that is wrong beyond 3,000 pixels is found, with the shortest such side`(
    _ width: Int, _ height: Int
  ) async throws {
    let picture = TestPicture(size: size(width, height), bands: 1, content: .gradient)
    let faulty = Self.wrong(ResidentPipeline()) { max($0.region.width, $0.region.height) > 3000 }
    let report = try await Self.report("PX-15", faulty, picture)
    #expect(report.verdict == .broken)
    #expect(report.breaches.contains { $0.input.contains("3001") }, "\(report.breaches)")
    #expect(try await Self.report("PX-15", ResidentPipeline(), picture).verdict == .held)
  }

  @Test func `a pipeline that is wrong only for the whole picture is found`() async throws {
    let picture = TestPicture(size: size(1500, 1400), bands: 1)
    let faulty = Self.wrong(ResidentPipeline()) { $0.region.area == 1500 * 1400 }
    #expect(try await Self.report("PX-18", faulty, picture).verdict == .broken)
    #expect(try await Self.report("PX-18", ResidentPipeline(), picture).verdict == .held)
  }

  /// No mean gives the answer: an inverse DCT of fewer points uses overhanging pixels.
  @Test(arguments: [Reduction.half, .quarter, .eighth])
  func `a decoder's reduction that is off by a level in the last part of a block is found`(
    _ reduction: Reduction
  ) async throws {
    let picture = Self.jpeg
    let faulty = Self.wrong(SequentialPipeline()) {
      $0.reduction == reduction && $0.region.maxX == 301 && $0.region.width <= 16
    }
    let report = try await Self.report("PX-12", faulty, picture)
    #expect(report.verdict == .broken)
    #expect(try await Self.report("PX-12", SequentialPipeline(), picture).verdict == .held)
  }

  /// Another decoder's reduction is compared with the mean, even without a whole unit of 32 pixels.
  @Test func `a dark answer of a pipeline that is not exact is found in a strip at the edge`()
    async throws
  {
    struct Inexact: Pipeline {
      let sound = SequentialPipeline()
      let name = "inexact"
      let summary = "sequential, as if it were not exact"
      let isExact = false
      func open(_ path: FilePath) throws(PipelineError) -> any RegionSource { try sound.open(path) }
    }
    let picture = try PictureFiles.shared.file(of: Self.jpeg)
    defer { extendLifetime(picture) }
    let subject = try PixelSubject(Inexact(), picture: picture.path)
    let (inside, strip) = try (
      PixelRegion(x: 32, y: 32, width: 224, height: 128),
      PixelRegion(x: 288, y: 0, width: 13, height: 203)
    )
    for region in [strip, inside] {
      for reduction in [Reduction.half, .quarter] {
        let request = RegionRequest(region, reduction: reduction)
        let (exact, answer) = (try subject.pixels(region), try subject.source.read(request))
        #expect(try subject.requireReduced(answer, from: exact, request, of: subject.reference))
        let sound = answer.pixels
        let dark = answer.with(sound.with(sound.size, sound.bytes.map { $0 / 8 }))
        #expect(throws: PixelMismatch.self) {
          try subject.requireReduced(dark, from: exact, request, of: subject.reference)
        }
      }
    }
  }

  @Test func `the classes of strips and long sides are required where the picture has them`()
    async throws
  {
    let picture = TestPicture(size: size(4098, 5), bands: 1)
    for (law, count) in [("PX-12", 1), ("PX-15", 3)] {
      let classes = try await Self.report(law, ResidentPipeline(), picture).classes
      #expect(classes.count { $0.requiredShare != nil && $0.isReached } == count, "\(classes)")
    }
  }
}
