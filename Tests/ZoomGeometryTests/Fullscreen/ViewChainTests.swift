import Testing
@testable import ZoomGeometry

struct ViewChainTests {
  /// A scrolled list in a panel: origins add up, content offsets count negatively.
  static let plain = [
    ViewLayer(frame: ViewRect(10, 20, 200, 300), boundsOrigin: ViewPoint(0, 150)),
    ViewLayer(frame: ViewRect(5, 64, 300, 500)),
  ]

  static func turned(_ transform: Affine) -> ViewLayer {
    var layer = ViewLayer(frame: ViewRect(40, 30, 200, 100), boundsOrigin: ViewPoint(7, -3))
    layer.transform = transform
    return layer
  }

  @Test func `without transforms origins add up and content offsets are taken off`() throws {
    let chain = try ViewChain(Self.plain)
    let point = chain.toWindow.apply(to: ViewPoint(3, 170))
    #expect(point == ViewPoint(3 + 10 + 5, 170 + 20 - 150 + 64))
    let view = ViewRect(3, 170, 100, 50)
    #expect(try chain.toWindow(view) == ViewRect(18, 104, 100, 50))
  }

  @Test func `a transform works about the anchor`() throws {
    // The layer's middle, (40 + 100, 30 + 50), stays; its own (7, -3) is its corner.
    let chain = try ViewChain([Self.turned(.scale(2))])
    #expect(chain.toWindow.apply(to: ViewPoint(107, 47)) == ViewPoint(140, 80))
    #expect(chain.toWindow.apply(to: ViewPoint(7, -3)) == ViewPoint(-60, -20))
  }

  @Test(arguments: [
    Affine.rotation(.pi / 4), .turn(.half), .turn(.clockwise), .scale(x: -1, y: 2), .identity,
  ])
  func `a rectangle goes to the box around where its corners go`(transform: Affine) throws {
    let chain = try ViewChain([Self.turned(transform)])
    let view = ViewRect(12, 160, 100, 70)
    #expect(near(try chain.toWindow(view), chain.toWindow.boundingBox(of: view)))
  }

  @Test func `an ancestor scaled to nothing is refused`() throws {
    let flat = [Self.plain[1], Self.turned(.scale(x: 1, y: 0))]
    expectRefused("ancestors[1]", .contradiction("has no inverse")) { try ViewChain(flat) }
  }

  @Test func `ancestors of which each has an inverse can have none together`() throws {
    let small = Array(repeating: Self.turned(.scale(1e-100)), count: 2)
    expectRefused("ancestors") { try ViewChain(small) }
  }

  @Test func `numbers that are not finite are refused and named`() throws {
    let broken = [Self.plain[0], Self.turned(.scale(.nan))]
    expectRefused("ancestors[1]", .notFinite) { try ViewChain(broken) }
    let chain = try ViewChain(Self.plain)
    #expect(throws: GeometryError.self) { try chain.toWindow(ViewRect(0, .infinity, 1, 1)) }
    let huge = try ViewChain([
      Self.turned(.scale(x: 1e150, y: 1)), Self.turned(.scale(x: 1e150, y: 1)),
    ])
    #expect(throws: GeometryError.self) { try huge.toWindow(ViewRect(2e9, 0, 2e9, 1)).width }
  }

  @Test func `a small view far out keeps its size`() throws {
    let far = Array(repeating: ViewLayer(frame: ViewRect(2e9, 2e9, 1, 1)), count: 3)
    let view = ViewRect(0, 0, 1e-6, 1e-6)
    let shown = try ViewChain(far).toWindow(view)
    #expect(shown == ViewRect(6e9, 6e9, 1e-6, 1e-6))
  }
}
struct FullscreenHierarchyTests {
  static let orders:
    [(ZoomForm, there: [FullscreenHierarchy.Member], back: [FullscreenHierarchy.Member])] = [
      // ZV-P8: the proxy keeps the place, and the view comes back to it.
      (.corrected, [.view(1), .proxy, .view(3)], [.view(1), .view(2), .view(3)]),
      // ZV-B8: published, the view comes back on top of its siblings.
      (.original, [.view(1), .view(3), .proxy], [.view(1), .view(3), .view(2)]),
    ]

  @Test(arguments: orders)
  func `ZV-P8, ZV-B8: a proxy stands for the view, once, until it is back`(
    form: ZoomForm, there: [FullscreenHierarchy.Member], back: [FullscreenHierarchy.Member]
  ) {
    var views = FullscreenHierarchy(siblings: [1, 2, 3], view: 2, keepsPlaces: form == .corrected)
    views.zoomOut()
    #expect(views.siblings == [.view(1), .view(2), .view(3)] && !views.isFullscreen)
    for _ in 1...2 {
      views.zoomIn()
      #expect(views.siblings == there && views.isFullscreen)
    }
    for _ in 1...2 {
      views.zoomOut()
      #expect(views.siblings == back && !views.isFullscreen)
    }
  }
}
