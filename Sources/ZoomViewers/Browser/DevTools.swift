internal import Foundation
internal import Measurement
package import SystemPackage
internal import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

typealias JSONObject = [String: Any]

/// The DevTools protocol over the pipes of a browser: JSON messages that a zero byte ends.
final class DevTools {
  typealias Parameters = [String: any Encodable & Sendable]

  /// The seconds after which a command counts as unanswered: a hundred times the slowest one.
  static let patience = 10.0
  /// The most bytes of a message: a screenshot of 16 megapixels that cannot be compressed.
  private static let messageLimit = 64 << 20

  private struct Parameter: Encodable {
    let value: any Encodable & Sendable
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  private let child: ChildProcess
  // JSONSerialization is slow for files in Base64. Both write 1.0 as 1: the browser refuses 1.0 for an integer.
  private let encoder = JSONEncoder()
  private var count = 0
  /// The awaited commands and those of input, with the answers that have come, by the commands' numbers.
  private var awaited: [Int: (method: String, answer: JSONObject?)] = [:]
  /// Takes an event's name, the session of its page or worker, and its parameters; it must not wait for an answer,
  /// and an error of it ends the wait in progress.
  var onEvent: (String, String?, JSONObject) throws(ViewerFailure) -> Void = { _, _, _ in }

  init(_ command: WorkerCommand) throws(ViewerFailure) {
    encoder.outputFormatting = .withoutEscapingSlashes
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(command, lineLimit: Self.messageLimit, separator: 0)
    } catch { throw .cannotStart("\(error)") }
  }

  /// Sends a command and returns its number; with `awaits`, the caller must then ask for the answer.
  @discardableResult func send(
    _ method: String, _ parameters: Parameters = [:], session: String? = nil, awaits: Bool = false,
    within seconds: Double = DevTools.patience
  ) throws(ViewerFailure) -> Int {
    count += 1
    var command = ["id": count, "method": method] as Parameters
    command["params"] = parameters.mapValues { Parameter(value: $0) }
    if let session { command["sessionId"] = session }
    // Only numbers that are not finite cannot be encoded.
    guard let data = try? encoder.encode(command.mapValues { Parameter(value: $0) }) else {
      throw .protocol("\(method): a number is not finite")
    }
    do throws(ChildProcess.Failure) {
      try child.send(
        String(decoding: data, as: UTF8.self) + "\0", until: Timestamps.deadline(after: seconds))
    } catch {
      throw error == .late ? ViewerFailure.hung(seconds: seconds, last: method) : failure(error)
    }
    if awaits || method.hasPrefix("Input.") { awaited[count] = (method, nil) }
    return count
  }

  func isAnswered(_ id: Int) -> Bool { awaited[id]?.answer != nil }

  /// Returns the result of a command; throws if it does not come in time, or if the browser refuses the command.
  func answer(
    to id: Int, within seconds: Double = DevTools.patience
  ) throws(ViewerFailure) -> JSONObject {
    guard try wait(seconds, until: { isAnswered(id) }),
      let (method, found) = awaited.removeValue(forKey: id), let answer = found
    else { throw .hung(seconds: seconds, last: awaited[id]?.method ?? "a command") }
    if let error = answer["error"] as? JSONObject {
      throw .protocol("\(method): \(error["message"] as? String ?? "no reason given")")
    }
    return answer["result"] as? JSONObject ?? [:]
  }

  @discardableResult func call(
    _ method: String, _ parameters: Parameters = [:], session: String? = nil
  ) throws(ViewerFailure) -> JSONObject {
    try answer(to: send(method, parameters, session: session, awaits: true))
  }

  /// Takes messages until a condition holds; returns false if the time is over before.
  func wait(_ seconds: Double, until isMet: () -> Bool) throws(ViewerFailure) -> Bool {
    let deadline = Timestamps.deadline(after: seconds)
    while !isMet() {
      let line: [UInt8]?
      do throws(ChildProcess.Failure) {
        line = try child.lineIfAny(until: deadline)
      } catch { throw failure(error) }
      guard let line else { return false }
      try take(line)
    }
    return true
  }

  private func take(_ line: [UInt8]) throws(ViewerFailure) {
    guard let message = try? JSONSerialization.jsonObject(with: Data(line)) as? JSONObject else {
      let start = String(decoding: line.prefix(80), as: UTF8.self)
      throw .protocol("the message '\(start)' is not a JSON object")
    }
    if let method = message["method"] as? String {
      let body = message["params"] as? JSONObject ?? [:]
      try onEvent(method, message["sessionId"] as? String, body)
    } else if let id = message["id"] as? Int {
      awaited[id]?.answer = message
      guard awaited[id]?.method.hasPrefix("Input.") == true else { return }
      // The codes of unknown methods and parameters; a page that ends causes other errors.
      let code = (message["error"] as? JSONObject)?["code"] as? Int
      if code == -32601 || code == -32602 { _ = try answer(to: id) }
      awaited[id] = nil
    } else {
      throw .protocol("a message is neither an answer nor an event")
    }
  }

