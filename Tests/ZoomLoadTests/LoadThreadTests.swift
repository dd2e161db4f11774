import ForeignPipelines
import Synchronization
import Testing
import ZoomPipeline

@testable import ZoomLoad

struct LoadThreadTests {
  /// Returns settings by which no view is given up within an hour, however busy the machine is.
  private static func settings() throws -> LoadSettings {
    var settings = LoadSettings(
      bound: try #require(LoadBound("p95<1800s")), model: try LoadSettings.usual().model)
    (settings.stepSeconds, settings.connections) = (0.2, 3)
    return settings
  }

  @Test func `threads ask a subject and drive the engine to its end`() throws {
    let subject = try NamedParts()
    let threads = LoadThreads(subject, count: 3)
    defer { threads.end() }
    var run = LoadRun(subject, try Self.settings(), drive: threads.drive)
    let step = run.step("", rate: nil, viewers: 2)
    #expect(step.checks.compared > 0 && step.checks.compared >= step.counts.answers)
    #expect(step.checks.wrong == 0 && step.counts.unfinished == 0)
  }

  /// A subject that notes the bodies with which its answers are judged.
  private final class Bodies: LoadSubject {
    let pictures: [TileGrid]
    private let keepsBodies: Bool
    private let judged = Mutex<[[UInt8]?]>([])

    init(keepsBodies: Bool) throws {
      pictures = try NamedParts().pictures
      self.keepsBodies = keepsBodies
    }

    var bodies: [[UInt8]?] { judged.withLock { $0 } }

    func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
      LoadAnswer(body: NamedParts.body(part), keepsBody: keepsBodies)
    }

    func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict {
      judged.withLock { $0.append(body) }
      return digest == LoadAnswer.digest(NamedParts.body(part)) ? .right : .wrong(.wrong, "")
    }

    func endChecks() {}
  }

  @Test(arguments: [true, false])
  func `bytes of all bodies are counted, and only bodies that a check needs are kept`(
    keepsBodies: Bool
  ) throws {
    let subject = try Bodies(keepsBodies: keepsBodies)
    let threads = LoadThreads(subject, count: 3)
    defer { threads.end() }
    var run = LoadRun(subject, try Self.settings(), drive: threads.drive)
    let step = run.step("", rate: nil, viewers: 2)
    // The first part is judged, but not counted.
    #expect(step.counts.bytes >= 6 * step.counts.answers)
    #expect(step.checks.compared > 0 && step.checks.wrong == 0)
    #expect(!subject.bodies.isEmpty)
    #expect(subject.bodies.allSatisfy { ($0 != nil) == keepsBodies })
  }

  #if os(Linux)
    @Test func `the delay of a thread is read again and again`() throws {
      let schedule = try #require(ThreadSchedule())
      defer { schedule.close() }
      let first = schedule.delay
      #expect(schedule.delay >= first)
    }
  #endif

  @Test func `a digested answer has no body if its digest is enough`() {
    for keepsBody in [true, false] {
      var answer = LoadAnswer(body: [1, 2, 3], keepsBody: keepsBody)
      answer.digestBody()
      #expect(answer.body == (keepsBody ? [1, 2, 3] : nil))
      #expect(answer.byteCount == 3 && answer.digest == LoadAnswer.digest([1, 2, 3]))
    }
  }
}
