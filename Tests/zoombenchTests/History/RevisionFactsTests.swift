import Foundation
import Measurement
import MeasurementHistory
import SystemPackage
import Testing

@testable import zoombench

@Suite struct RevisionFactsTests {
  @Test(arguments: ["--help", "-1", "no such revision", ""])
  func `a name that git does not know is no commit, nor an option`(name: String) {
    #expect(RevisionFacts.commit(of: name) == nil)
    #expect(RevisionFacts.committedAt(name) == nil)
    #expect(RevisionFacts.named(name).commit == name)
  }

  @Test func `outside a repository a commit is asked for`() async throws {
    try await TestFolder.with { folder in
      let error = #expect(throws: Failure.self) {
        try RevisionFacts.current(in: folder.path)
      }
      #expect(error?.description.contains("--commit") == true)
    }
  }

  @Test func `a commit that was named is taken without a repository`() async throws {
    #expect(try await RevisionFacts.measured("v1-of-elsewhere").commit == "v1-of-elsewhere")
  }

  @Test func `a repository tells commit, branch, time in UTC, and whether it is dirty`()
    async throws
  {
    try await TestFolder.with { folder in
      func git(_ words: String...) throws {
        var command = WorkerCommand(
          label: "git", executable: "git",
          arguments: ["-c", "user.name=a", "-c", "user.email=b"] + words,
          environment: ["GIT_COMMITTER_DATE": "2027-01-15T08:00:00+02:00"])
        command.folder = folder.path.string
        #expect(try ChildProcess.run(command).ending == .exited(status: 0), "\(words)")
      }
      try git("init", "--quiet", "--initial-branch=trunk")
      try folder.write([1], to: "file")
      try git("add", "file")
      try git("commit", "--quiet", "--message=one")
      try folder.write([1], to: "not-followed")
      let revision = try RevisionFacts.current(in: folder.path)
      #expect(RunRecord.isObjectName(revision.commit))
      #expect(revision.branch == "trunk")
      #expect(revision.committedAt == "2027-01-15T06:00:00Z")
      #expect(!revision.isDirty)
      try folder.write([2], to: "file")
      try git("checkout", "--quiet", "--detach")
      let changed = try RevisionFacts.current(in: folder.path)
      #expect(changed.isDirty && changed.branch == nil && changed.commit == revision.commit)
    }
  }
}
