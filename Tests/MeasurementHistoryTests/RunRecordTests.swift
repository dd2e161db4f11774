import MeasurementHistory
import Testing

@Suite struct RunRecordTests {
  @Test func `a revision is clean unless it is said to be dirty`() {
    #expect(!RunRecord.Revision(commit: "abc").isDirty)
  }
}
