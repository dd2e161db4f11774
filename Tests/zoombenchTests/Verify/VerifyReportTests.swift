import Foundation
import Testing

@testable import zoombench

@Suite("Comparing with an earlier report of verify")
struct EarlierVerifyReportTests {
  @Test("marks what is new, by law, subject and cause")
  func marksNew() throws {
    var known = Samples.breach()
    known.cause = "off by one"
    var other = Samples.breach()
    other.cause = "x and y swapped"
    let earlier = Samples.laws([
      Samples.law("IIIF-R1", verdict: .broken, breaches: [known])
    ])
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try JSONEncoder().encode(RunResult(earlier)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var now = Samples.laws([
      Samples.law("IIIF-R1", verdict: .broken, breaches: [known, other])
    ])
    try now.mark(newSince: file.path)
    #expect(now.laws[0].breaches.map(\.isNew) == [false, true])
  }
}
