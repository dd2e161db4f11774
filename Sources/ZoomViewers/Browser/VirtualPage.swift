internal import Measurement
package import ZoomGeometry

/// A page whose clock and frames we move on, and whose requests we answer.
///
/// All times are in seconds of the page's virtual clock, which stands between steps.
package final class VirtualPage {
  /// The result of a step.
  package struct StepResult: Sendable {
    /// The time of the frame.
    package internal(set) var time: Double
    /// Whether pixels may have changed.
    package let hasDamage: Bool
    /// The screenshot, if one was asked for.
    package internal(set) var png: [UInt8]?
    /// The real time that the step took, in milliseconds; 0 with a screenshot, which takes longer.
    package let milliseconds: Double
  }

  /// The duration of a usual step: a frame of 62.5 Hz, in whole milliseconds as the page's clocks have.
  package static let frame = 0.016

  let tools: DevTools
  /// The scheme, host and port at which the page was created.
  package let origin: String
  /// The viewport in CSS pixels.
  package private(set) var size: ViewSize
  /// The time.
  package private(set) var time = 0.0
  private let context, target: String
  private(set) var session = ""
  /// The tick of the browser's clock, in milliseconds, at which the page's clock was stopped.
  private(set) var base = 0.0
  private var address = ""
  /// The milliseconds by which the page's clock is ahead of `time`.
  var ahead = 0.0

  // The reports of the page since it was opened.
  /// The errors of its scripts.
  package private(set) var errors: [String] = []
  /// The number of clicks that it received.
  package private(set) var clicks = 0
  private var hasBegun = false
  private var isExpired = false
  /// The number of images being decoded.
  private(set) var decodes = 0
  /// The number of input events that have arrived.
  private(set) var arrivals = 0
  private var workers: Set<String> = []
  /// The number of steps in succession without a change, an open request or a decoding.
  package internal(set) var quiet = 0

  /// Answers a request, or holds it: it is then asked again at the next step.
  package var answer: (PageRequest) -> PageAnswer = { _ in .fail }
  /// Takes each step, also those of coming to rest.
  var watch: (StepResult) -> Void = { _ in }
  /// Whether each step takes a screenshot.
  var takesShots = false
  /// Puts the requests that may be answered in a step into an order.
  package var order: ([PageRequest]) -> [PageRequest] = { $0 }
  var requests = RequestTable()
  var hands = PageHands()

  /// The headers that give our pages precise clocks, and let any page read our pictures.
  static let headers = [
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*",
    // A reload of a tile within one page is the viewer's doing, not an expiry.
    "Cache-Control": "max-age=86400",
  ]

  /// Creates an empty page in a new context, and stops its clock.
  init(_ tools: DevTools, size: ViewSize, origin: String) throws(ViewerFailure) {
    (self.tools, self.size, self.origin) = (tools, size, origin)
    context = try Self.text(
      "browserContextId", in: tools.call("Target.createBrowserContext"))
    target = try Self.text(
      "targetId",
      in: tools.call(
        "Target.createTarget",
        [
          "url": "about:blank", "browserContextId": .string(context),
          "width": .number(size.width.rounded()), "height": .number(size.height.rounded()),
          "enableBeginFrameControl": true,
        ]))
    session = try Self.text(
      "sessionId",
      in: tools.call("Target.attachToTarget", ["targetId": .string(target), "flatten": true]))
    tools.onEvent = { [weak self] event throws(ViewerFailure) in try self?.take(event) }
    for domain in ["Page", "Runtime", "Network", "Inspector"] { try call("\(domain).enable") }
    try call("Fetch.enable", ["patterns": [["urlPattern": "*"]]])
    try call("Page.setBypassCSP", ["enabled": true])
    try call("Runtime.addBinding", ["name": .string(Self.binding)])
    try call("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.script)])
    try call(
      "Target.setAutoAttach",
      ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true])
    // A process swap at the first page of another origin would shift the ticks by 0.1 s.
    try openBlank()
    // Half a millisecond keeps whole milliseconds from being rounded up in one run and down in another.
    let stopped = try call(
      "Emulation.setVirtualTimePolicy",
      ["policy": "pause", "initialVirtualTime": .number(Self.date + 0.0005)])
    base = stopped["virtualTimeTicksBase"]?.number ?? 0
    // The first frame shows whether the browser obeys BeginFrames at all.
    _ = try step(Self.frame)
  }

  /// A date of 2023 in seconds, at which the clock begins; inject.js lets each document begin at it.
  static let date = 1.7e9
  private static let binding = "zoombenchTell"
  private static let script = String(decoding: PackageResources.inject_js, as: UTF8.self)

  private static func text(_ key: String, in answer: JSONObject) throws(ViewerFailure) -> String {
    guard let text = answer[key]?.text else { throw .protocol("an answer lacks \(key)") }
    return text
  }

  /// Opens an address, and waits until its document begins; scripts and pictures come with steps.
  package func open(_ url: String) throws(ViewerFailure) {
    // Another fragment of one address would keep the document.
    if Self.document(url) == Self.document(address) { try openBlank() }
    try navigate(to: url)
  }

  private static func document(_ url: String) -> Substring { url.prefix { $0 != "#" } }

  private func openBlank() throws(ViewerFailure) {
    let usual = answer
    answer = { _ in .now(PageResponse(status: 200, type: "text/html", body: [])) }
    defer { answer = usual }
    try navigate(to: "\(origin)/zoombench-blank")
  }

  private func navigate(to url: String) throws(ViewerFailure) {
    address = url
    (errors, clicks, hasBegun, decodes) = ([], 0, false, 0)
    (requests, hands) = (RequestTable(), PageHands())
    // Empties the memory cache, so that each opening requests the same files.
    for isOff in [true, false] {
      try tools.send(
        "Network.setCacheDisabled", ["cacheDisabled": .boolean(isOff)], session: session)
    }
    let id = try tools.send(
      "Page.navigate", ["url": .string(url)], session: session, awaits: true)
    guard try tools.wait(DevTools.patience, until: { requests.isDocumentPaused }) else {
      throw .pageFailed("\(url) is not requested")
    }
    requests.see(at: time)
    try deliver()
    let found = try tools.answer(to: id).result
    if let why = found["errorText"]?.text, !why.isEmpty { throw .pageFailed("\(url): \(why)") }
    guard try tools.wait(DevTools.patience, until: { hasBegun }) else {
      throw .pageFailed("\(url) is not an HTML page")
    }
  }

  /// Answers requests, lets a time pass, and draws a frame.
  ///
  /// - Throws: `cancelled` if the task was cancelled; `crashed`, `hung` or `gone` if the page ends.
  @discardableResult package func step(
    _ duration: Double = VirtualPage.frame, shot: Bool = false
  ) throws(ViewerFailure) -> StepResult {
    if Task.isCancelled { throw .cancelled }
    let shot = shot || takesShots
    let start = Timestamps.monotonic()
    try deliver()
    var result = try advance(duration, shot: shot)
    // A first touch and a wheel arrive with a frame, rarely with the one after it.
    var extra = 2
    while try !hasInputArrived(), extra > 0 {
      result = try advance(duration, shot: shot)
      extra -= 1
    }
    hands.giveUp()
    if !requests.isEmpty || decodes > 0 {
      quiet = 0
    } else if !shot {
      // A frame with a screenshot always counts as changed.
      quiet = result.hasDamage ? 0 : quiet + 1
    }
    let made = StepResult(
      time: time, hasDamage: result.hasDamage, png: result.png,
      milliseconds: shot ? 0 : Double(Timestamps.monotonic() - start) / 1e6)
    watch(made)
    return made
  }

  private func advance(
    _ duration: Double, shot: Bool
  ) throws(ViewerFailure) -> (hasDamage: Bool, png: [UInt8]?) {
    isExpired = false
    let milliseconds = (duration * 1000).rounded()
    let budget = max(1, milliseconds - ahead)
    ahead -= milliseconds - budget
    try tools.send(
      "Emulation.setVirtualTimePolicy",
      [
        "policy": "advance", "budget": .number(budget),
        // A page that posts itself messages without end must not stop its clock.
        "maxVirtualTimeTaskStarvationCount": 100_000,
      ], session: session)
    guard try tools.wait(DevTools.patience, until: { isExpired }) else {
      throw hung("the clock's advance")
    }
    time += milliseconds / 1000
    // Requests that the page makes after this, while it draws, count as made in the next step:
    // whether they have reached us by now differs from run to run.
    requests.see(at: time)
    try awaitDecodes()
    var frame: JSONObject = [
      "frameTimeTicks": .number(base + time * 1000), "interval": .number(milliseconds),
    ]
    if shot { frame["screenshot"] = ["format": "png", "optimizeForSpeed": true] }
    let id = try tools.send(
      "HeadlessExperimental.beginFrame", frame, session: session, awaits: true)
    do throws(ViewerFailure) {
      let (result, png) = try tools.answer(to: id)
      if shot, png == nil { throw .protocol("a frame lacks its screenshot") }
      return (result["hasDamage"]?.isTrue ?? false, png)
    } catch {
      guard case .hung = error else { throw error }
      throw hung("a frame")
    }
  }

  private func hung(_ what: String) -> ViewerFailure {
    .hung(seconds: DevTools.patience, last: "\(what); requested last: \(requests.last ?? address)")
  }

  /// Evaluates a script in the page and returns its value.
  ///
  /// - Throws: `pageFailed` if the script throws.
  package func evaluate(_ script: String) throws(ViewerFailure) -> JSONValue {
    let found = try call(
      "Runtime.evaluate", ["expression": .string(script), "returnByValue": true])
    if let details = found["exceptionDetails"] {
      let why = details["exception"]?["description"]?.text ?? details["text"]?.text ?? "an error"
      throw .pageFailed("'\(script)': \(why)")
    }
    return found["result"]?["value"] ?? .null
  }

  /// Resizes the viewport; the page sees it with the next frames.
  package func resize(to size: ViewSize) throws(ViewerFailure) {
    guard size != self.size else { return }
    let window = try tools.call("Browser.getWindowForTarget", ["targetId": .string(target)])
    _ = try tools.call(
      "Browser.setWindowBounds",
      [
        "windowId": window["windowId"] ?? .null,
        "bounds": [
          "width": .number(size.width.rounded()), "height": .number(size.height.rounded()),
        ],
      ])
    self.size = size
  }

  /// Closes the page with its context.
  func close() throws(ViewerFailure) {
    _ = try tools.call("Target.disposeBrowserContext", ["browserContextId": .string(context)])
  }

  @discardableResult private func call(
    _ method: String, _ parameters: JSONObject = [:]
  ) throws(ViewerFailure) -> JSONObject {
    try tools.call(method, parameters, session: session)
  }

  private func take(_ event: DevToolsEvent) throws(ViewerFailure) {
    guard let source = event.session, source == session || workers.contains(source) else { return }
    switch event.method {
    case "Emulation.virtualTimeBudgetExpired": isExpired = true
    case "Runtime.bindingCalled": try hear(event.body["payload"]?.text ?? "")
    case "Inspector.targetCrashed": if source == session { throw .crashed }
    case "Page.javascriptDialogOpening":
      try tools.send("Page.handleJavaScriptDialog", ["accept": true], session: source)
    case "Target.attachedToTarget":
      guard let worker = event.body["sessionId"]?.text else { break }
      workers.insert(worker)
      try tools.send("Network.enable", session: worker)
      try tools.send("Runtime.addBinding", ["name": .string(Self.binding)], session: worker)
      try tools.send("Runtime.evaluate", ["expression": .string(Self.script)], session: worker)
      try tools.send("Runtime.runIfWaitingForDebugger", session: worker)
    default: requests.take(event)
    }
  }

  /// Takes a message of inject.js.
  private func hear(_ message: String) throws(ViewerFailure) {
    switch message.first {
    case "d": (hasBegun, decodes) = (true, 0)
    case "i": arrivals += 1
    case "c": clicks += 1
    case "+": decodes += 1
    case "-": decodes = max(0, decodes - 1)
    // A page may throw in each frame.
    case "e": if errors.count < 20 { errors.append(String(message.dropFirst())) }
    case "x": throw .pageFailed("it uses \(message.dropFirst()), which cannot be watched")
    default: break
    }
  }
}
