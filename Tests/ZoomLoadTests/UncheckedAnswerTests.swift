import ForeignPipelines
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomLoad

/// Answers about which this machine cannot decide, which must not be called wrong, nor right.
struct UncheckedAnswerTests {
  private let folder: TestFolder
  private let path: FilePath
  private let body: [UInt8]

  init() throws {
    folder = try TestFolder()
    body = try Image(try Pixels.noise(40, 30)).pngBytes()
    path = try folder.write(body, as: "noise.png")
  }

  private func part(of grid: TileGrid) -> LoadPart {
    LoadPart(
      picture: 0, tile: grid.tiles(covering: PixelRegion(whole: grid.size), factor: 1)[0])
  }

  private func isUnchecked(_ verdict: AnswerVerdict) -> Bool {
    if case .unchecked = verdict { true } else { false }
  }

  @Test func `an answer that cannot be written for its decoder is unchecked`() throws {
    let pipeline = try ForeignPipeline("x=http:http://127.0.0.1:9/{x}/{y}/{w}/{h}")
    let subject = try ServerSubject(pipeline, [path], lanes: 1, limits: .standard)
    let part = part(of: subject.pictures[0])
    #expect(subject.verdict(on: 1, body: body, of: part) == .right)
    subject.scratch.remove()
    #expect(isUnchecked(subject.verdict(on: 1, body: body, of: part)))
  }

  @Test func `a program is not compared with itself if its picture is too large`() throws {
    let program = try ForeignPipeline("c=command,lossy:cp {file} {out.png}")
    let subject = try SourceSubject(
      program, [path], tile: nil, rows: 1,
      limits: PictureLimits(memory: MemoryBudget(limit: 100)))
    #expect(isUnchecked(subject.verdict(on: 1, body: body, of: part(of: subject.pictures[0]))))
  }

  @Test func `an answer of a server is unchecked if its picture is too large to be decoded`() throws
  {
    let pipeline = try ForeignPipeline("x=http:http://127.0.0.1:9/{x}/{y}/{w}/{h}")
    let subject = try ServerSubject(
      pipeline, [path], lanes: 1, limits: PictureLimits(memory: MemoryBudget(limit: 100)))
    #expect(isUnchecked(subject.verdict(on: 1, body: [], of: part(of: subject.pictures[0]))))
  }

  /// A subject whose answers are right if their bodies were kept.
  private struct KeptIsRight: LoadSubject {
    let pictures: [TileGrid]
    let worksInThread = false

    func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
      LoadAnswer(.failed)
    }

    func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict {
      body == nil ? .bodyNotKept : .right
    }

    func endChecks() {}
  }

  @Test func `an answer that was not kept in one step is compared in a later one`() throws {
    let subject = KeptIsRight(pictures: try NamedParts().pictures)
    let part = part(of: subject.pictures[0])
    var ledger = AnswerLedger(mostBytes: 4)
    for byte: UInt8 in [1, 2] { ledger.note(LoadAnswer(body: [byte, 0, 0]), of: part) }
    let first = ledger.check(by: subject)
    #expect(first.compared == 1 && first.unchecked == 1)
    ledger.note(LoadAnswer(body: [2, 0, 0]), of: part)
    let second = ledger.check(by: subject)
    #expect(second.compared == 1 && second.unchecked == 0)
  }
}
