import Foundation
import MeasurementHistory
import SystemPackage
import Testing

@testable import zoombench

@Suite struct RevisionFactsTests {
  @Test(arguments: ["--help", "-1", "no such revision", ""])
  func `a name that git does not know is neither a commit nor an option`(name: String) {
    #expect(RevisionFacts.commit(of: name) == nil)
    #expect(RevisionFacts.committedAt(name) == nil)
    #expect(RevisionFacts.named(name).commit == name)
  }

  @Test func `the error outside a repository asks for a commit`() async throws {
    let folder = try TestFolder()
    let error = #expect(throws: Failure.self) {
      try RevisionFacts.current(in: folder.path)
    }
    #expect(error?.description.contains("--commit") == true)
  }

  @Test func `a named commit needs no repository`() throws {
    #expect(try RevisionFacts.measured("v1-of-elsewhere").commit == "v1-of-elsewhere")
  }

  @Test func `a revision has the commit, the branch, the time in UTC, and changes`() async throws {
    let folder = try TestFolder()
    let repository = try TestRepository(in: folder.path)
    try repository.write("1", to: "file")
    try repository.commit("one", second: 7)
    try repository.write("1", to: "not-followed")
    let revision = try RevisionFacts.current(in: folder.path)
    #expect(RunRecord.isObjectName(revision.commit))
    #expect(revision.branch == "trunk")
    #expect(revision.committedAt == "2027-01-15T08:00:07Z")
    #expect(!revision.isDirty)
    try repository.write("2", to: "file")
    try repository.git("checkout", "-q", "--detach")
    let changed = try RevisionFacts.current(in: folder.path)
    #expect(changed.isDirty && changed.branch == nil && changed.commit == revision.commit)
  }
}
