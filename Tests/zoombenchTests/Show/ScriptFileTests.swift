import Testing
import ZoomCorpus
import ZoomGeometry

@testable import zoombench

@Suite struct ScriptFileTests {
  private static let head = #"{"zoombench-gestures": 1, "screen": {"width": 375, "height": 667}, "#

  private func refusal(_ json: String) -> String? {
    do {
      _ = try ScriptFile.decoded(Array(json.utf8), named: "s.json")
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (#""events": [{"time": -1, "action": "close"}]}"#, "events[0].time: -1.0 is negative"),
    (
      #""events": [{"time": 0, "phase": "moved", "touches": [{"id": 7, "x": 1, "y": 1}]}]}"#,
      "events[0].touches[0].id: 7 has not begun"
    ),
    (#""events": [{"time": 0, "tuoches": []}]}"#, #"events[0]: unknown key "tuoches""#),
    (#""events": [{"time": 0, "device": "sideways"}]}"#, "\"sideways\" is none of"),
    (#""events": [{"time": 0}]}"#, "an event has one of"),
    (
      #""events": [{"time": 0, "screen": {"width": 0, "height": 1}}]}"#,
      "events[0].screen: screen.width: 0.0 is not positive"
    ),
    (#""stage": {"view": {"x": 0, "y": 0, "width": 0, "height": 1}}, "events": []}"#, "stage.view"),
    (#""events": [{"time": "now", "action": "close"}]}"#, "events[0].time: it is not a number"),
  ])
  func `an error is one line with its place`(rest: String, expected: String) throws {
    let message = try #require(refusal(Self.head + rest))
    #expect(message.contains(expected))
    #expect(!message.contains("\n"))
    #expect(message.hasPrefix("s.json: script: "))
  }

  @Test func `a built-in script is found by its name`() throws {
    #expect(try ScriptFile.load("peek") == CorpusGestures.named("peek"))
  }

  @Test func `a script that does not exist is missing input`() throws {
    let failure = #expect(throws: Failure.self) { try ScriptFile.load("nosuch.json") }
    #expect(failure?.status == .noInput)
    #expect(failure?.description.contains("double-tap") == true)
  }
}
