import Foundation
import Testing

@testable import zoombench

@Suite("The page of verify")
struct VerifyPageTests {
  @Test("shows what is broken with its command, and escapes what others wrote")
  func showsBreaches() {
    let breach = SampleVerifyReport.breach(complaint: "<b>status</b> 500 & no picture")
    let report = SampleVerifyReport.report([
      SampleVerifyReport.row("FZ-P1", verdict: .broken, breaches: [breach]),
      SampleVerifyReport.row("FZ-P2"),
    ])
    let page = VerifyPage(report).rendered()
    #expect(page.contains("&lt;b&gt;status&lt;/b&gt; 500 &amp; no picture"))
    #expect(page.contains(Markup.escaped(breach.replay)))
    #expect(page.contains("FZ-P1"))
    #expect(!page.contains("<h2>FZ-P2"))
    #expect(!page.contains("<b>status"))
  }

  @Test("holds its pictures, so that one file is all of it")
  func embedsPictures() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
    try Data([1, 2, 3]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var breach = SampleVerifyReport.breach()
    breach.picture = file.path
    let page = VerifyPage(
      SampleVerifyReport.report([
        SampleVerifyReport.row("PX-2", verdict: .broken, breaches: [breach])
      ])
    ).rendered()
    #expect(page.contains("data:image/png;base64,AQID"))
    #expect(!page.contains("src=\"/"))
  }

  @Test("says that nothing is broken")
  func saysNothing() {
    let page = VerifyPage(
      SampleVerifyReport.report([SampleVerifyReport.row("FZ-P1")])
    ).rendered()
    #expect(page.contains("Nothing is broken."))
  }
}

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
