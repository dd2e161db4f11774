import Foundation
import Testing

@testable import zoombench

@Suite("Comparing with an earlier report of verify")
struct EarlierVerifyReportTests {
  @Test("marks what is new, by law, subject and cause")
  func marksNew() throws {
    var known = SampleVerifyReport.breach()
    known.cause = "off by one"
    var other = SampleVerifyReport.breach()
    other.cause = "x and y swapped"
    let earlier = SampleVerifyReport.report([
      SampleVerifyReport.row("IIIF-R1", verdict: .broken, breaches: [known])
    ])
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try JSONEncoder().encode(earlier).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var now = SampleVerifyReport.report([
      SampleVerifyReport.row("IIIF-R1", verdict: .broken, breaches: [known, other])
    ])
    try now.mark(newSince: file.path)
    #expect(now.laws[0].breaches.map(\.isNew) == [false, true])
  }
}
