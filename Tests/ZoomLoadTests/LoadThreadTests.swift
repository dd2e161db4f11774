import ForeignPipelines
import Foundation
import Measurement
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
    let worksInThread = true
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
      return digest == LoadAnswer.digest(NamedParts.body(part)) ? .right : .faulty(.wrong, "")
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

  /// A subject that takes at least 20 ms for each request.
  private struct Slow: LoadSubject {
    let pictures: [TileGrid]
    let worksInThread: Bool

    func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
      Thread.sleep(forTimeInterval: 0.02)
      return LoadAnswer(body: NamedParts.body(part))
    }

    func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict { .right }

    func endChecks() {}
  }

  /// Returns a step of one viewer, whose requests are given three at a time to the only thread.
  private static func stepOfOneThread(worksInThread: Bool) throws -> LoadStep {
    let subject = Slow(
      pictures: try NamedParts([(600, 600)]).pictures, worksInThread: worksInThread)
    let threads = LoadThreads(subject, count: 1)
    defer { threads.end() }
    var run = LoadRun(subject, try settings(), drive: threads.drive)
    return run.step("", rate: nil, viewers: 1, seconds: 1)
  }

  @Test func `requests that wait for cores which their own source takes are slow, not late`() throws
  {
    let step = try Self.stepOfOneThread(worksInThread: true)
    #expect(try #require(step.requests.maximum) > 59)
  }

  @Test func `requests to a server that wait for a thread are late`() throws {
    let step = try Self.stepOfOneThread(worksInThread: false)
    #expect(try #require(step.lag.maximum) > 39)
  }

  @Test func `a request takes the time that its client measured, and the rest is lag`() throws {
    /// Works for 30 ms before it sends each request, and for 30 ms after each answer.
    struct Client: LoadSubject {
      let pictures: [TileGrid]
      let worksInThread = false

      func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
        var answer = LoadAnswer(body: NamedParts.body(part))
        Thread.sleep(forTimeInterval: 0.03)
        let sent = Timestamps.monotonic()
        answer.times = (sent, sent + 1_000_000)
        Thread.sleep(forTimeInterval: 0.03)
        return answer
      }

      func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict { .right }

      func endChecks() {}
    }
    let subject = Client(pictures: try NamedParts([(600, 600)]).pictures)
    let threads = LoadThreads(subject, count: 1)
    defer { threads.end() }
    var run = LoadRun(subject, try Self.settings(), drive: threads.drive)
    let step = run.step("", rate: nil, viewers: 1, seconds: 1)
    #expect(abs(try #require(step.requests.maximum) - 1) < 0.01)
    #expect(try #require(step.lag.p50) > 29)
  }

  #if os(Linux)
    @Test func `the delay of a thread is read again and again`() {
      let schedule = ThreadSchedule()
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
