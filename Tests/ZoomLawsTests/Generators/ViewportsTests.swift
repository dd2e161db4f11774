import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws

@Suite struct ViewportsTests {
  @Test func `viewports have sides from 1 to 2048, whole, broken and thin ones among them`() {
    let viewports = Gen<ViewSize>.viewports.sample(3000)
    #expect(viewports.allSatisfy { (1...2048).contains($0.width) })
    #expect(viewports.allSatisfy { (1...2048).contains($0.height) })
    #expect(viewports.count { $0.width != $0.width.rounded() } > 100)
    #expect(viewports.count { $0.width == 1 || $0.height == 1 } > 150)
    #expect(viewports.contains(ViewSize(width: 375, height: 667)))
    #expect(viewports.contains(ViewSize(width: 667, height: 375)))
    #expect(viewports.contains(ViewSize(width: 1024, height: 1366)))
  }

  @Test func `devices are upright and on their side`() {
    let devices = Gen<ViewSize>.devices.sample(1000)
    #expect(devices.count { $0.width > $0.height } > 300)
    #expect(devices.count { $0.width < $0.height } > 300)
    #expect(Set(devices).count == 40)
  }

  @Test func `thin viewports are one point wide or high`() {
    let thin = Gen<ViewSize>.thinViewports.sample(300)
    #expect(thin.allSatisfy { min($0.width, $0.height) == 1 })
    #expect(thin.contains { $0.width > 1 } && thin.contains { $0.height > 1 })
  }

  @Test func `invalid viewports have a side that is no length, each kind of it`() {
    let invalid = Gen<ViewSize>.invalidViewports.sample(500)
    #expect(invalid.allSatisfy { !isLength($0.width) || !isLength($0.height) })
    #expect(invalid.contains { $0.width.isNaN } && invalid.contains { $0.height == .infinity })
    #expect(invalid.contains { $0.width == 0 } && invalid.contains { $0.height < 0 })
  }

  private func isLength(_ side: Double) -> Bool { side > 0 && side.isFinite }
}
