internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// A headless browser with one page, whose clock and frames we move on, and whose requests we answer.
///
/// Its device pixel ratio cannot change, because screenshots follow only the flag of the browser. All times are
/// in seconds of the page's virtual clock, which stands between steps.
final class VirtualPage {
  /// The duration of a usual step: a frame of 62.5 Hz, in whole milliseconds as the page's clocks have.
  static let frame = 0.016
  /// A date of 2023 in seconds, at which the clock begins.
  static let date = 1.7e9
  private static let binding = "zoombenchTell"
  private static let script = String(decoding: PackageResources.inject_js, as: UTF8.self)

  let tools: DevTools
  let entry: ViewerEntry
  let ratio: Double
  private let profile: ScratchFolder
  private var size: ViewSize
  var time = 0.0
  private var target = ""
  private var session = ""
  /// The tick of the browser's clock, in milliseconds, at which the page's clock was stopped.
  private(set) var base = 0.0
  /// The milliseconds by which the page's clock is ahead of `time`.
  var ahead = 0.0
  var isExpired = false
  private var workers: Set<String> = []

  // The reports of the page since it was opened.
  private(set) var errors: [String] = []
  private var hasBegun = false
  /// The numbers of pictures that the page and each of its workers decode, by session.
  private var decoding: [String: Int] = [:]
  var decodes: Int { decoding.values.reduce(0, +) }
  /// The number of input events that have arrived, which also counts those of earlier pages.
  private(set) var arrivals = 0
  var requests = RequestTable()
  /// Whether the last answer arrived only after the clock went on.
  var hasLateAnswer = false
  var hands = PageHands()
  /// The number of steps in succession without a change, an open request or a decoding.
  var quiet = 0
  /// The last screenshot since requests were open, and whether it is equal to the one before.
  var before: Data?
  var isAlike = false

  /// The server of the page and its pictures; what it holds, it is asked again at the next step.
  var server: TileServer?
  var frames: [ViewerPlay.Frame] = []

  /// Starts a browser with an empty page; throws `cannotStart`, also if it refuses what a page needs.
  init(_ command: BrowserCommand, _ entry: ViewerEntry, on screen: Screen) throws(ViewerFailure) {
    do throws(PipelineError) { profile = try ScratchFolder() } catch {
      throw .cannotStart("\(error)")
    }
    (self.entry, ratio, size) = (entry, screen.scale, screen.size)
    let flags = command.flags(ratio: ratio, size: size, profile: profile.path, allows: entry.hosts)
    // The browser reads commands at descriptor 3 and writes answers to 4.
    let start = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"
    tools = try DevTools(
      WorkerCommand(
        label: "browser", executable: "/bin/sh",
        arguments: ["-c", start, command.path.string] + flags))
    tools.onEvent = { [weak self] method, source, body throws(ViewerFailure) in
      try self?.take(method, of: source, body)
    }
    do throws(ViewerFailure) { try createPage() } catch {
      throw error == .cancelled ? error : .cannotStart("\(command.version): \(error)")
    }
  }

  deinit { tools.end() }

  func rendererMemory() throws(ViewerFailure) -> UInt64? {
    let found = try tools.call("SystemInfo.getProcessInfo")["processInfo"] as? [JSONObject] ?? []
    return found.filter { $0["type"] as? String == "renderer" }.compactMap { process -> UInt64? in
      let id = process["id"] as? Int ?? 0
      return SystemText.bytes(
        of: "VmHWM", in: SystemText.contents(ofFile: "/proc/\(id)/status") ?? "")
    }.max()
  }

