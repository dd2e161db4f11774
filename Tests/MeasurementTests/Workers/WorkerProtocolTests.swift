import Measurement
import Testing

/// The lines of the protocol, in both directions.
@Suite struct WorkerLineTests {
  static let requests: [WorkerRequest] = [
    .hello, .open(index: 0), .open(index: .max),
    .sample(index: 1, round: 2, repeats: 3, extra: 0),
    .sample(index: .max, round: .max, repeats: .max, extra: .max), .count(index: 7, round: 0),
    .quit,
  ]

  static let answers: [WorkerAnswer] = [
    .hello(WorkerListing(tool: "a", cases: [])),
    .hello(
      WorkerListing(
        tool: "tool \"1\"\\ ü 👩‍🚀",
        cases: [
          WorkerListing.Entry(name: "peek, 512×512", role: .gated),
          WorkerListing.Entry(name: "c", role: .control),
          WorkerListing.Entry(name: "{}", role: .canary),
        ])),
    .opened(Elapsed(wallNanoseconds: 0, cpuNanoseconds: .max)),
    .sample(Elapsed(wallNanoseconds: 12, cpuNanoseconds: 34), digest: nil),
    .sample(Elapsed(wallNanoseconds: .max, cpuNanoseconds: 0), digest: "00fFaA"),
    .counters([:]), .counters(["bytes read": 123, "a\u{1}\"": .max]), .error("no such file: a b"),
    .error(""),
  ]

  @Test(arguments: requests)
  func `a request is read as it was written`(request: WorkerRequest) throws {
    #expect(try WorkerRequest(line: request.line) == request)
    #expect(!request.line.contains("\n"))
  }

  @Test(arguments: answers)
  func `an answer is read as it was written`(answer: WorkerAnswer) throws {
    #expect(try WorkerAnswer(line: answer.line) == answer)
    #expect(!answer.line.contains("\n"))
  }

  @Test(arguments: [
    "", " ", "hello", "hello 2", "hello 1 ", "hello 1 2", "Hello 1", "open", "open -1", "open +1",
    "open 1.0", "open 9223372036854775808", "open  1", "open 1 ", "sample 1 2 3", "sample 1 2 0 0",
    "sample 1 2 3 -1", "count 1", "quit now", "quit ",
  ])
  func `a line that is not a request is refused`(line: String) {
    #expect(throws: WorkerLineError.self) { try WorkerRequest(line: line) }
  }

  @Test(arguments: [
    "", "hello", "hello 1", "hello 1 {}", "hello 2 {\"tool\":\"a\",\"cases\":[]}",
    "hello 1 {\"tool\":\"a\",\"cases\":[]} x", "hello 1 {\"tool\":\"\",\"cases\":[]}",
    "hello 1 {\"tool\":\"a\",\"cases\":[{\"name\":\"b\"}]}",
    "hello 1 {\"tool\":\"a\",\"cases\":[{\"name\":\"b\",\"role\":\"boss\"}]}",
    "hello 1 {\"tool\":\"a\",\"cases\":[{\"name\":\"\",\"role\":\"gated\"}]}",
    "hello 1 {\"tool\":\"a\",\"cases\":[{\"name\":\"b\\n\",\"role\":\"gated\"}]}",
    // Two cases of one name.
    #"hello 1 {"tool":"a","cases":[{"name":"b","role":"gated"},{"name":"b","role":"gated"}]}"#,
    "opened 1", "opened 1 2 3", "opened -1 2", "opened 1.5 2", "opened 1 18446744073709551616",
    "sample 1 2", "sample 1 2 ", "sample 1 2 xyz", "sample 1 2 - -", "sample +1 2 -",
    "counters", "counters []", "counters {\"a\":-1}", "counters {\"a\":1.5}",
    "counters {\"a\":\"1\"}", "counters {\"a\":1e30}", "counters {\"a\":1", "done",
    "counters " + String(repeating: "[", count: 100_000), "sample 1 2 ０",
    "sample 1 2 \(String(repeating: "a", count: 129))",
  ])
  func `a line that is not an answer is refused`(line: String) {
    #expect(throws: WorkerLineError.self) { try WorkerAnswer(line: line) }
  }

  @Test func `members that a later version may add are ignored`() throws {
    let line =
      "hello 1 {\"tool\":\"t\",\"since\":[2,{\"a\":null}],\"cases\":[{\"name\":\"a\","
      + "\"role\":\"gated\",\"unit\":true}]}"
    #expect(
      try WorkerAnswer(line: line)
        == .hello(
          WorkerListing(tool: "t", cases: [WorkerListing.Entry(name: "a", role: .gated)])))
  }

  @Test func `an error's text is one line and not endless`() {
    let line = WorkerAnswer.error(String(repeating: "a\nb\u{0}", count: 5000)).line
    #expect(line.utf8.allSatisfy { $0 >= 0x20 } as Bool)
    #expect(line.utf8.count < 5000)
  }
}
