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
/// late frames are never drawn. No message is taken while many bytes of answers wait to be sent, since
/// the answers to a client that does not receive them would grow without limit.
final class PlaySession: Sendable {
  /// A message to a page.
  enum Output: Sendable {
    case text(Data)
    case binary(Data)
  }

  /// Sends a message to the page, and calls the function once it was sent or cannot be.
  typealias Send = @Sendable (Output, _ whenSent: @escaping @Sendable () -> Void) -> Void

  private let library: PlayLibrary
  private let send: Send
  /// Kept until the last of the session's work has ended, which may be long after its client has gone.
  private let place: PlayGate.Place
  private let queue = DispatchQueue(label: "zoombench.play", qos: .userInteractive)
  private let inbox = Mutex(Inbox())
  /// Only touched on the queue.
  private let state: QueueState

  private struct Inbox: Sendable {
    /// The messages that wait to be taken.
    var messages: ArraySlice<(bytes: Data, arrival: UInt64)> = []
    var byteCount = 0
    /// The bytes of answers and the number of frames that are on their way to the client.
    var unsentBytes = 0, unsentFrames = 0
    /// Whether a frame was not drawn because others are on their way.
    var isDrawingHeld = false
    var isScheduled = false
    var isClosed = false
    /// The search for a counterexample: one at a time.
    var search: Task<Void, Never>?

    /// Whether a message waits whose answer can be sent.
    var isReady: Bool { !messages.isEmpty && unsentBytes < PlaySession.mostUnsentBytes }

    /// Takes out the next message that can be answered.
    mutating func next() -> (bytes: Data, arrival: UInt64)? {
      guard isReady else { return nil }
      let message = messages[messages.startIndex]
      byteCount -= message.bytes.count
      // A slice keeps the elements before it until it is copied.
      messages[messages.startIndex].bytes = Data()
      messages.removeFirst()
      return message
    }
  }

  /// State that only blocks of the queue touch.
  private final class QueueState: @unchecked Sendable {
    var table: PlayTable
    var isTimed = false
    init(_ table: PlayTable) { self.table = table }
  }

  init(library: PlayLibrary, place: PlayGate.Place, send: @escaping Send) {
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
      schedule(&inbox)
      return inbox.messages.count <= Self.mostMessages && inbox.byteCount <= Self.mostBytes
    }
  }

  /// Whether all that came has been taken.
  var hasCaughtUp: Bool { inbox.withLock { $0.messages.isEmpty } }

  /// The limits for waiting messages: a second of a finger's samples, or one script.
  private static let mostMessages = 64, mostBytes = 4 << 20
  /// The bytes of answers on their way beyond which no message is taken: what NIO lets wait, too.
  static let mostUnsentBytes = 1 << 16
  /// The number of frames on their way beyond which none is drawn, even if the page claims to show them.
  static let mostUnsentFrames = 2

  /// Has the messages that wait taken, if their answers can be sent.
  private func schedule(_ inbox: inout Inbox) {
    guard !inbox.isScheduled, inbox.isReady else { return }
    inbox.isScheduled = true
    queue.async { [self] in work() }
  }

  /// Ends the session: waiting messages are dropped, and a search for a counterexample is cancelled.
  func close() {
    inbox.withLock { inbox in
      inbox.isClosed = true
      inbox.search?.cancel()
      (inbox.messages, inbox.byteCount) = ([], 0)
    }
  }

  private var isClosed: Bool { inbox.withLock { $0.isClosed } }

  /// Takes the messages that wait while their answers can be sent, and draws.
  private func work() {
    var isReady = true
    while isReady {
      // Messages that come in the meantime are taken after a frame was drawn.
      for _ in 0..<inbox.withLock({ $0.messages.count }) {
        // Opening a picture may take long. A client that has gone since leaves no messages.
        guard let message = inbox.withLock({ $0.next() }) else { break }
        take(message.bytes, arrivedAt: message.arrival)
      }
      draw()
      isReady = inbox.withLock { inbox in
        inbox.isScheduled = inbox.isReady
        return inbox.isReady
      }
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
    inbox.withLock { $0.unsentBytes += json.count }
    send(.text(json)) { [weak self] in
      guard let self else { return }
      inbox.withLock { inbox in
        inbox.unsentBytes -= json.count
        schedule(&inbox)
      }
    }
  }

  /// Draws a frame if there is something new to show and the page has room for it.
  private func draw() {
    let canDraw = inbox.withLock { inbox in
      inbox.isDrawingHeld = inbox.unsentFrames >= Self.mostUnsentFrames
      return !inbox.isClosed && !inbox.isDrawingHeld
    }
    guard canDraw else { return }
    do {
      if let frame = try state.table.frame() { sendFrame(frame) }
    } catch { answer(PlayAnswer(error: "\(error)")) }
    guard state.table.wantsTime, !state.isTimed else { return }
    state.isTimed = true
    queue.asyncAfter(deadline: .now() + 1 / LivePlay.ticksPerSecond) { [self] in
      state.isTimed = false
      draw()
    }
  }

  private func sendFrame(_ frame: Data) {
    inbox.withLock { $0.unsentFrames += 1 }
    send(.binary(frame)) { [weak self] in
      guard let self else { return }
      let isHeld = inbox.withLock { inbox in
        inbox.unsentFrames -= 1
        return inbox.isDrawingHeld
      }
      if isHeld { queue.async { self.draw() } }
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
