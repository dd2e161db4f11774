import Foundation
import Synchronization
import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

/// Sources and memory, which all sessions share.
@Suite struct PlayLibraryTests {
  @Test(.timeLimit(.minutes(1)))
  func `a picture that is being opened is opened once, and delays no other`() async throws {
    let size = try PixelSize(width: 400, height: 300)
    let slow = SlowPicture(size)
    let library = PlayLibrary(
      [slow.entry] + (1...20).map { PlayLibrary.Entry.painted(size, name: "\($0)") })
    Thread.detachNewThread { _ = try? library.source("other", of: 0) }
    try await slow.waitForOpening()
    for picture in 1...20 { _ = try library.source("other", of: picture) }
    _ = try library.source("automatic", of: 1)
    #expect(throws: PlayError.self) {
      try library.source("other", of: 0, isWanted: { false })
    }
    slow.release()
    _ = try library.source("other", of: 0)
    #expect(slow.openings == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `all who wait for a picture share one attempt to open it, and its failure`() async throws {
    let picture = SlowPicture()
    let library = PlayLibrary([picture.entry])
    let failures = Mutex(0)
    for _ in 0..<16 {
      Thread.detachNewThread {
        do { _ = try library.source("other", of: 0) } catch { failures.withLock { $0 += 1 } }
      }
    }
    while picture.requests < 16 { try await Task.sleep(for: .milliseconds(1)) }
    // Gives the last thread time to start waiting.
    try await Task.sleep(for: .milliseconds(200))
    picture.release()
    while failures.withLock({ $0 }) < 16 { try await Task.sleep(for: .milliseconds(1)) }
    let count = picture.openings
    // On a busy machine a thread may come late.
    #expect((1...4).contains(count), "it was opened \(count) times")
    #expect(throws: PlayError.self) { try library.source("other", of: 0) }
    #expect(picture.openings == count + 1)
  }

  /// A picture whose file can be replaced with a wider picture's.
  private final class ReplaceablePicture: Sendable {
    private let versions: [FileVersion]
    private let file = Mutex((version: 0, openings: 0))

    init() throws {
      let folder = try ScratchFolder()
      defer { folder.remove() }
      versions = try ["a", "b"].map { name in
        let file = folder.path.appending(name)
        try AtomicFile.write([1], to: file)
        return try FileVersion(of: file)
      }
    }

    var entry: PlayLibrary.Entry {
      PlayLibrary.Entry(
        name: "a", version: { [self] in versions[file.withLock { $0.version }] },
        open: { [self] _ in
          let version = file.withLock { file in
            file.openings += 1
            return file.version
          }
          return PaintedSource(try PixelSize(width: 400 + 100 * version, height: 300))
        })
    }

    var openings: Int { file.withLock { $0.openings } }

    func replace() { file.withLock { $0.version = 1 } }
  }

  @Test func `a picture is opened once, and once more when its file is another`() throws {
    let picture = try ReplaceablePicture()
    let library = PlayLibrary([picture.entry])
    for _ in 0..<3 { #expect(try library.source("automatic", of: 0).size.width == 400) }
    #expect(picture.openings == 1)
    picture.replace()
    for _ in 0..<3 { #expect(try library.source("automatic", of: 0).size.width == 500) }
    #expect(picture.openings == 2)
  }

  @Test func `a page shows a picture that was replaced when it begins again`() throws {
    let picture = try ReplaceablePicture()
    var table = try session(PlayLibrary([picture.entry]))
    #expect(try table.frame() != nil)
    picture.replace()
    try table.ask(#"{"view":{"panels":[{"form":"corrected","source":"automatic"}]}}"#)
    let error = #expect(throws: PlayError.self) { try table.frame() }
    #expect(error?.description.contains("replaced") == true)
    try table.press(60, 80)
    #expect(try table.frame() != nil)
  }

  private final class CountingSource: RegionSource {
    let inner: PaintedSource
    let counts = Mutex((now: 0, most: 0))

    init(_ inner: PaintedSource) { self.inner = inner }

    var size: PixelSize { inner.size }
    var state: SourceState { inner.state }
    var openingWork: Work { inner.openingWork }
    var explanation: String { inner.explanation }
    func forget() {}

    func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
      defer { counts.withLock { $0.now -= 1 } }
      return try inner.read(request)
    }
  }

  @Test func `sources of this process read one after the other`() throws {
    let source = CountingSource(PaintedSource(try PixelSize(width: 400, height: 300)))
    let library = PlayLibrary([PlayLibrary.Entry(name: "a") { _ in source }])
    let shared = try library.source("automatic", of: 0)
    let request = RegionRequest(PixelRegion(whole: source.size))
    _ = concurrently(8) { _ in for _ in 0..<20 { _ = try? shared.read(request) } }
    #expect(source.counts.withLock { $0.most } == 1)
  }

  /// Returns a session with a screen of a million pixels.
  private func session(_ library: PlayLibrary) throws -> PlayTable {
    var table = PlayTable(library: library)
    try table.press(1000, 1000)
    return table
  }

  @Test func `frames of all sessions together take no more than the budget`() throws {
    let budget = MemoryBudget(limit: 300_000_000)
    let library = try PlayLibrary.painted(400, 300, memory: budget)
    var tables: [PlayTable] = []
    var refusals: [String] = []
    for _ in 0..<8 {
      var table = try session(library)
      do {
        #expect(try table.frame() != nil)
        tables.append(table)
      } catch { refusals.append("\(error)") }
      #expect(budget.inUse <= budget.limit)
    }
    #expect((1..<8).contains(tables.count))
    #expect(refusals.allSatisfy { $0.contains("--memory") && $0.contains("300 MB") }, "\(refusals)")
    // A session that ends makes room for another.
    tables.removeLast()
    var next = try session(library)
    #expect(try next.frame() != nil)
    tables = []
    withExtendedLifetime(next) {}
    next = PlayTable(library: library)
    #expect(budget.inUse == 0)
  }

  @Test func `a page that alone is too large is not advised to close another`() throws {
    var table = try session(.painted(memory: MemoryBudget(limit: 1_000_000)))
    let error = #expect(throws: PlayError.self) { try table.frame() }
    #expect(error?.description.contains("more than the 1 MB for all pages (take a smaller") == true)
  }

  /// Returns the events of a finger that goes down and then moves, with some touches each time.
  private func events(_ count: Int, touches: Int = 1) -> [GestureEvent] {
    (0..<count).map { number in
      let touch = Touch(id: 1, point: ViewPoint(x: Double(number % 50), y: 40), force: 1)
      let touches = [Touch](repeating: touch, count: number == 0 ? 1 : touches)
      return GestureEvent(
        time: Double(number) / 100, kind: .touches(number == 0 ? .began : .moved, touches))
    }
  }

  private let budget = MemoryBudget(limit: 12 << 20)

  private func play(_ events: [GestureEvent]) throws -> PlayTable {
    let screen = try Screen(size: ViewSize(width: 60, height: 80))
    let script = try GestureScript(screen: screen, events: events)
    var table = PlayTable(library: try .painted(memory: budget))
    _ = try table.take(
      .play(PlayScript(picture: 0, system: .peek, script: script)), arrivedAt: firstArrival)
    return table
  }

  private func record(_ events: some Sequence<GestureEvent>, in table: inout PlayTable) throws {
    _ = try table.take(
      .events(PlayEvents(number: 1, sent: 0, events: Array(events))), arrivedAt: firstArrival)
  }

  @Test func `scripts of all sessions take no more than the budget`() throws {
    var tables: [PlayTable] = []
    var refusals: [String] = []
    for _ in 0..<6 {
      do { tables.append(try play(events(1500))) } catch { refusals.append("\(error)") }
    }
    #expect((2..<6).contains(tables.count), "\(tables.count)")
    #expect(refusals.allSatisfy { $0.contains("--memory") }, "\(refusals)")
    tables = []
    #expect(budget.inUse == 0)
  }

  @Test func `a recording takes no more than the budget`() throws {
    // The budget is that of 49,152 recorded events.
    let events = events(60_000)
    var table = PlayTable(library: try .painted(memory: budget))
    try table.press(60, 80)
    for start in stride(from: 0, to: 40_000, by: 1000) {
      try record(events[start..<start + 1000], in: &table)
    }
    try table.ask(#"{"record":{}}"#)
    try record(events[40_000...], in: &table)
    let error = #expect(throws: PlayError.self) { try table.ask(#"{"record":{}}"#) }
    #expect(error?.description.contains("memory") == true)
    #expect(budget.inUse <= budget.limit)
  }

  @Test func `the touches of a recording and of a script take a share of the budget`() throws {
    let touchBytes = MemoryLayout<Touch>.stride
    var table = PlayTable(library: try .painted(memory: budget))
    try table.press(60, 80)
    try record(events(1000, touches: LivePlay.mostTouches), in: &table)
    #expect(budget.inUse >= 999 * LivePlay.mostTouches * touchBytes)
    table = PlayTable(library: try .painted(memory: budget))
    #expect(budget.inUse == 0)

    let count = 50_000
    table = try play(events(2, touches: count))
    #expect(budget.inUse >= count * touchBytes)
    withExtendedLifetime(table) {}
  }
}
