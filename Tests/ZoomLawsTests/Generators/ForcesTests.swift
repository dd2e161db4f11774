import PropertyTesting
import Testing
import ZoomLaws

@Suite struct ForcesTests {
  @Test func `forces are on the grid and off it, on the threshold and beside it, 0 and beyond`() {
    let most = 400.0 / 60
    let forces = Gen<Double>.forces(thresholds: [0.5 * most]).sample(4000)
    #expect(forces.allSatisfy { $0 >= 0 && $0 <= 2 * most })
    #expect(forces.count { ($0 * 60).rounded() / 60 == $0 } > 1500)
    #expect(forces.count { ($0 * 60).rounded() / 60 != $0 } > 300)
    for force in [0, most, 0.5 * most, (0.5 * most).nextUp, (0.5 * most).nextDown] {
      #expect(forces.contains(force), "\(force)")
    }
    #expect(forces.count { $0 > most } > 100)
  }
}
