internal import Dispatch
internal import Foundation
internal import Measurement
internal import Synchronization
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// One page: takes what it asks for and draws what it is to show.
///
/// Messages are taken on a queue of the session's own, in order; all that have come are taken before a
/// frame is drawn, and a frame is drawn only while the page has at most one that it has not shown. So
/// late frames are never drawn, and nothing piles up.
final class PlaySession: Sendable {
  /// A message to a page.
  enum Output: Sendable {
    case text(Data)
    case binary(Data)
  }

  private let library: PlayLibrary
  private let send: @Sendable (Output) -> Void
  /// Kept until the last of the session's work has ended, which may be long after its client has gone.
  private let place: PlayGate.Place
  private let queue = DispatchQueue(label: "zoombench.play", qos: .userInteractive)
  private let inbox = Mutex(Inbox())
  /// Only touched on the queue.
  private let state: QueueState

  private struct Inbox: Sendable {
    var messages: [(bytes: Data, arrival: UInt64)] = []
    var byteCount = 0
    var isScheduled = false
    var isClosed = false
    /// The search for a counterexample: one at a time.
    var search: Task<Void, Never>?
  }

  /// State that only blocks of the queue touch.
  private final class QueueState: @unchecked Sendable {
    var table: PlayTable
    var isTimed = false
    init(_ table: PlayTable) { self.table = table }
  }

  init(
    library: PlayLibrary, place: PlayGate.Place, send: @escaping @Sendable (Output) -> Void
  ) {
    (self.library, self.place, self.send) = (library, place, send)
    state = QueueState(PlayTable(library: library))
    state.table.isWanted = { [weak self] in self?.isClosed == false }
  }

  /// Sends the page the lists to choose from.
  func begin() {
    queue.async { [self] in answer(PlayAnswer(hello: state.table.hello)) }
  }

  /// Takes a message of the page.
  ///
  /// - Returns: Whether the caller may read on: not while much waits.
  func take(_ bytes: Data) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return true }
      inbox.messages.append((bytes, Timestamps.monotonic()))
      inbox.byteCount += bytes.count
      if !inbox.isScheduled {
        inbox.isScheduled = true
        queue.async { [self] in work() }
      }
      return inbox.messages.count <= Self.mostMessages && inbox.byteCount <= Self.mostBytes
    }
  }

  /// Whether all that came has been taken.
  var hasCaughtUp: Bool { inbox.withLock { $0.messages.isEmpty } }

  /// The limits for waiting messages: a second of a finger's samples, or one script.
  private static let mostMessages = 64, mostBytes = 4 << 20

  /// Ends the session: waiting messages are dropped, and a search for a counterexample is cancelled.
  func close() {
    inbox.withLock { inbox in
      inbox.isClosed = true
      inbox.search?.cancel()
      (inbox.messages, inbox.byteCount) = ([], 0)
    }
  }

  private var isClosed: Bool { inbox.withLock { $0.isClosed } }

  /// Takes the messages that wait, and draws.
  private func work() {
    while true {
      let messages = inbox.withLock { inbox in
        defer { (inbox.messages, inbox.byteCount) = ([], 0) }
        if inbox.messages.isEmpty { inbox.isScheduled = false }
        return inbox.messages
      }
      // A message may take long, such as one that opens a picture, and the client may have gone since.
      for message in messages where !isClosed {
        take(message.bytes, arrivedAt: message.arrival)
      }
      draw()
      if messages.isEmpty { break }
    }
  }

  private func take(_ bytes: Data, arrivedAt arrival: UInt64) {
    do {
      let request = try JSONDecoder().decode(PlayRequest.self, from: bytes)
      if case .counterexample(let wanted) = request {
        find(wanted)
      } else if let answer = try state.table.take(request, arrivedAt: arrival) {
        self.answer(answer)
      }
    } catch let error as DecodingError {
      answer(PlayAnswer(error: "a message cannot be read: \(Self.words(error))"))
    } catch {
      answer(PlayAnswer(error: "\(error)"))
    }
  }

  /// Searches for a counterexample, beside the queue: laws take their time.
  private func find(_ wanted: PlayedCase) {
    let isBegun = inbox.withLock { inbox in
      guard !inbox.isClosed, inbox.search == nil else { return false }
      inbox.search = Task { [self] in
        let result: Result<PlayLibrary.FoundCase, any Error>
        do { result = .success(try await library.findCase(wanted)) } catch {
          result = .failure(error)
        }
        queue.async { [self] in open(result, law: wanted) }
      }
      return true
    }
    if !isBegun { answer(PlayAnswer(error: "a counterexample is still being looked for")) }
  }

  private func open(_ result: Result<PlayLibrary.FoundCase, any Error>, law: PlayedCase) {
    inbox.withLock { $0.search = nil }
    guard !isClosed else { return }
    do {
      answer(try state.table.open(result.get(), law: law))
      draw()
    } catch { answer(PlayAnswer(error: "\(error)")) }
  }

  private func answer(_ answer: PlayAnswer) {
    guard let json = try? answer.json() else { return }
    send(.text(json))
  }

  /// Draws a frame if there is something new to show and the page has room for it.
  private func draw() {
    guard !isClosed else { return }
    do {
      if let frame = try state.table.frame() { send(.binary(frame)) }
    } catch { answer(PlayAnswer(error: "\(error)")) }
    guard state.table.wantsTime, !state.isTimed else { return }
    state.isTimed = true
    queue.asyncAfter(deadline: .now() + 1 / LivePlay.ticksPerSecond) { [self] in
      state.isTimed = false
      draw()
    }
  }

  /// Describes in a few words which part of a message is wrong.
  private static func words(_ error: DecodingError) -> String {
    let (context, what): (DecodingError.Context, String) =
      switch error {
      case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
      case .typeMismatch(let type, let context): (context, "it is not of type \(type)")
      case .valueNotFound(let type, let context): (context, "it is null instead of a \(type)")
      case .dataCorrupted(let context): (context, context.debugDescription)
      @unknown default: (.init(codingPath: [], debugDescription: ""), "\(error)")
      }
    let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    return String((place + [what]).joined(separator: " ").prefix(300))
  }
}
