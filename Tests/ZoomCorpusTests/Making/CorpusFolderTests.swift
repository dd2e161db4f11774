import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@testable import ZoomCorpus

struct CorpusFolderTests {
  private let folder: TestFolder
  private let corpus: CorpusFolder

  init() throws {
    folder = try TestFolder()
    corpus = CorpusFolder(folder.path)
  }

  private func entry(_ name: String) throws -> CorpusPicture {
    try #require(try CorpusManifest.builtIn().pictures(named: [name]).first)
  }

  @Test(arguments: [
    "tiny-1x1", "tiny-17x3", "orientation-5", "png-16", "webp", "tiff-tiled", "jpeg-scans",
  ])
  func `made twice in two folders a picture has the manifest's digest and the same bytes`(
    _ name: String
  ) async throws {
    let picture = try entry(name)
    let other = try TestFolder()
    // Without the expected digest, each call computes its digest from the file that it made.
    let first = try await corpus.make(picture.recording(nil), workers: 1)
    let second = try await CorpusFolder(other.path).make(picture.recording(nil), workers: 2)
    #expect(first == second)
    #expect(first == picture.pixels)
    let file = corpus.file(of: picture)
    #expect(try isSame(bytes(of: file), bytes(of: other.path.appending(picture.file))))
    #expect(try corpus.check(picture).isEmpty)
    // Only the picture and its stamp, and no temporary file.
    #expect(try folder.names() == [".\(picture.file).stamp", picture.file])
  }

  @Test func `a picture is made again if the file or the recipe changed, and only then`()
    async throws
  {
    let picture = try entry("tiny-17x3")
    #expect(!corpus.isMade(picture))
    _ = try await corpus.make(picture, workers: 1)
    #expect(corpus.isMade(picture))
    let file = corpus.file(of: picture)
    let made = try FileVersion(of: file)
    _ = try await corpus.make(picture, workers: 1)
    #expect(try FileVersion(of: file) == made)
    let whole = try bytes(of: file)
    try folder.write(whole + [0], as: picture.file)
    #expect(!corpus.isMade(picture), "another length")
    _ = try await corpus.make(picture, workers: 1)
    #expect(try bytes(of: file) == whole)
    var other = picture
    other.recipe.seed += 1
    #expect(!corpus.isMade(other), "another recipe")
    try FileManager.default.removeItem(atPath: file.string)
    #expect(!corpus.isMade(picture), "no file")
  }

  @Test func `a damaged file is found by check`() async throws {
    let picture = try entry("orientation-3")
    _ = try await corpus.make(picture, workers: 1)
    #expect(try corpus.check(picture).isEmpty)
    let file = corpus.file(of: picture)
    let whole = try bytes(of: file)
    // Replaces the file by another picture of the same size.
    let twin = try await corpus.make(try entry("orientation-4"), workers: 1)
    #expect(twin != picture.pixels)
    try folder.write(try bytes(of: folder.path.appending("orientation-4.jpg")), as: picture.file)
    let findings = try corpus.check(picture)
    #expect(findings.count == 2, "orientation and digest: \(findings)")
    // A truncated file is an error and not a finding.
    try folder.write(Array(whole.prefix(whole.count / 2)), as: picture.file)
    let error = #expect(throws: PipelineError.self) { try corpus.check(picture) }
    #expect(error?.code == .damaged)
    #expect(!corpus.isMade(picture))
  }

  @Test func `each wrong part of the structure is a finding`() async throws {
    var picture = try entry("orientation-2")
    _ = try await corpus.make(picture, workers: 1)
    let right = picture.structure
    let changes: [(inout CorpusPicture.Structure) -> Void] = [
      { $0.width += 1 }, { $0.height += 1 }, { $0.orientation = 3 }, { $0.sampling = "4:4:4" },
      { $0.process = .progressive }, { $0.restartInterval = 7 }, { $0.trailingBytes = 5 },
    ]
    for change in changes {
      picture.structure = right
      change(&picture.structure)
      #expect(try corpus.check(picture).count == 1)
    }
  }

  @Test func `pixels that are not the manifest's are an error, with no stamp left`() async throws {
    let wrong = PixelDigest(rawValue: String(repeating: "0", count: 64))
    let picture = try entry("tiny-1x1").recording(wrong)
    let error = await #expect(throws: CorpusError.self) {
      try await corpus.make(picture, workers: 1)
    }
    #expect(error?.description.contains(wrong.rawValue) == true)
    #expect(!corpus.isMade(picture))
  }

  @Test func `a folder that cannot be made is an error that names it`() async throws {
    let file = try folder.write([1], as: "file")
    let blocked = CorpusFolder(file.appending("corpus"))
    let error = await #expect(throws: PipelineError.self) {
      try await blocked.make(try entry("tiny-1x1"), workers: 1)
    }
    #expect(error?.description.contains(file.string) == true)
  }

  @Test func `progress grows to one`() async throws {
    let steps = Mutex<[Double]>([])
    _ = try await corpus.make(try entry("orientation-1"), workers: 2) { step in
      steps.withLock { $0.append(step) }
    }
    let values = steps.withLock { $0 }
    #expect(values.allSatisfy { (0...1).contains($0) })
    #expect(values.last == 1)
    #expect(values.sorted() == values)
  }
}
