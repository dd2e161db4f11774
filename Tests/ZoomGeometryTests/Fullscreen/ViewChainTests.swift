import Testing
@testable import ZoomGeometry

struct ViewChainTests {
  /// A scrolled list in a panel: origins add up, content offsets count negatively.
  static let plain = [
    ViewLayer(
      frame: ViewRect(x: 10, y: 20, width: 200, height: 300), boundsOrigin: ViewPoint(x: 0, y: 150)),
    ViewLayer(frame: ViewRect(x: 5, y: 64, width: 300, height: 500)),
  ]

  static func turned(_ transform: Affine) -> ViewLayer {
    var layer = ViewLayer(
      frame: ViewRect(x: 40, y: 30, width: 200, height: 100), boundsOrigin: ViewPoint(x: 7, y: -3))
    layer.transform = transform
    return layer
  }

  @Test func `without transforms origins add up and content offsets are taken off`() throws {
    let chain = try ViewChain(Self.plain)
    let point = chain.toWindow.apply(to: ViewPoint(x: 3, y: 170))
    #expect(point == ViewPoint(x: 3 + 10 + 5, y: 170 + 20 - 150 + 64))
    let view = ViewRect(x: 3, y: 170, width: 100, height: 50)
    #expect(try chain.toWindow(view) == ViewRect(x: 18, y: 104, width: 100, height: 50))
  }

  @Test func `a transform works about the anchor`() throws {
    // The layer's middle, (40 + 100, 30 + 50), stays; its own (7, -3) is its corner.
    let chain = try ViewChain([Self.turned(.scale(2))])
    #expect(chain.toWindow.apply(to: ViewPoint(x: 107, y: 47)) == ViewPoint(x: 140, y: 80))
    #expect(chain.toWindow.apply(to: ViewPoint(x: 7, y: -3)) == ViewPoint(x: -60, y: -20))
  }

  @Test(arguments: [
    Affine.rotation(.pi / 4), .turn(.half), .turn(.clockwise), .scale(x: -1, y: 2), .identity,
  ])
  func `a rectangle goes to the box around where its corners go`(transform: Affine) throws {
    let chain = try ViewChain([Self.turned(transform)])
    let view = ViewRect(x: 12, y: 160, width: 100, height: 70)
    #expect(near(try chain.toWindow(view), chain.toWindow.boundingBox(of: view)))
  }

  @Test func `an ancestor scaled to nothing is refused`() throws {
    let flat = [Self.plain[1], Self.turned(.scale(x: 1, y: 0))]
    let error = #expect(throws: GeometryError.self) { try ViewChain(flat) }
    #expect(error?.argument == "ancestors[1]")
    #expect(error?.reason == .contradiction("has no inverse"))
  }

  @Test func `ancestors of which each has an inverse can have none together`() throws {
    let small = Array(repeating: Self.turned(.scale(1e-100)), count: 2)
    let error = #expect(throws: GeometryError.self) { try ViewChain(small) }
    #expect(error?.argument == "ancestors")
  }

  @Test func `numbers that are not finite are refused and named`() throws {
    let broken = [Self.plain[0], Self.turned(.scale(.nan))]
    let error = #expect(throws: GeometryError.self) { try ViewChain(broken) }
    #expect(error?.argument == "ancestors[1]")
    #expect(error?.reason == .notFinite)
    let chain = try ViewChain(Self.plain)
    #expect(throws: GeometryError.self) {
      try chain.toWindow(ViewRect(x: 0, y: .infinity, width: 1, height: 1))
    }
    let huge = try ViewChain([
      Self.turned(.scale(x: 1e150, y: 1)), Self.turned(.scale(x: 1e150, y: 1)),
    ])
    #expect(throws: GeometryError.self) {
      try huge.toWindow(ViewRect(x: 2e9, y: 0, width: 2e9, height: 1)).width
    }
  }

  @Test func `a small view far out keeps its size`() throws {
    let far = Array(
      repeating: ViewLayer(frame: ViewRect(x: 2e9, y: 2e9, width: 1, height: 1)), count: 3)
    let view = ViewRect(x: 0, y: 0, width: 1e-6, height: 1e-6)
    let shown = try ViewChain(far).toWindow(view)
    #expect(shown == ViewRect(x: 6e9, y: 6e9, width: 1e-6, height: 1e-6))
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
