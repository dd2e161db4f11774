import Dispatch
import Foundation
import Synchronization
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

/// Sessions whose client has disconnected.
@Suite struct PlaySessionTests {
  private let gate = PlayGate(PlayServer.Settings(host: "127.0.0.1", port: 80, token: nil))
  private let scene = Data(
    #"{"live":{"picture":0,"system":"peek","screen":{"width":60,"height":80}}}"#.utf8)

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
    let sent = DispatchSemaphore(value: 0)
    let picture = SlowPicture()
    let places = try places()
    var session: PlaySession? = PlaySession(
      library: PlayLibrary([picture.entry]), place: try #require(gate.enterSession())
    ) { _, _ in sent.wait() }
    session?.begin()
    // They arrive while the first answer is being sent, so that all are handled together.
    for _ in 0..<5 { _ = session?.take(scene) }
    for _ in 0..<10 { sent.signal() }
    try await picture.waitForOpening()
    session?.close()
    session = nil
    #expect(gate.enterSession() == nil)
    picture.release()
    try await waitForPlace()
    #expect(picture.openings == 1)
    withExtendedLifetime(places) {}
  }

  @Test(.timeLimit(.minutes(1)))
  func
    `a session that waits for a picture that another opens gives up its place when it is closed`()
    async throws
  {
    let picture = SlowPicture()
    let library = PlayLibrary([picture.entry])
    var places = try places()
    places.removeLast()
    let first = PlaySession(library: library, place: try #require(gate.enterSession())) { _, _ in }
    _ = first.take(scene)
    try await picture.waitForOpening()
    for _ in 0..<5 {
      let next = PlaySession(library: library, place: try await waitForPlace()) { _, _ in }
      _ = next.take(scene)
      try await Task.sleep(for: .milliseconds(20))
      next.close()
    }
    try await waitForPlace()
    #expect(picture.openings == 1)
    picture.release()
    withExtendedLifetime((places, first)) {}
  }

  @Test(.timeLimit(.minutes(1)))
  func `the search for a counterexample ends with its session`() async throws {
    let begun = Mutex(0)
    let ended = Mutex(0)
    let library = PlayLibrary([.painted(try PixelSize(width: 40, height: 30))]) { _ in
      begun.withLock { $0 += 1 }
      defer { ended.withLock { $0 += 1 } }
      try await Task.sleep(for: .seconds(600))
      throw PlayError("there is none")
    }
    let places = try places()
    // The page is reloaded several times.
    for round in 1...3 {
      // Only the session holds the place.
      var session: PlaySession? = PlaySession(library: library, place: try await waitForPlace()) {
        _, _ in
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

/// Sessions whose client does not receive its messages.
@Suite struct PlayBackpressureTests {
  private let gate = PlayGate(PlayServer.Settings(host: "127.0.0.1", port: 80, token: nil))

  private final class Client: Sendable {
    private struct Received: Sendable {
      var greetings = 0, frames = 0, answers = 0, answerBytes = 0
      var unsent: [@Sendable () -> Void] = []
    }
    private let received = Mutex(Received())

    var frames: Int { received.withLock { $0.frames } }
    var answers: Int { received.withLock { $0.answers } }
    var answerBytes: Int { received.withLock { $0.answerBytes } }
    private var greetings: Int { received.withLock { $0.greetings } }

    func send(_ output: PlaySession.Output, _ whenSent: @escaping @Sendable () -> Void) {
      received.withLock { received in
        switch output {
        case .text(let bytes) where bytes.starts(with: #"{"hello""#.utf8):
          received.greetings += 1
        case .text(let bytes):
          received.answers += 1
          received.answerBytes += bytes.count
        case .binary: received.frames += 1
        }
        received.unsent.append(whenSent)
      }
    }

    func receive() {
      let unsent = received.withLock { received in
        defer { received.unsent = [] }
        return received.unsent
      }
      for whenSent in unsent { whenSent() }
    }

    /// Waits until the session has handled its queue: its greeting is queued last.
    func waitForQueue(of session: PlaySession) async throws {
      let before = greetings
      session.begin()
      while greetings == before { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  private func session(_ client: Client) throws -> PlaySession {
    PlaySession(library: try .painted(), place: try #require(gate.enterSession())) {
      client.send($0, $1)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `answers that are not received stop the session, which goes on later`() async throws {
    let client = Client()
    let session = try session(client)
    let request = Data(#"{"record":{}}"#.utf8)
    let count = 5000
    for _ in 0..<count { _ = session.take(request) }
    try await client.waitForQueue(of: session)
    // The last answer may exceed the limit.
    #expect(client.answerBytes < PlaySession.mostUnsentBytes + 1000)
    #expect((1..<count).contains(client.answers))
    #expect(!session.hasCaughtUp)
    while client.answers < count {
      client.receive()
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(session.hasCaughtUp)
    #expect(client.answers == count)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a client that claims to show frames that it did not receive is sent no more of them`()
    async throws
  {
    let client = Client()
    let session = try session(client)
    let scene = #"{"live":{"picture":0,"system":"peek","screen":{"width":60,"height":80}}}"#
    let view = #"{"view":{"panels":[{"form":"corrected","source":"automatic"}]}}"#
    for message in [scene, view] { _ = session.take(Data(message.utf8)) }
    try await client.waitForQueue(of: session)
    for number in 1...5 {
      for message in [#"{"shown":\#(number)}"#, view] { _ = session.take(Data(message.utf8)) }
      try await client.waitForQueue(of: session)
    }
    #expect(client.frames == PlaySession.mostUnsentFrames)
    client.receive()
    while client.frames == PlaySession.mostUnsentFrames {
      try await Task.sleep(for: .milliseconds(1))
    }
    withExtendedLifetime(session) {}
  }
}
