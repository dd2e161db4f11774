import Measurement
import Testing
import ZoomLaws

@testable import ZoomViewers

@Suite struct DevToolsTests {
  /// Starts a shell script in place of a browser.
  static func tools(_ script: String) throws -> DevTools {
    try DevTools(
      WorkerCommand(label: "scripted", executable: "/bin/sh", arguments: ["-c", script]))
  }

  /// Starts a script that writes messages, each ended by a zero byte, and then waits.
  static func tools(writing messages: String...) throws -> DevTools {
    let prints = messages.map { "printf '%s\\000' '\($0)'; " }.joined()
    return try tools(prints + "sleep 60")
  }

  static let texts = ["zwölf 😀 \"/\\ \n", "\0", String(repeating: "ab/", count: 40_000)]
  static let numbers = [1, 0.1, -1e300, Double(1 << 53)]

  @Test func `parameters arrive as they were sent`() throws {
    // What was sent comes back with a method and no result, as an event.
    let tools = try Self.tools("cat")
    var events: [(method: String, session: String?, body: JSONObject)] = []
    tools.onEvent = { method, session, body throws(ViewerFailure) in
      events.append((method, session, body))
    }
    try tools.send(
      "One.two", ["texts": Self.texts, "numbers": Self.numbers, "flag": false, "none": [Int]()],
      session: "s")
    let isBack = try tools.wait(10) { !events.isEmpty }
    #expect(isBack)
    let event = try #require(events.first)
    #expect(event.method == "One.two")
    #expect(event.session == "s")
    #expect((event.body["texts"] as? [String]) == Self.texts)
    #expect((event.body["numbers"] as? [Double]) == Self.numbers)
    #expect((event.body["flag"] as? Bool) == false)
    #expect((event.body["none"] as? [Any])?.isEmpty == true)
  }

  @Test func `answers are found by their numbers, and events come in order`() throws {
    let tools = try Self.tools(
      writing: #"{"id":2,"result":{"a":2}}"#, #"{"method":"A.b","params":{"n":1}}"#,
      #"{"id":7,"result":{}}"#, #"{"method":"A.c","params":{"n":2},"sessionId":"s"}"#,
      #"{"id":1,"result":{"a":1}}"#)
    var events: [String] = []
    tools.onEvent = { method, _, _ throws(ViewerFailure) in events.append(method) }
    let ids = try ["X.one", "X.two"].map { try tools.send($0, awaits: true) }
    #expect(ids == [1, 2])
    let values = try ids.map { try tools.answer(to: $0)["a"] as? Int }
    #expect(values == [1, 2])
    #expect(events == ["A.b", "A.c"])
  }

  @Test func `a message may come in any two pieces`() throws {
    let message = Array(#"{"id":1,"result":{"a":"b"}}"#.unicodeScalars)
    try #require(message.count > 20)
    for cut in stride(from: 1, to: message.count, by: 5) {
      let pieces = [message[..<cut], message[cut...]].map { piece in
        String(String.UnicodeScalarView(piece))
      }
      let tools = try Self.tools(
        "printf '%s' '\(pieces[0])'; sleep 0.01; printf '%s\\000' '\(pieces[1])'; sleep 60")
      let value = try tools.call("X.one")["a"] as? String
      #expect(value == "b")
    }
  }

  @Test(arguments: [
    "garbage", "[]", "{}", #"{"id":1,"#, #"{"id":1.5}"#,
  ])
  func `anything but a message is refused`(text: String) throws {
    let tools = try Self.tools(writing: text)
    let error = #expect(throws: ViewerFailure.self) { try tools.call("X.one") }
    guard case .protocol = error else {
      Issue.record("\(text) throws \(String(describing: error))")
      return
    }
  }

  @Test func `a refused command names itself and the reason`() throws {
    let tools = try Self.tools(writing: #"{"id":1,"error":{"code":-3,"message":"no page"}}"#)
    #expect(throws: ViewerFailure.protocol("X.one: no page")) { try tools.call("X.one") }
  }

  @Test func `input that the browser does not understand is refused, and no input is awaited`()
    throws
  {
    let tools = try Self.tools(
      writing: #"{"id":1,"error":{"code":-32000,"message":"no page"}}"#, #"{"id":2,"result":{}}"#,
      #"{"id":3,"error":{"code":-32602,"message":"no x"}}"#)
    for _ in 1...3 { try tools.send("Input.touch") }
    #expect(throws: ViewerFailure.protocol("Input.touch: no x")) {
      try tools.wait(10) { false }
    }
    #expect((1...3).allSatisfy { !tools.isAnswered($0) })
  }

  @Test func `silence is reported, and the answer can still come`() throws {
    let tools = try Self.tools(
      #"sleep 0.5; printf '{"id":1,"result":{"late":true}}\000'; sleep 60"#)
    let id = try tools.send("X.one", awaits: true)
    #expect(throws: ViewerFailure.hung(seconds: 0.01, last: "X.one")) {
      try tools.answer(to: id, within: 0.01)
    }
    let isLate = try tools.answer(to: id)["late"] as? Bool
    #expect(isLate == true)
  }

  @Test func `a browser that does not read is reported`() throws {
    let tools = try Self.tools("exec sleep 60")
    // No pipe holds as much.
    let text = String(repeating: "a", count: 4 << 20)
    #expect(throws: ViewerFailure.hung(seconds: 0.01, last: "X.one")) {
      try tools.send("X.one", ["text": text], within: 0.01)
    }
  }

  @Test(arguments: [
    ("echo no display >&2; exit 3", "it ended with status 3; it wrote 'no display'"),
    ("kill -9 $$", "signal 9 ended it"),
  ])
  func `the end of the browser is reported with its last words`(
    script: String, reason: String
  ) throws {
    let tools = try Self.tools(script)
    #expect(throws: ViewerFailure.ended(.gone, reason)) { try tools.call("X.one") }
  }

  @Test func `a message without an end is refused`() throws {
    let tools = try Self.tools("yes aaaaaaa | tr -d '\\n' | head -c 68000000; sleep 60")
    let error = #expect(throws: ViewerFailure.self) { try tools.call("X.one") }
    guard case .protocol = error else {
      Issue.record("it throws \(String(describing: error))")
      return
    }
  }

  @Test func `an error of the handler of events ends the wait`() throws {
    let tools = try Self.tools(writing: #"{"method":"Inspector.targetCrashed","params":{}}"#)
    tools.onEvent = { _, _, _ throws(ViewerFailure) in
      throw .ended(.crashed, "it ended")
    }
    #expect(throws: ViewerFailure.ended(.crashed, "it ended")) { try tools.call("X.one") }
  }

  @Test func `a browser that cannot be run is reported`() {
    let error = #expect(throws: ViewerFailure.self) {
      try DevTools(WorkerCommand(label: "none", executable: "/nonexistent/browser"))
    }
    guard case .cannotStart = error else {
      Issue.record("it throws \(String(describing: error))")
      return
    }
  }
}
