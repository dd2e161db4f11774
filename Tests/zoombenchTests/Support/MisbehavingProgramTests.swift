import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

/// Faults of other programs, for each command that runs them: each is reported as a finding in one line,
/// not as an error of zoombench.
@Suite struct MisbehavingProgramTests {
  static let commands: [[String]] = [
    ["peek", "a.png", "--touch", "100,100", "--viewport", "375x667", "-o", "out.png"],
    ["replay", "peek", "a.png", "--system", "peek", "-o", "out.webp", "--quiet"],
    ["bench", "a.png", "--sources", "naive", "--rounds", "1", "--quick", "--quiet"],
    ["verify", "a.png", "--cases", "10", "--laws", "PX-2", "--quiet"],
  ]
  /// The worker argument that plants the fault, the expected message, and the exit code.
  static let faults: [(fault: String, says: String, code: Int32)] = [
    ("missing", "there is no program", 69), ("print", "greeted with 'hello'", 1),
    ("exit", "status 3", 1), ("leave", "status 4", 1), ("crash", "signal", 1),
    ("mute", "within", 1), ("hang", "within", 1), ("wide", "for a region", 1),
    ("length", "answered 'pixels -1", 1), ("short", "within", 1),
    ("escape", "status 3", 1), ("escape-error", "red", 1), ("talk", "", 0),
  ]

  private func worker(_ fault: String) throws -> String {
    let folder = try TestFolder.executable().removingLastComponent()
    return
      "'\(folder.appending(fault == "missing" ? "no-such-program" : "pipeline-worker"))' \(fault)"
  }

  @Test(arguments: commands, faults)
  func `a worker's fault is one line and the code of a finding`(
    command: [String], fault: (fault: String, says: String, code: Int32)
  ) async throws {
    let folder = try TestFolder()
    try await folder.place("png", as: "a.png")
    let time = fault.says == "within" ? 1 : 20
    let run = try await folder.zoombench(
      command + ["--pipeline", "mine=worker,time=\(time):\(try worker(fault.fault))"])
    check(run, command, fault.says, fault.code, in: folder)
  }

  @Test(arguments: commands)
  func `a command's fault is one line and the code of a finding`(command: [String]) async throws {
    let folder = try TestFolder()
    try await folder.place("png", as: "a.png")
    for (what, says, code) in [
      ("no-such-program {file}", "there is no program", 69),
      ("./a.png {file}", "./a.png is not executable", 69), ("false {file}", "status 1", 1),
      ("true {file} {out.png}", "no such file", 1), ("echo hello {file}", "the answer", 1),
    ] as [(String, String, Int32)] {
      let run = try await folder.zoombench(command + ["--pipeline", "mine=command:\(what)"])
      check(run, command, says, code, in: folder)
    }
  }

  @Test(arguments: commands)
  func `a server's fault is one line and the code of a finding`(command: [String]) async throws {
    let server = try LoopbackServer { target in
      switch target {
      case "/status": .status(500)
      case "/text": .ok(Array("error".utf8), type: "image/png")
      default: .raw([])
      }
    }
    defer { server.stop() }
    let address = "http://127.0.0.1:\(server.port)"
    let folder = try TestFolder()
    try await folder.place("png", as: "a.png")
    for (what, says) in [
      ("\(address)/status", "status 500"), ("\(address)/text", "the answer"),
      ("\(address)/gone", "nothing"), ("http://127.0.0.1:1/", "connect"),
    ] {
      let run = try await folder.zoombench(command + ["--pipeline", "mine=http:\(what)"])
      check(run, command, says, 1, in: folder)
    }
  }

