import Foundation
import Mutation
import Testing

@Suite struct ReportTests {
  private let mutants = schemata("func f() { g(1 + 2, -a, b < c) }").mutants

  private var results: [MutantResult] {
    let states: [MutantState] = [
      .killed("Test"), .survived, .notCovered, .unviable("no"), .timedOut, .survived,
    ]
    return mutants.enumerated().map {
      MutantResult(mutant: $1, state: states[$0 % states.count])
    }
  }

  private func list(_ mutants: [Mutant]) -> EquivalentList {
    EquivalentList(
      entries: [
        .init(file: "A.swift", function: "f()", mutants: mutants.map(\.name), because: "reason")
      ])
  }

  @Test func `the counts add up, and the score is of the valid ones`() throws {
    let counts = MutationCounts(results)
    #expect(counts.all == mutants.count)
    #expect(
      counts.killed + counts.timedOut + counts.survived + counts.notCovered == counts.valid)
    #expect(counts.valid + counts.equivalent + counts.unviable == counts.all)
    let score = try #require(counts.score)
    #expect(score == 100 * Double(counts.killed + counts.timedOut) / Double(counts.valid))
    #expect(MutationCounts([]).score == nil)
  }

  @Test func `a listed survivor is equivalent and no longer counts`() throws {
    let survivors = results.filter { $0.state == .survived }.map(\.mutant)
    let (marked, errors) = list(survivors).applied(to: results)
    #expect(errors.isEmpty)
    let counts = MutationCounts(marked)
    #expect(counts.survived == 0)
    #expect(counts.equivalent == survivors.count)
    #expect(try #require(counts.score) > (try #require(MutationCounts(results).score)))
  }

  @Test func `a listed mutant that is killed or not there is an error`() {
    let killed = results.filter { $0.state == .killed("Test") }.map(\.mutant)
    let (unmarked, errors) = list(killed).applied(to: results)
    #expect(unmarked == results)
    #expect(errors.count == killed.count && !killed.isEmpty)
    let unknown = EquivalentList(
      entries: [.init(file: "A.swift", function: "g()", mutants: ["sign: -a → a"], because: "")])
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

  @Test func `Stryker's JSON holds every mutant once, with a state of the schema`() throws {
    let data = try StrykerReport(results, target: 95) { _ in "source" }.data()
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let noticed = try StrykerReport(contentsOf: file).noticed
    for result in results {
      let isNoticed = [.killed("Test"), .timedOut].contains(result.state)
      #expect(noticed["A.swift \(result.mutant)"] == (isNoticed ? result.state : nil))
    }
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["schemaVersion"] as? String == "2")
    let files = try #require(json["files"] as? [String: [String: Any]])
    let entries = try #require(files["A.swift"]?["mutants"] as? [[String: Any]])
    #expect(Set(entries.compactMap { $0["id"] as? String }).count == mutants.count)
    let states = Set(entries.compactMap { $0["status"] as? String })
    #expect(states == ["Killed", "Survived", "NoCoverage", "CompileError", "Timeout"])
  }
}
