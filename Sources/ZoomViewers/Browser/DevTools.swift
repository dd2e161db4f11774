internal import Foundation
package import Measurement

/// An event of the browser.
struct DevToolsEvent {
  let method: String
  /// The page or worker that it is about; nil for the browser.
  let session: String?
  let body: JSONObject
}

/// The DevTools protocol over the pipes of a browser: JSON messages that a zero byte ends.
///
/// It is used by one thread at a time.
package final class DevTools {
  /// The seconds after which a command counts as unanswered: a hundred times the slowest one.
  package static let patience = 10.0
  /// The most bytes of a message: a screenshot of 16 megapixels that cannot be compressed.
  private static let messageLimit = 64 << 20

  private struct Answer {
    let method: String
    let message: DevToolsMessage
    let screenshot: [UInt8]?
  }

  private let child: ChildProcess
  private let encoder = JSONEncoder()
  private var count = 0
  /// The names of the commands whose answers are awaited, by their numbers.
  private var awaited: [Int: String] = [:]
  private var answers: [Int: Answer] = [:]
  /// Takes an event.
  ///
  /// It must not wait for an answer. An error of it ends the wait in progress.
  var onEvent: (DevToolsEvent) throws(ViewerFailure) -> Void = { _ in }
  /// The account of the browser's CPU time.
  let account = ProcessorAccount()

  /// Starts a program that reads commands and writes messages.
  ///
  /// - Throws: `cannotStart`.
  package init(_ command: WorkerCommand) throws(ViewerFailure) {
    encoder.outputFormatting = .withoutEscapingSlashes
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(
        command, lineLimit: Self.messageLimit, separator: 0, account: account)
    } catch {
      throw .cannotStart("\(error)")
    }
  }

  var identifier: Int32 { child.identifier }
  var descendants: [Int32] { child.descendants }

  /// Sends a command and returns its number; with `awaits`, its answer must be asked for.
  @discardableResult package func send(
    _ method: String, _ parameters: JSONObject = [:], session: String? = nil, awaits: Bool = false
  ) throws(ViewerFailure) -> Int {
    count += 1
    var message: JSONObject = [
      "id": .number(Double(count)), "method": .string(method), "params": .object(parameters),
    ]
    if let session { message["sessionId"] = .string(session) }
    // Only numbers that are not finite cannot be encoded.
    guard let data = try? encoder.encode(message) else {
      throw .protocol("\(method): a number is not finite")
    }
    do throws(ChildProcess.Failure) {
      try child.send(String(decoding: data, as: UTF8.self) + "\0")
    } catch {
      throw failure(error)
    }
    if awaits { awaited[count] = method }
    return count
  }

  /// Returns the answer to a command, and takes the events that come before it.
  ///
  /// - Throws: `hung` if it does not come in time, `protocol` if the browser refuses the command.
  package func answer(
    to id: Int, within seconds: Double = DevTools.patience
  ) throws(ViewerFailure) -> (result: JSONObject, screenshot: [UInt8]?) {
    guard try wait(seconds, until: { answers[id] != nil }),
      let answer = answers.removeValue(forKey: id)
    else { throw .hung(seconds: seconds, last: awaited[id] ?? "a command") }
    if let refusal = answer.message.refusal { throw .protocol("\(answer.method): \(refusal)") }
    return (answer.message.body, answer.screenshot)
  }

  /// Sends a command and returns its answer.
  package func call(
    _ method: String, _ parameters: JSONObject = [:], session: String? = nil
  ) throws(ViewerFailure) -> JSONObject {
    try answer(to: send(method, parameters, session: session, awaits: true)).result
  }

  /// Takes messages until a condition holds; returns false if the time is over before.
  func wait(_ seconds: Double, until isMet: () -> Bool) throws(ViewerFailure) -> Bool {
    let deadline = Timestamps.monotonic().addingSaturating(UInt64(seconds * 1e9))
    while !isMet() {
      let line: [UInt8]?
      do throws(ChildProcess.Failure) {
        line = try child.lineIfAny(until: deadline)
      } catch {
        throw failure(error)
      }
      guard let line else { return false }
      try take(line)
    }
    return true
  }

  private func take(_ line: [UInt8]) throws(ViewerFailure) {
    let (message, screenshot) = try DevToolsMessage.read(line)
    if let method = message.method {
      try onEvent(DevToolsEvent(method: method, session: message.session, body: message.body))
    } else if let id = message.id, let method = awaited.removeValue(forKey: id) {
      answers[id] = Answer(method: method, message: message, screenshot: screenshot)
    }
  }

  /// Asks the browser to end, and kills it if it does not within a second.
  func end() {
    guard child.isRunning else { return }
    _ = try? send("Browser.close")
    child.end(patience: 1_000_000_000)
  }

  private func failure(_ failure: ChildProcess.Failure) -> ViewerFailure {
    let log = LastLines.phrase(child.log)
    return switch failure {
    case .ended(.exited(let status)): .gone("it ended with status \(status)\(log)")
    case .ended(.killed(let signal)): .gone("signal \(signal) ended it\(log)")
    case .overlong: .tooLarge("a message of the browser has more than \(Self.messageLimit) bytes")
    case .cannotStart, .ended(.unknown), .late: .gone("it closed its output\(log)")
    }
  }
}
