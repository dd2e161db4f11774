import PropertyTesting
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline
import ZoomLaws

@testable import PixelLaws
@testable import PlantedFaults

@Suite struct PixelSubjectTests {
  /// A pipeline that drops the two lowest bits and declares itself inexact.
  private struct Lossy: Pipeline {
    let name = "lossy"
    let summary = "drops the two lowest bits"
    let isExact = false
    let shift: Int

    func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
      let mistake = FaultyPipeline.Mistake { reading throws(PipelineError) in
        let answer = try reading.soundly()
        return answer.with(
          answer.pixels.mappingSamples { sample, _, _, _, _ in sample & ~3 }
            .fetching { x, y in (x + shift, y) })
      }
      return try FaultyPipeline(ResidentPipeline(), mistake).open(path)
    }
  }

  /// A pipeline that reads only JPEGs.
  private struct JPEGsOnly: Pipeline {
    let name = "JPEGs"
    let summary = "refuses other pictures"

    func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
      let picture = try Picture(path)
      guard picture.loader == "jpegload" else {
        throw PipelineError(
          .unsupported, operation: "open", file: path, reason: "it is not a JPEG")
      }
      return try SequentialPipeline().open(picture)
    }
  }

  /// A pipeline that opens no picture and counts the attempts.
  private final class Hanging: Pipeline {
    let name = "hanging"
    let summary = "gives no answer"
    let isExact = true
    let attempts = Mutex(0)

    func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
      attempts.withLock { $0 += 1 }
      throw PipelineError(.misbehaved, operation: "read", file: path, reason: "it gave no answer")
    }
  }

  private static func law(_ name: String) throws -> Law<PixelSubject> {
    try #require((RegionLaws.all + PictureLaws.all).first { $0.name == name })
  }

  @Test func `a pipeline that cannot open the picture is refused, and gets no kind it cannot open`()
    throws
  {
    let folder = try TestFolder()
    let path = try folder.write([1, 2, 3], as: "broken.png")
    #expect(throws: PipelineError.self) { try PixelSubject(NaivePipeline(), picture: path) }
    let subject = try PixelSubject(JPEGsOnly())
    #expect(subject.containers == [.jpeg, .jpegWithRestarts])
    #expect(!PictureLaws.applicable(to: subject).map(\.name).contains("PX-23"))
  }

  @Test func `a pipeline that gives no answer is asked for one picture before the laws are tried`()
    throws
  {
    let pipeline = Hanging()
    let error = #expect(throws: PipelineError.self) { try PixelSubject(pipeline) }
    #expect(error?.code == .misbehaved)
    // One attempt to find out whether it opens the kind, one for the laws.
    #expect(pipeline.attempts.withLock { $0 } == 2)
  }

  @Test func `a pipeline that promises no exact bytes may be off by levels, but not by pixels`()
    async throws
  {
    let picture = try PictureFiles.shared.file(
      of: TestPicture(size: size(120, 90), content: .waves))
    defer { extendLifetime(picture) }
    let laws = try ["PX-2", "PX-3", "PX-4", "PX-5", "PX-7", "PX-11"].map(Self.law)
    let near = try PixelSubject(Lossy(shift: 0), picture: picture.path)
    await expectUnbroken(laws, held: true, on: near, cases: 15)
    let shifted = try PixelSubject(Lossy(shift: 1), picture: picture.path)
    let report = try await Self.law("PX-2").check(shifted, settings: .init(cases: 60, seed: 1))
    #expect(report.verdict == .broken)
    #expect(report.breaches.first?.error is PixelMismatch)
  }

  @Test func `the error of a law of pixels can be drawn`() async throws {
    let fault = try #require(
      PixelFaults.all.first { $0.summary == "Regions begin a column too far right." })
    let subject = fault.planted(in: try PixelSubject(ResidentPipeline()))
    let report = try await Self.law("PX-2").check(subject, settings: .init(cases: 20, seed: 1))
    let mismatch = try #require(report.breaches.first?.error as? PixelMismatch)
    #expect(try MismatchSheet(mismatch).pixels().bands == 3)
  }
}
