import Testing

@testable import ZoomCorpus

@Suite struct PetronasPainterTests {
  private let measures: SceneMeasures

  init() throws {
    measures = SceneMeasures(
      try SyntheticScene(.petronas, size: SceneSize(width: 204, height: 306)))
  }

  @Test func `the sky brightens towards the horizon and darkens again in the park`() {
    let edge = 0...8
    #expect(measures.mean(edge, 0...10) + 40 < measures.mean(edge, 70...80))
    #expect(measures.mean(0...100, 96...100) + 40 < measures.mean(edge, 70...80))
  }

  @Test func `towers have more contrast than the sky beside them`() {
    let (width, height) = (measures.size.width, measures.size.height)
    func roughness(_ columns: Range<Int>) -> Int {
      (height * 4 / 10..<height * 7 / 10).reduce(0) { sum, y in
        sum
          + columns.reduce(0) {
            $0 + abs(measures.luma[y * width + $1] - measures.luma[(y + 1) * width + $1])
          }
      } / columns.count
    }
    #expect(roughness(55..<75) > 4 * roughness(2..<22))
  }
}
