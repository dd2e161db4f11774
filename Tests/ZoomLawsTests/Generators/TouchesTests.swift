import PropertyTesting
import Testing
import ZoomGeometry

@testable import ZoomLaws

@Suite struct TouchesTests {
  private let phone = ViewSize(width: 375, height: 667)
  private let forest = FitAxes(
    width: 1600, height: 1200, viewport: ViewSize(width: 375, height: 667))

  private func touches(
    near boundaries: Set<Boundary> = Boundary.ofPlaces, outsideShare: Double = 0.05
  ) throws -> [ViewPoint] {
    Gen<ViewPoint>.touches(
      in: phone, showing: try PixelSize(width: 1600, height: 1200), near: boundaries,
      outsideShare: outsideShare
    ).sample(4000)
  }

  @Test func `touches are finite and reach every part of the screen and beyond`() throws {
    let touches = try touches()
    #expect(touches.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    let (start, end) = (forest.down.start, forest.down.end)
    #expect(touches.count { $0.y >= start && $0.y <= end } > 800, "on the picture")
    #expect(touches.count { $0.y > 0 && $0.y < start } > 300, "in the upper letterbox")
    #expect(touches.count { $0.y > end && $0.y < 667 } > 300, "in the lower letterbox")
    #expect(touches.count { $0.x < 0 } > 50 && touches.count { $0.x > 375 } > 50)
    #expect(touches.contains { $0.x > 1e9 }, "far outside")
  }

  @Test(arguments: [
    Boundary.imageEdge, .viewportEdge, .cropLimit, .tileSeam, .codingBlock, .halfPixel,
  ]) func `a boundary is met exactly and within ulps`(boundary: Boundary) throws {
    let pixels: [Double] =
      switch boundary {
      case .imageEdge, .viewportEdge: [0, 1200]
      case .cropLimit: [187.5, 1012.5]
      case .tileSeam: [256, 512, 768, 1024]
      case .codingBlock: (0...150).map { Double(8 * $0) }
      case .halfPixel: (0...1199).map { Double($0) + 0.5 }
      case .scaleLimit, .forceThreshold: []
      }
    let places = boundary == .viewportEdge ? [0, 667] : pixels.map { forest.down.point(of: $0) }
    let ys = try touches(near: [boundary], outsideShare: 0).map(\.y)
    let exact = Set(places)
    #expect(ys.count { exact.contains($0) } > 40)
    let beside = Set(places.flatMap { [$0.nextUp, $0.nextDown] })
    #expect(ys.count { beside.contains($0) } > 40)
  }

  @Test func `without boundaries none is sought`() throws {
    let seams = Set([256, 512, 768, 1024].map { forest.down.point(of: $0) })
    #expect(try touches(near: []).count { seams.contains($0.y) } == 0)
  }

  @Test func `invalid touches have a coordinate that is none`() {
    let invalid = Gen<ViewPoint>.invalidTouches.sample(300)
    #expect(invalid.allSatisfy { !$0.x.isFinite || !$0.y.isFinite })
    #expect(invalid.contains { $0.x.isNaN } && invalid.contains { $0.y == -.infinity })
  }

  @Test func `a touch of a finger has a force too`() throws {
    let size = try PixelSize(width: 1600, height: 1200)
    let touches = Gen<Touch>.touches(in: phone, showing: size, thresholds: [5]).sample(1000)
    #expect(touches.allSatisfy { $0.id == 0 && $0.force >= 0 })
    #expect(touches.contains { $0.force == 5 } && touches.contains { $0.force == (5.0).nextDown })
  }
}
