import Foundation
import Testing

@testable import Mutation

@Suite struct CampaignTests {
  @Test func `a manifest keeps the named targets and allows warnings`() {
    let manifest = ScratchPackage.manifest(
      "let strict: [SwiftSetting] = [.a, .treatAllWarnings(as: .error),]\n", targets: ["B", "A"])
    #expect(manifest.hasPrefix("let strict: [SwiftSetting] = [.a, ]\n"))
    #expect(manifest.contains("neededTargets: Set<String> = [\"A\", \"B\"]"))
  }

  @Test func `a sample is chosen by its seed alone`() {
    func chosen(_ count: Int, _ seed: UInt64) -> Set<Int> {
      Campaign.Sample(count: count, seed: seed).chosen(of: Array(1...1000))
    }
    #expect(chosen(40, 7).count == 40 && chosen(40, 7) == chosen(40, 7))
    #expect(chosen(40, 7).isSubset(of: chosen(41, 7)))
    #expect(chosen(40, 7) != chosen(40, 8) && chosen(2000, 7).count == 1000)
  }

  @Test func `errors are found with file and line, and warnings and notes are ignored`() {
    let output = """
      [3/10] Compiling A A.swift
      /p/Sources/A/A.swift:12:5: error: cannot find 'b' in scope: c
       12 | error: here
      /p/Sources/A/A.swift:13:5: warning: unused
      /q/Sources/A/A.swift:14:5: error: of another package
      """
    let errors = SchemataBuild.errors(in: output, of: "/p")
    #expect(errors.map(\.path) == ["Sources/A/A.swift"])
    #expect(errors.first?.line == 12)
    #expect(errors.first?.message == "cannot find 'b' in scope: c")
  }

  @Test func `a file belongs to the first part that names it`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "S/B"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["S/A.swift", "S/B/B.swift", "S/B/B.txt", "S/B/OldB.swift"] {
      try Data().write(to: folder.appending(path: name))
    }
    let text = """
      {"parts": [
        {"sources": ["S/A.swift"], "checks": ["T"]},
        {"sources": ["S"], "leavingOut": ["Old"], "checks": ["U"]}
      ]}
      """
    let plan = try JSONDecoder().decode(Plan.self, from: Data(text.utf8))
    let files = try plan.files(in: folder, startingWith: [])
    #expect(files.map(\.path) == ["S/A.swift", "S/B/B.swift"])
    #expect(files.map(\.checks) == [["T"], ["U"]])
    #expect(try plan.files(in: folder, startingWith: ["S/B/"]) == [files[1]])
  }

  @Test func `a program ends with a status, a signal, the awaited words or a timeout`() throws {
    func end(_ script: String, limit: Double = 60) throws -> ChildProcess.End {
      try ChildProcess.run(["sh", "-c", script], until: "enough", timeLimit: limit).end
    }
    #expect(try end("exit 3") == .exited(3))
    #expect(try end("kill -KILL $$") == .crashed(signal: 9))
    #expect(try end("echo that is enough; sleep 600") == .said("that is enough"))
    // A child of the program, which shares its output, ends with it.
    #expect(try end("sleep 600 & sleep 600", limit: 0.2) == .timedOut)
  }
}

@Suite struct ReportTests {
  private let mutants = schemata("func f() { g(1 + 2, -a, b < c) }").mutants

  private var results: [MutantResult] {
    let states: [MutantState] = [
      .killed("Test"), .survived, .notCovered, .unviable("no"), .timedOut, .survived,
    ]
    return mutants.enumerated().map { MutantResult(mutant: $1, state: states[$0 % states.count]) }
  }

  private func list(_ mutants: [Mutant]) -> EquivalentList {
    EquivalentList(entries: [
      .init(file: "A.swift", function: "f()", mutants: mutants.map(\.name), because: "reason")
    ])
  }

  @Test func `the score covers only mutants that could be noticed`() throws {
    #expect(Array(results.prefix(5)).score == 50)
    #expect([MutantResult]().score == nil)
  }

  @Test func `a listed survivor is equivalent and no longer counts`() throws {
    let survivors = results.filter { $0.state == .survived }.map(\.mutant)
    let (marked, errors) = list(survivors).applied(to: results)
    #expect(errors.isEmpty)
    #expect(!marked.contains { $0.state == .survived })
    #expect(try #require(marked.score) > (try #require(results.score)))
  }

  @Test func `a listed mutant that is killed or missing is an error`() {
    let killed = results.filter { $0.state == .killed("Test") }.map(\.mutant)
    let (unmarked, errors) = list(killed).applied(to: results)
    #expect(unmarked == results)
    #expect(errors.count == killed.count && !killed.isEmpty)
    let unknown = EquivalentList(entries: [
      .init(file: "A.swift", function: "g()", mutants: ["sign: -a → a"], because: "")
    ])
    #expect(unknown.applied(to: results).errors.count == 1)
  }

  @Test func `the text names every survivor`() {
    let text = MutationReport(results: results, seconds: 90).text
    for result in results {
      let isLeft = result.state == .survived || result.state == .notCovered
      let line = "\nA.swift:1: f(): \(result.mutant.name)"
      #expect(text.contains(line + "\n") || text.contains(line + " (") || !isLeft)
      #expect(isLeft || !text.contains(line + "\n"))
    }
  }
}
