internal import Dispatch
internal import Foundation
internal import Measurement
internal import Synchronization
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// One page: handles its messages and draws its frames.
///
/// A serial queue handles messages in order, all that have arrived before the next frame is drawn. A frame is
/// drawn only while at most one sent frame is not shown yet, so late frames are never drawn. No message is
/// handled while many bytes of answers are unsent: the answers to a client that receives nothing would grow
/// without limit.
final class PlaySession: Sendable {
  enum Output: Sendable {
    case text(Data)
    case binary(Data)
  }

  /// Sends a message to the page, and calls the function once it was sent or has failed.
  typealias Send = @Sendable (Output, _ whenSent: @escaping @Sendable () -> Void) -> Void

  private let library: PlayLibrary
  private let send: Send
  /// Kept until the session's last work has ended, which may be long after its client has disconnected.
  private let place: PlayGate.Place
  private let queue = DispatchQueue(label: "zoombench.play", qos: .userInteractive)
  private let inbox = Mutex(Inbox())
  /// Accessed only on the queue.
  private let state: QueueState

  private struct Inbox: Sendable {
    /// The messages that are not handled yet.
    var messages: ArraySlice<(bytes: Data, arrival: UInt64)> = []
    var byteCount = 0
    /// The bytes of answers and the number of frames that are not sent yet.
    var unsentBytes = 0, unsentFrames = 0
    /// Whether drawing waits until frames have been sent.
    var isDrawingHeld = false
    var isScheduled = false
    var isClosed = false
    /// The search for a counterexample; at most one runs.
    var search: Task<Void, Never>?

    /// Whether a message is waiting and its answer can be sent.
    var isReady: Bool { !messages.isEmpty && unsentBytes < PlaySession.mostUnsentBytes }

    /// Removes and returns the next message that can be answered.
    mutating func next() -> (bytes: Data, arrival: UInt64)? {
      guard isReady else { return nil }
      let message = messages[messages.startIndex]
      byteCount -= message.bytes.count
      // A slice keeps its removed elements until it is copied, so the bytes are freed here.
      messages[messages.startIndex].bytes = Data()
      messages.removeFirst()
      return message
    }
  }

  /// State that only blocks on the queue access.
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

  func begin() {
    queue.async { [self] in answer(PlayAnswer(hello: state.table.hello)) }
  }

  /// Queues a message of the page.
  ///
  /// - Returns: Whether the caller may continue reading; false while too much is queued.
  func take(_ bytes: Data) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return true }
      inbox.messages.append((bytes, Timestamps.monotonic()))
      inbox.byteCount += bytes.count
      schedule(&inbox)
      return inbox.messages.count <= Self.mostMessages && inbox.byteCount <= Self.mostBytes
    }
  }

  /// Whether all messages have been handled.
  var hasCaughtUp: Bool { inbox.withLock { $0.messages.isEmpty } }

  /// The limits of queued messages: a second of one finger's samples, or one script.
  private static let mostMessages = 64, mostBytes = 4 << 20
  /// The bytes of unsent answers at which no more messages are handled, the same as NIO's default limit.
  static let mostUnsentBytes = 1 << 16
  /// The number of unsent frames at which drawing stops, even if the page claims to have shown them.
  static let mostUnsentFrames = 2

  /// Schedules the handling of messages if their answers can be sent.
  private func schedule(_ inbox: inout Inbox) {
    guard !inbox.isScheduled, inbox.isReady else { return }
    inbox.isScheduled = true
    queue.async { [self] in work() }
  }

  /// Ends the session: queued messages are dropped, and a search for a counterexample is cancelled.
  func close() {
    inbox.withLock { inbox in
      inbox.isClosed = true
      inbox.search?.cancel()
      (inbox.messages, inbox.byteCount) = ([], 0)
    }
  }

  private var isClosed: Bool { inbox.withLock { $0.isClosed } }

  /// Handles queued messages while their answers can be sent, and draws.
  private func work() {
    var isReady = true
    while isReady {
      // Messages that arrive during this loop are handled after a frame was drawn.
      for _ in 0..<inbox.withLock({ $0.messages.count }) {
        // Opening a picture may take long; if the client has disconnected meanwhile, its messages are gone.
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

  /// Searches for a counterexample outside the queue, because checking laws takes long.
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
    guard let json = try? JSONEncoder().encode(answer) else { return }
    inbox.withLock { $0.unsentBytes += json.count }
    send(.text(json)) { [weak self] in
      guard let self else { return }
      inbox.withLock { inbox in
        inbox.unsentBytes -= json.count
        schedule(&inbox)
      }
    }
  }

  /// Draws a frame if it differs and the page has room for it.
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

  /// Returns which part of a message is wrong, in a few words.
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
