import GRDB
import Measurement
import Testing

@testable import MeasurementHistory

@Suite struct MigrationTests {
  @Test func `runs of version 1 are found by the fingerprint of this version`() throws {
    let folder = try HistoryFolder()
    let runs = [PlainRun.make(1), PlainRun.make(2, machine: "two")]
    let store = try folder.store("history.sqlite", runs)
    try store.writing { db in
      try db.execute(
        sql: """
          UPDATE machines SET fingerprint = 'old ' || id;
          PRAGMA user_version = 1
          """)
    }
    #expect(try store.machines() == ["old 1", "old 2"])
    let opened = try HistoryStore(path: folder.file("history.sqlite"), createsFile: false)
    for run in runs {
      #expect(try opened.runs(machine: run.machine.fingerprint).map(\.id) == [run.id])
    }
    #expect(try opened.everything() == runs)
    // The second opening does not migrate again.
    #expect(try folder.store().check() == 2)
  }
}