  private func check(
    _ run: CommandRun, _ command: [String], _ says: String, _ code: Int32, in folder: TestFolder
  ) {
    #expect(run.code == code, "\(command[0]): \(run.errors) \(run.output)")
    #expect(run.errorLines.count == (code == 0 ? 0 : 1), "\(run.errors)")
    #expect(run.errors.isEmpty || run.errors.hasPrefix("zoombench: "))
    let all = run.errors + run.output
    #expect(says.isEmpty || all.contains(says), "\(all)")
    #expect(!all.contains(folder.temporary.string) && !all.contains("internal error"), "\(all)")
    #expect(all.unicodeScalars.allSatisfy { $0 == "\n" || !TerminalText.isUnsafe($0) }, "\(all)")
  }

  @Test(arguments: commands + [["inspect", "a.png"]])
  func `nothing steers the terminal: no name of a file, no program and no server`(
    command: [String]
  ) async throws {
    let steering = "red\u{1B}[31m \u{7}\u{202E}\u{9B}0m"
    let server = try LoopbackServer { _ in
      let body = Array("\u{1B}]0;title\u{7}\u{9B}31m".utf8)
      return .raw(Array("HTTP/1.1 500 No\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
    }
    defer { server.stop() }
    let folder = try TestFolder()
    try await folder.place("png", as: "\(steering).png")
    let named = command.map { $0 == "a.png" ? "\(steering).png" : $0 }
    var runs = [
      try await folder.zoombench(named),
      try await folder.zoombench(named.map { $0 == "\(steering).png" ? "missing\($0)" : $0 }),
    ]
    if command[0] != "inspect" {
      for what in [
        "worker:\(try worker("escape"))", "worker:\(try worker("escape-error"))",
        "command:sh -c 'printf \"\\033[31mred\\007\" >&2; exit 3' {file}",
        "http:http://127.0.0.1:\(server.port)/",
      ] {
        runs.append(try await folder.zoombench(named + ["--pipeline", "mine=\(what)"]))
      }
    }
    #expect(runs.count == (command[0] == "inspect" ? 2 : 6))
    for run in runs {
      let all = run.errors + run.output
      #expect(!all.isEmpty)
      #expect(all.unicodeScalars.allSatisfy { $0 == "\n" || !TerminalText.isUnsafe($0) }, "\(all)")
    }
  }

  @Test func `a budget ends a law that a slow program breaks, and names what was not tried`()
    async throws
  {
    let folder = try TestFolder()
    try await folder.place("png", as: "a.png")
    // The program's own limit exceeds the budget, so that slow reads end no law early. Every sample is
    // wrong, so the first case of a law breaks it, even if its share of the time is short.
    let run = try await folder.zoombench(
      "verify", "a.png", "--budget", "40s", "--quiet", "--format", "json", "--pipeline",
      "mine=worker,time=40:\(try worker("slow"))")
    let laws = try run.result().rows.compactMap(\.law)
    #expect(run.code == 1)
    #expect(laws.contains { $0.verdict == .broken })
    // A read takes 0.3 s, so 133 fit into the budget; shrinking without a limit would make hundreds.
    #expect(laws.flatMap(\.breaches).map(\.evaluations).reduce(0, +) < 150)
    #expect(
      laws.contains { $0.verdict == .undecided && $0.reason == VerifyReport.noTimeLeft })
  }

  // A budget of 10 s leaves a time limit that even a correct program may exceed.
  @Test(
    arguments: [("worker,time=1", 1), ("worker", 2), ("worker,time=3000", 2)] as [(String, Int32)])
  func `a budget ends an answer that does not come, which is no success`(
    kind: String, code: Int32
  ) async throws {
    let folder = try TestFolder()
    try await folder.place("png", as: "a.png")
    let run = try await folder.zoombench(
      "verify", "a.png", "--budget", "10s", "--quiet", "--pipeline",
      "mine=\(kind):\(try worker("hang"))")
    #expect(run.code == code, "\(run)")
    // A time limit longer than the run decides nothing about the program.
    #expect(run.output.contains(code == 1 ? "it gave no answer within" : "0 broken"))
    #expect(code == 1 || run.errors.contains("no law could be tried on mine"), "\(run.errors)")
    #expect(code == 1 || run.output.contains("2 undecided; 0 cases; "), "\(run.output)")
  }
}
