import Testing

@testable import ZoomLaws

@Suite struct PixelLawsTests {
  @Test func `laws have names of their own, a statement and a source`() {
    let laws = RegionLaws.all + PictureLaws.all
    #expect(Set(laws.map(\.name)).count == laws.count)
    #expect(laws.allSatisfy { $0.name.hasPrefix("PX-") && $0.statement.hasSuffix(".") })
    #expect(laws.allSatisfy { !$0.source.isEmpty })
  }
}
