import Testing

@testable import ZoomCorpus

@Suite struct BaselineJPEGLayoutTests {
  private func layout(_ width: Int, _ height: Int, _ sampling: [BaselineJPEG.Sampling])
    -> BaselineJPEG.Layout
  {
    BaselineJPEG.Layout(
      size: SceneSize(width: width, height: height), colour: .yCbCr, sampling: sampling)
  }

  @Test func `the photographs of the corpus have the MCUs that are known of them`() {
    let sizes = [(1600, 1200, 100, 75), (4535, 1823, 284, 114), (3264, 4896, 204, 306)]
    for (width, height, wide, high) in sizes {
      let layout = layout(width, height, BaselineJPEG.Sampling.yCbCr420)
      #expect(layout.mcusWide == wide)
      #expect(layout.bandCount == high)
    }
  }

  @Test func `a scan of one component holds only blocks with samples`() {
    // 4:2:0, 17x17: two by two MCUs, but 3x3 luma blocks and 2x2 chroma blocks hold samples.
    let layout = layout(17, 17, BaselineJPEG.Sampling.yCbCr420)
    #expect(layout.components.map(\.blocksWide) == [3, 2, 2])
    #expect(layout.components.map(\.blocksHigh) == [3, 2, 2])
    #expect(layout.mcusWide == 2)
  }

  @Test func `bands cover every row once`() {
    let layout = layout(10, 37, BaselineJPEG.Sampling.yCbCr420)
    #expect((0..<layout.bandCount).flatMap { Array(layout.rows(ofBand: $0)) } == Array(0..<37))
  }

  @Test func `restart rows count the scan's own MCUs`() throws {
    let layout = layout(100, 50, BaselineJPEG.Sampling.yCbCr420)
    func scan(_ components: [Int], _ restart: BaselineJPEG.Restart) throws -> BaselineJPEG.Scan {
      try BaselineJPEG.Scan(components: components, layout: layout, restart: restart)
    }
    #expect(try scan([0, 1, 2], .rows(2)).restartInterval == 14)
    #expect(try scan([0], .rows(2)).restartInterval == 26)
    #expect(try scan([1], .rows(1)).restartInterval == 7)
    #expect(try scan([0, 1, 2], .none).restartInterval == 0)
    for wrong in [BaselineJPEG.Restart.mcus(0), .mcus(65_536), .rows(0), .rows(-1), .rows(.max)] {
      #expect(throws: BaselineJPEG.Failure.self) { try scan([0, 1, 2], wrong) }
    }
  }

  @Test func `coding can start at a band only where a restart marker stands`() throws {
    let layout = layout(100, 100, BaselineJPEG.Sampling.yCbCr420)
    let scan = try BaselineJPEG.Scan(components: [0, 1, 2], layout: layout, restart: .rows(3))
    #expect((0..<7).filter { scan.isIndependent(band: $0) } == [0, 3, 6])
    let half = try BaselineJPEG.Scan(components: [0, 1, 2], layout: layout, restart: .mcus(2))
    #expect((0..<7).filter { half.isIndependent(band: $0) } == [0, 2, 4, 6])
    let none = try BaselineJPEG.Scan(components: [0, 1, 2], layout: layout, restart: .none)
    #expect((0..<7).filter { none.isIndependent(band: $0) } == [0])
  }
}
