import ReferenceViewer
import Testing

@Suite struct ViewerFaultTests {
  @Test(arguments: ViewerFaults.all)
  func `the text that a fault replaces occurs once in the page`(fault: ViewerFault) throws {
    let planted = try #require(fault.planted(in: ReferenceViewer.page), "\(fault)")
    #expect(planted != ReferenceViewer.page)
  }

  @Test func `there are 60 faults, which differ and are sentences`() {
    let faults = ViewerFaults.all
    #expect(faults.count == 60)
    #expect(Set(faults.map(\.name)).count == faults.count)
    #expect(Set(faults.map(\.summary)).count == faults.count)
    #expect(faults.allSatisfy { $0.summary.hasSuffix(".") && !$0.law.isEmpty })
    #expect(Set(faults.map(\.stage)) == Set(ViewerFault.Stage.allCases))
  }

  @Test func `an origin is a thread or is invented`() throws {
    let thread = try Regex(#"[\w.-]+/[\w.-]+#[0-9]+"#)
    for fault in ViewerFaults.all {
      let isThread = fault.origin.wholeMatch(of: thread) != nil
      #expect(isThread || fault.origin == "invented", "\(fault)")
    }
  }

  @Test func `a fault is not planted where its text is missing or occurs twice`() throws {
    let fault = try #require(ViewerFaults.named("gap"))
    #expect(fault.planted(in: "") == nil)
    #expect(fault.planted(in: fault.find + fault.find) == nil)
    #expect(fault.planted(in: fault.find) == fault.replace)
  }
}