  func end() {
    _ = try? send("Browser.close", within: 1)
    child.end(patience: 1_000_000_000)
  }

  private func failure(_ failure: ChildProcess.Failure) -> ViewerFailure {
    let log = LastLines.phrase(child.log)
    return switch failure {
    case .ended(.exited(let status)): .ended(.gone, "it ended with status \(status)\(log)")
    case .ended(.killed(let signal)): .ended(.gone, "signal \(signal) ended it\(log)")
    case .overlong: .protocol("a message has more than \(Self.messageLimit) bytes")
    case .cannotStart, .ended(.unknown), .late: .ended(.gone, "it closed its output\(log)")
    }
  }
}

package struct BrowserCommand: Sendable {
  /// A path, or a name to find in PATH.
  let path: FilePath
  /// The program's name and version: "Chromium 156.0.8078.108".
  package let version: String

  static let variable = "ZOOMBENCH_BROWSER"
  /// Only the headless shell obeys BeginFrames.
  private static let usual = [
    "/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell",
    "chrome-headless-shell",
  ]

  /// Finds a browser: the named one, that of ZOOMBENCH_BROWSER, or an installed headless shell; throws
  /// `cannotStart` without one, if it is not Chromium, or if its version cannot be read.
  package static func find(
    _ named: FilePath?, in environment: [String: String]? = nil
  ) throws(ViewerFailure) -> BrowserCommand {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let wanted = named?.string ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    for name in wanted.map({ [$0] }) ?? usual {
      let command = WorkerCommand(label: "browser", executable: name, arguments: ["--version"])
      // The version is a line. Ten seconds are forty times what it takes on a busy machine.
      let deadline = Timestamps.deadline(after: 10)
      guard let run = try? ChildProcess.run(command, limit: 1 << 14, until: deadline) else {
        continue
      }
      guard run.ending == .exited(status: 0) else {
        throw .cannotStart("\(name) --version fails\(LastLines.phrase(run.log))")
      }
      let version = String(decoding: run.output, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      guard version.contains("Chrom") else {
        throw .cannotStart("\(name) is not Chromium but '\(version.prefix { !$0.isNewline })'")
      }
      return BrowserCommand(path: FilePath(name), version: version)
    }
    throw .cannotStart(
      wanted.map { "\($0) cannot be run, or does not answer --version" }
        ?? "no headless Chromium is installed or answers --version")
  }

  /// Returns the arguments of a browser that reaches only the given hosts.
  func flags(ratio: Double, size: ViewSize, profile: FilePath, allows hosts: [String]) -> [String] {
    let resolving = ["MAP * ~NOTFOUND"] + hosts.map { "EXCLUDE \($0)" }
    let flags = [
      "--headless", "--remote-debugging-pipe", "--deterministic-mode", "--hide-scrollbars",
      "--force-color-profile=srgb", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--disable-dev-shm-usage", "--mute-audio", "--no-first-run",
      // With this feature, the compositor waits for touches by a clock that stands.
      "--disable-features=WaitForLateScrollEvents",
      "--force-device-scale-factor=\(ratio)", "--user-data-dir=\(profile)",
      "--window-size=\(Int(size.width)),\(Int(size.height))",
      "--host-resolver-rules=\(resolving.joined(separator: ", "))",
    ]
    // Chromium refuses to be sandboxed as root.
    return flags + (ProcessInfo.processInfo.userName == "root" ? ["--no-sandbox"] : [])
  }
}

/// The reason for which a viewer cannot be tested, or the end of its page.
package enum ViewerFailure: Error, Sendable, Hashable, CustomStringConvertible {
  case cannotStart(String)
  /// The page cannot be found or loaded, or its script fails before it is ready.
  case pageFailed(String)
  /// The page or its browser ended, or did not answer in time.
  case ended(ViewerPlay.Ending, String)
  /// The browser refused a command, or its answer is not understood.
  case `protocol`(String)
  case picture(PipelineError)
  case cancelled

  static func hung(seconds: Double, last: String) -> ViewerFailure {
    .ended(.hung, "no answer for \(seconds) s after \(last)")
  }

  /// The reason in words if it says nothing about the page: the machine or the browser is at fault.
  package var ofMachine: String? {
    switch self {
    case .cannotStart, .protocol, .picture, .cancelled: "\(self)"
    case .pageFailed, .ended: nil
    }
  }

  package var description: String {
    switch self {
    case .cannotStart(let why):
      "no browser starts: \(why) (apt-get install chromium-headless-shell, or name one with --browser)"
    case .pageFailed(let why): "the page cannot be tested: \(why)"
    case .ended(let ending, let why):
      "the page is \(ending): \(why) (look for an endless loop, and at the memory that is free)"
    case .protocol(let why): "the browser refused a command: \(why) (try another browser)"
    case .picture(let error): "\(error)"
    case .cancelled: "cancelled"
    }
  }
}
