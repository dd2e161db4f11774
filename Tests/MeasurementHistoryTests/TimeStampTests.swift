import Testing

@testable import MeasurementHistory

@Suite struct TimeStampTests {
  @Test(arguments: [
    "", "Z", "2027-01-15T08:00:00", "2027-01-15 08:00:00Z", "2027-01-15T08:00:00.Z",
    "2027-01-15T08:00:00,5Z", "2027-01-15T08:00:00.5z", "2027-01-15T08:00:00.5ZZ",
    "+027-01-15T08:00:00Z",
  ])
  func `what is no moment is refused`(text: String) { #expect(!TimeStamp.isValid(text)) }

  @Test func `moments sort as their texts do without the Z`() {
    let texts = ["00Z", "00.25Z", "00.5Z", "01Z"].map { "2027-01-15T08:00:" + $0 }
    #expect(texts.allSatisfy { TimeStamp.isValid($0) })
    #expect(texts.map(TimeStamp.sortKey) == texts.map(TimeStamp.sortKey).sorted())
    #expect(texts != texts.sorted())
  }
}
