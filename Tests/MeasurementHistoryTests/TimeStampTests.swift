import Testing

@testable import MeasurementHistory

@Suite struct TimeStampTests {
  @Test(arguments: [
    "", "Z", "2027-01-15T08:00:00", "2027-01-15 08:00:00Z", "2027-01-15T08:00:00.Z",
    "2027-01-15T08:00:00,5Z", "2027-01-15T08:00:00.5z", "2027-01-15T08:00:00.5ZZ",
    "+027-01-15T08:00:00Z", "2026-13-45T08:00:00Z", "2027-00-15T08:00:00Z",
    "2027-01-00T08:00:00Z", "2027-01-32T08:00:00Z", "2027-04-31T08:00:00Z", "2027-02-29T08:00:00Z",
    "2100-02-29T08:00:00Z", "2027-01-15T24:00:00Z", "2027-01-15T08:60:00Z", "2027-01-15T08:00:60Z",
    "2016-12-31T23:59:60Z", "12027-01-15T08:00:00Z", "2027-01-15T08:00:00.\u{664}Z",
  ])
  func `an invalid time is refused`(text: String) { #expect(!TimeStamp.isValid(text)) }

  @Test(arguments: [
    "2027-01-31T00:00:00Z", "2027-12-31T23:59:59.999Z", "2028-02-29T08:00:00Z",
    "2000-02-29T08:00:00Z", "2027-04-30T08:00:00Z",
  ])
  func `the ends of months and leap days are valid`(text: String) {
    #expect(TimeStamp.isValid(text))
  }

  @Test func `times sort as their texts do without the Z`() {
    let texts = ["00Z", "00.25Z", "00.5Z", "01Z"].map { "2027-01-15T08:00:" + $0 }
    #expect(texts.allSatisfy { TimeStamp.isValid($0) })
    #expect(texts.map(TimeStamp.sortKey) == texts.map(TimeStamp.sortKey).sorted())
    #expect(texts != texts.sorted())
  }
}
