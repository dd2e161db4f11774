import Dispatch
import Foundation
import Synchronization
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

/// Sessions whose client has gone.
@Suite struct PlaySessionTests {
  private let gate = PlayGate(PlayServer.Settings(host: "127.0.0.1", port: 80, token: nil))
  private let scene = Data(
    #"{"live":{"picture":0,"system":"peek","screen":{"width":60,"height":80}}}"#.utf8)

  private func library(
    open: @escaping @Sendable () throws -> any RegionSource,
    findCase: @escaping @Sendable (PlayedCase) async throws -> PlayLibrary.FoundCase = { _ in
      throw PlayError("there is none")
    }
  ) -> PlayLibrary {
    PlayLibrary(
      pictures: [PlayLibrary.Entry(name: "a", open: { _ in try open() })],
      sources: ["automatic"], scripts: [], findCase: findCase, save: nil)
  }

  /// Takes all places but one.
  private func places() throws -> [PlayGate.Place] {
    try (1..<PlayServer.mostSessions).map { _ in try #require(gate.enterSession()) }
  }

  @discardableResult
  private func waitForPlace() async throws -> PlayGate.Place {
    while true {
      if let place = gate.enterSession() { return place }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func
    `a session whose client has gone takes no more messages, and keeps its place while it works`()
    async throws
  {
    let (sent, begun, release) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let opened = Mutex(0)
    let library = library(open: {
      opened.withLock { $0 += 1 }
      begun.signal()
      release.wait()
      throw PlayError("it gave no answer")
    })
    let places = try places()
    var session: PlaySession? = PlaySession(
      library: library, place: try #require(gate.enterSession())
    ) { _ in sent.wait() }
    session?.begin()
    // They come while the first answer is being sent, so that all are taken together.
    for _ in 0..<5 { _ = session?.take(scene) }
    for _ in 0..<10 { sent.signal() }
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        begun.wait()
        done.resume()
      }
    }
    session?.close()
    session = nil
    #expect(gate.enterSession() == nil)
    for _ in 0..<5 { release.signal() }
    try await waitForPlace()
    #expect(opened.withLock { $0 } == 1)
    withExtendedLifetime(places) {}
  }

  @Test(.timeLimit(.minutes(1)))
  func
    `a session that waits for a picture that another opens gives up its place when it is closed`()
    async throws
  {
    let release = DispatchSemaphore(value: 0)
    let opened = Mutex(0)
    let library = library(open: {
      opened.withLock { $0 += 1 }
      release.wait()
      throw PlayError("it gave no answer")
    })
    var places = try places()
    places.removeLast()
    let first = PlaySession(library: library, place: try #require(gate.enterSession())) { _ in }
    _ = first.take(scene)
    while opened.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    for _ in 0..<5 {
      let next = PlaySession(library: library, place: try await waitForPlace()) { _ in }
      _ = next.take(scene)
      try await Task.sleep(for: .milliseconds(20))
      next.close()
    }
    try await waitForPlace()
    #expect(opened.withLock { $0 } == 1)
    release.signal()
    withExtendedLifetime((places, first)) {}
  }

  @Test(.timeLimit(.minutes(1)))
  func `the search for a counterexample ends with its session`() async throws {
    let begun = Mutex(0)
    let ended = Mutex(0)
    let size = try PixelSize(width: 40, height: 30)
    let library = library(
      open: { PaintedSource(size) },
      findCase: { _ in
        begun.withLock { $0 += 1 }
        defer { ended.withLock { $0 += 1 } }
        try await Task.sleep(for: .seconds(600))
        throw PlayError("there is none")
      })
    let places = try places()
    // The page is opened again and again.
    for round in 1...3 {
      // Held by the session alone.
      var session: PlaySession? = PlaySession(library: library, place: try await waitForPlace()) {
        _ in
      }
      let message = #"{"counterexample":{"law":"FZ-P1","subject":"peek original"}}"#
      _ = session?.take(Data(message.utf8))
      while begun.withLock({ $0 }) < round { try await Task.sleep(for: .milliseconds(1)) }
      session?.close()
      session = nil
      while ended.withLock({ $0 }) < round { try await Task.sleep(for: .milliseconds(1)) }
      try await waitForPlace()
    }
    withExtendedLifetime(places) {}
  }
}
