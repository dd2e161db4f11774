import PropertyTesting
import Testing

@testable import ZoomLaws

@Suite struct ScalesTests {
  @Test func `scales are 1, 2, 3 and fractions`() {
    let scales = Gen<Double>.scales.sample(1000)
    #expect(scales.allSatisfy { $0 >= 0.5 && $0 <= 4 })
    for scale in [1.0, 2, 3] { #expect(scales.count { $0 == scale } > 100) }
    #expect(scales.count { $0 != $0.rounded() } > 150)
  }

  @Test func `zooms are inside, beyond, at and beside their limits`() {
    let zooms = Gen<Double>.zooms(limits: 0.25...3).sample(3000)
    #expect(zooms.allSatisfy { $0 >= 0.125 && $0 <= 6 })
    for zoom in [0.25, 3, (3.0).nextUp, (0.25).nextDown] { #expect(zooms.contains(zoom)) }
    #expect(zooms.count { $0 > 3.1 } > 100 && zooms.count { $0 < 0.2 } > 10)
  }

  @Test func `a step is an ulp`() {
    #expect((1.0).stepped(1) == (1.0).nextUp)
    #expect((1.0).stepped(-2) == (1.0).nextDown.nextDown)
    #expect((1.0).stepped(0) == 1)
  }
}
