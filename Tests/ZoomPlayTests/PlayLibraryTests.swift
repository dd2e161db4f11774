import Dispatch
import Foundation
import Synchronization
import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

/// Sources and memory, which all sessions share.
@Suite struct PlayLibraryTests {
  private func library(
    _ pictures: [PlayLibrary.Entry], memory: MemoryBudget = MemoryBudget()
  ) -> PlayLibrary {
    PlayLibrary(
      pictures: pictures, sources: ["automatic", "other"], foreign: ["other"], scripts: [],
      memory: memory, findCase: { _ in throw PlayError("there is none") }, save: nil)
  }

  private func painted(_ width: Int = 400) throws -> PaintedSource {
    PaintedSource(try PixelSize(width: width, height: 300))
  }

  private func versions() throws -> [FileVersion] {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    return try ["a", "b"].map { name in
      let file = folder.path.appending(name)
      try AtomicFile.write([1], to: file)
      return try FileVersion(of: file)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a picture that takes for ever to open keeps nobody from another`() async throws {
    let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let source = try painted()
    let library = library([
      PlayLibrary.Entry(name: "slow") { _ in
        begun.signal()
        release.wait()
        return source
      }, PlayLibrary.Entry(name: "quick") { _ in source },
    ])
    let opened = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? library.source("other", of: 0)
      opened.signal()
    }
    begun.wait()
    _ = try library.source("other", of: 1)
    _ = try library.source("automatic", of: 1)
    #expect(opened.wait(timeout: .now()) == .timedOut)
    release.signal()
    opened.wait()
  }

  @Test func `an attempt to open a picture is that of all who wait, and so is its failure`()
    async throws
  {
    let asked = Mutex(0)
    let opened = Mutex(0)
    let library = library([
      PlayLibrary.Entry(
        name: "hangs",
        version: {
          asked.withLock { $0 += 1 }
          return nil
        },
        open: { _ in
          opened.withLock { $0 += 1 }
          while asked.withLock({ $0 }) < 16 { usleep(1000) }
          // Gives the last thread time to start waiting.
          usleep(200_000)
          throw PlayError("it gave no answer")
        })
    ])
    let group = DispatchGroup()
    let failures = Mutex(0)
    for _ in 0..<16 {
      group.enter()
      Thread.detachNewThread {
        do { _ = try library.source("other", of: 0) } catch { failures.withLock { $0 += 1 } }
        group.leave()
      }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    #expect(failures.withLock { $0 } == 16)
    let count = opened.withLock { $0 }
    // On a busy machine a thread may come late.
    #expect((1...4).contains(count), "it was opened \(count) times")
    #expect(throws: PlayError.self) { try library.source("other", of: 0) }
    #expect(opened.withLock { $0 } == count + 1)
  }

  @Test func `a picture is opened once, and once more when its file is another`() throws {
    let file = Mutex((version: 0, opened: 0))
    let (small, large) = (try painted(), try painted(500))
    let versions = try versions()
    let library = library([
      PlayLibrary.Entry(
        name: "a",
        version: {
          versions[file.withLock { $0.version }]
        },
        open: { _ in
          file.withLock { file in
            file.opened += 1
            return file.version == 0 ? small : large
          }
        })
    ])
    for _ in 0..<3 { #expect(try library.source("automatic", of: 0).size == small.size) }
    #expect(file.withLock { $0.opened } == 1)
    file.withLock { $0.version = 1 }
    for _ in 0..<3 { #expect(try library.source("automatic", of: 0).size == large.size) }
    #expect(file.withLock { $0.opened } == 2)
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

  @Test func `sources of this process read one after the other`() async throws {
    let source = CountingSource(try painted())
    let library = library([PlayLibrary.Entry(name: "a") { _ in source }])
    let shared = try library.source("automatic", of: 0)
    let request = RegionRequest(PixelRegion(whole: source.size))
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<20 { _ = try? shared.read(request) } }
      }
    }
    #expect(source.counts.withLock { $0.most } == 1)
  }

  /// Returns a session with a screen of a million pixels.
  private func session(_ library: PlayLibrary) throws -> PlayTable {
    var table = PlayTable(library: library)
    try table.press(1000, 1000)
    return table
  }

  @Test func `frames of all sessions together take no more than the budget`() throws {
    let source = try painted()
    let budget = MemoryBudget(limit: 300_000_000)
    let library = library([PlayLibrary.Entry(name: "a") { _ in source }], memory: budget)
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

  @Test func `a page that is too large by itself is not told to close another`() throws {
    let source = try painted()
    let library = library(
      [PlayLibrary.Entry(name: "a") { _ in source }], memory: MemoryBudget(limit: 1_000_000))
    var table = try session(library)
    let error = #expect(throws: PlayError.self) { try table.frame() }
    #expect(error?.description.contains("more than the 1 MB for all pages (take a smaller") == true)
  }

  /// Returns a list of events as JSON.
  private func events(_ count: Int, areFirst: Bool = true) -> String {
    (0..<count).map { number in
      let phase = areFirst && number == 0 ? "began" : "moved"
      let touch = #"{"id":1,"x":\#(number % 50),"y":40,"force":1}"#
      return #"{"time":\#(Double(number + 1) / 100),"phase":"\#(phase)","touches":[\#(touch)]}"#
    }.joined(separator: ",")
  }

  @Test func `scripts and recordings of all sessions take no more than the budget`() throws {
    let source = try painted()
    let budget = MemoryBudget(limit: 12 << 20)
    let library = library([PlayLibrary.Entry(name: "a") { _ in source }], memory: budget)
    let screen = #""screen":{"width":60,"height":80}"#
    let play =
      #"{"play":{"picture":0,"system":"peek","script":{"zoombench-gestures":1,\#(screen),"events":[\#(events(1500))]}}}"#
    var tables: [PlayTable] = []
    var refusals: [String] = []
    for _ in 0..<6 {
      var table = PlayTable(library: library)
      do {
        try table.ask(play)
        tables.append(table)
      } catch { refusals.append("\(error)") }
    }
    #expect((2..<6).contains(tables.count), "\(tables.count)")
    #expect(refusals.allSatisfy { $0.contains("--memory") }, "\(refusals)")
    tables = []
    #expect(budget.inUse == 0)

    // The budget is that of 49,152 recorded events.
    var table = PlayTable(library: library)
    try table.ask(#"{"live":{"picture":0,"system":"peek",\#(screen)}}"#)
    func press(_ batches: Range<Int>) throws {
      for batch in batches {
        let events = events(1000, areFirst: batch == 0)
        try table.ask(#"{"events":{"number":1,"sent":0,"events":[\#(events)]}}"#)
      }
    }
    try press(0..<40)
    try table.ask(#"{"record":{}}"#)
    try press(40..<60)
    let error = #expect(throws: PlayError.self) { try table.ask(#"{"record":{}}"#) }
    #expect(error?.description.contains("memory") == true)
    #expect(budget.inUse <= budget.limit)
  }

  /// Returns an event of one finger with several touches, as JSON.
  private func event(_ phase: String, touches: Int, at time: Int) -> String {
    let touches = (0..<touches).map { #"{"id":1,"x":\#($0 % 50),"y":40,"force":1}"# }
    return
      #"{"time":\#(time),"phase":"\#(phase)","touches":[\#(touches.joined(separator: ","))]}"#
  }

  @Test func `the touches of a recording and of a script take a share of the budget`() throws {
    let source = try painted()
    let budget = MemoryBudget(limit: 12 << 20)
    let library = library([PlayLibrary.Entry(name: "a") { _ in source }], memory: budget)
    let screen = #""screen":{"width":60,"height":80}"#
    let touchBytes = MemoryLayout<Touch>.stride
    var table = PlayTable(library: library)
    try table.ask(#"{"live":{"picture":0,"system":"peek",\#(screen)}}"#)
    let events = (0..<1000).map { number in
      event(
        number == 0 ? "began" : "moved", touches: number == 0 ? 1 : LivePlay.mostTouches,
        at: number)
    }
    try table.ask(
      #"{"events":{"number":1,"sent":0,"events":[\#(events.joined(separator: ","))]}}"#)
    #expect(budget.inUse >= 999 * LivePlay.mostTouches * touchBytes)
    table = PlayTable(library: library)
    #expect(budget.inUse == 0)

    let count = 50_000
    let script = [event("began", touches: 1, at: 0), event("moved", touches: count, at: 1)]
    try table.ask(
      #"{"play":{"picture":0,"system":"peek","script":{"zoombench-gestures":1,\#(screen),"events":[\#(script.joined(separator: ","))]}}}"#
    )
    #expect(budget.inUse >= count * touchBytes)
    withExtendedLifetime(table) {}
  }

  @Test func `a picture that is being opened is opened once, however many are asked for`()
    async throws
  {
    let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let opened = Mutex(0)
    let source = try painted()
    let slow = PlayLibrary.Entry(name: "slow") { _ in
      let isFirst = opened.withLock { opened in
        opened += 1
        return opened == 1
      }
      if isFirst {
        begun.signal()
        release.wait()
      }
      return source
    }
    let library = library(
      [slow] + (0..<20).map { PlayLibrary.Entry(name: "\($0)") { _ in source } })
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? library.source("other", of: 0)
      ended.signal()
    }
    begun.wait()
    for picture in 1...20 { _ = try library.source("other", of: picture) }
    #expect(throws: PlayError.self) {
      try library.source("other", of: 0, isWanted: { false })
    }
    release.signal()
    ended.wait()
    _ = try library.source("other", of: 0)
    #expect(opened.withLock { $0 } == 1)
  }

  @Test func `a page shows a picture that was replaced when it begins anew`() throws {
    let file = Mutex(0)
    let (small, large) = (try painted(), try painted(500))
    let versions = try versions()
    let library = library([
      PlayLibrary.Entry(
        name: "a",
        version: {
          versions[file.withLock { $0 }]
        }, open: { _ in file.withLock { $0 == 0 ? small : large } })
    ])
    var table = try session(library)
    #expect(try table.frame() != nil)
    file.withLock { $0 = 1 }
    try table.ask(#"{"view":{"panels":[{"form":"corrected","source":"automatic"}]}}"#)
    let error = #expect(throws: PlayError.self) { try table.frame() }
    #expect(error?.description.contains("replaced") == true)
    try table.ask(
      #"{"live":{"picture":0,"system":"peek","screen":{"width":60,"height":80}}}"#)
    #expect(try table.frame() != nil)
  }
}