  private func createPage() throws(ViewerFailure) {
    // The browser's own context would write what pages store to the disk, which takes real time.
    let context = try tools.call("Target.createBrowserContext")["browserContextId"] as? String ?? ""
    let wanted: DevTools.Parameters = [
      "url": "about:blank", "browserContextId": context, "width": size.width.rounded(),
      "height": size.height.rounded(), "enableBeginFrameControl": true,
    ]
    target = try tools.call("Target.createTarget", wanted)["targetId"] as? String ?? ""
    let attached = try tools.call("Target.attachToTarget", ["targetId": target, "flatten": true])
    session = attached["sessionId"] as? String ?? ""
    for domain in ["Page", "Runtime", "Network", "Inspector"] { try call("\(domain).enable") }
    try call("Fetch.enable", ["patterns": [["urlPattern": "*"] as [String: String]]])
    try call("Page.setBypassCSP", ["enabled": true])
    try call("Runtime.addBinding", ["name": Self.binding])
    try call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.script])
    let attaching = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
    try call("Target.setAutoAttach", attaching)
    // A process swap at the first page of another origin would shift the ticks by 0.1 s.
    try navigate(to: entry.origin + Self.blank)
    // Half a millisecond keeps whole milliseconds from being rounded up in one run and down in another.
    let pause: DevTools.Parameters = ["policy": "pause", "initialVirtualTime": Self.date + 0.0005]
    let stopped = try call("Emulation.setVirtualTimePolicy", pause)
    base = stopped["virtualTimeTicksBase"] as? Double ?? 0
    // The first frame shows whether the browser obeys BeginFrames at all.
    try step()
  }

  func send(_ method: String, _ parameters: DevTools.Parameters) throws(ViewerFailure) {
    try tools.send(method, parameters, session: session)
  }

  @discardableResult func call(
    _ method: String, _ parameters: DevTools.Parameters = [:]
  ) throws(ViewerFailure) -> JSONObject {
    try tools.call(method, parameters, session: session)
  }

  /// Opens an address without what earlier pages have stored, and waits until its document begins; scripts
  /// and pictures come with steps.
  func open(_ url: String) throws(ViewerFailure) {
    try letGo()
    // Another fragment of one address would keep the document.
    try navigate(to: entry.origin + Self.blank)
    // The browser clears the rest, but not this.
    _ = try evaluate("sessionStorage.clear()")
    try call("Storage.clearDataForOrigin", ["origin": entry.origin, "storageTypes": "all"])
    try navigate(to: url)
  }

  private func navigate(to url: String) throws(ViewerFailure) {
    (errors, hasBegun, decoding) = ([], false, [:])
    (requests, hands) = (RequestTable(), PageHands())
    // Empties the memory cache, so that each opening requests the same files.
    for isOff in [true, false] { try send("Network.setCacheDisabled", ["cacheDisabled": isOff]) }
    let id = try tools.send("Page.navigate", ["url": url], session: session, awaits: true)
    let isRequested = try tools.wait(DevTools.patience) {
      requests.entries.contains { $0.isDocument && $0.stopsLeft == 0 && $0.paused != nil }
    }
    guard isRequested else { throw .pageFailed("\(url) is not requested (open it in a browser)") }
    // A redirect is one more request.
    let deadline = Timestamps.deadline(after: DevTools.patience)
    repeat {
      requests.see(at: time)
      try deliver()
    } while try !tools.wait(0.05, until: { tools.isAnswered(id) })
      && Timestamps.monotonic() < deadline
    if let why = try tools.answer(to: id)["errorText"] as? String, !why.isEmpty {
      throw .pageFailed("\(url): \(why) (open it in a browser)")
    }
    guard try tools.wait(DevTools.patience, until: { hasBegun }) else {
      throw .pageFailed("\(url) is not an HTML page (name one)")
    }
  }

  /// Returns the value of a script; throws `pageFailed` if it throws.
  func evaluate(_ script: String) throws(ViewerFailure) -> Any? {
    let found = try call("Runtime.evaluate", ["expression": script, "returnByValue": true])
    if let details = found["exceptionDetails"] as? JSONObject {
      let exception = details["exception"] as? JSONObject
      let why = exception?["description"] as? String ?? details["text"] as? String
      throw .pageFailed("'\(script)': \(why ?? "an error")")
    }
    return (found["result"] as? JSONObject)?["value"]
  }

  /// Evaluates a call of the page's adapter; what it throws is an error of the page, and its value nil.
  func ask(_ script: String) throws(ViewerFailure) -> Any? {
    do throws(ViewerFailure) { return try evaluate(script) } catch {
      guard case .pageFailed(let why) = error else { throw error }
      errors.append(why)
      return nil
    }
  }

  func resize(to size: ViewSize) throws(ViewerFailure) {
    guard size != self.size else { return }
    let window = try tools.call("Browser.getWindowForTarget", ["targetId": target])
    let id = window["windowId"] as? Int ?? 0
    let bounds = ["width": size.width.rounded(), "height": size.height.rounded()]
    try tools.call("Browser.setWindowBounds", ["windowId": id, "bounds": bounds])
    self.size = size
  }

  private func take(
    _ method: String, of source: String?, _ body: JSONObject
  ) throws(ViewerFailure) {
    guard let source, source == session || workers.contains(source) else { return }
    switch method {
    case "Emulation.virtualTimeBudgetExpired": isExpired = true
    case "Runtime.bindingCalled": hear(body["payload"] as? String ?? "", of: source)
    case "Inspector.targetCrashed":
      if source == session { throw .ended(.crashed, "its process ended") }
    case "Page.javascriptDialogOpening":
      try tools.send("Page.handleJavaScriptDialog", ["accept": true], session: source)
    case "Target.detachedFromTarget":
      // A worker that ends while it decodes does not say so.
      decoding[body["sessionId"] as? String ?? ""] = nil
    case "Target.attachedToTarget":
      guard let worker = body["sessionId"] as? String else { break }
      workers.insert(worker)
      try tools.send("Network.enable", session: worker)
      try tools.send("Runtime.addBinding", ["name": Self.binding], session: worker)
      try tools.send("Runtime.evaluate", ["expression": Self.script], session: worker)
      try tools.send("Runtime.runIfWaitingForDebugger", session: worker)
    default: requests.take(method, body)
    }
  }

  private func hear(_ message: String, of session: String) {
    let decodes = decoding[session, default: 0]
    switch message.first {
    case "d": (hasBegun, decoding[session]) = (true, nil)
    case "i": arrivals += 1
    case "+": decoding[session] = decodes + 1
    case "-": decoding[session] = max(0, decodes - 1)
    // A page may throw in each frame.
    case "e": if errors.count < 20 { errors.append(String(message.dropFirst())) }
    default: break
    }
  }
}
