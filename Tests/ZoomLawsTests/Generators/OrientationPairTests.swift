import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws

@Suite struct OrientationPairTests {
  @Test func `there are 35 pairs and all come up`() {
    #expect(OrientationPair.allCases.count == 35)
    #expect(Set(OrientationPair.allCases).count == 35)
    #expect(Set(Gen<OrientationPair>.allCases.sample(2000)).count == 35)
  }

  @Test func `the simplest pair is upright`() {
    let first = OrientationPair.allCases[0]
    #expect(first == OrientationPair(device: .portrait, interface: .portrait))
  }
}
