import Testing
import ZoomGeometry

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
    let point = try chain.toWindow(ViewPoint(x: 3, y: 170))
    #expect(point == ViewPoint(x: 3 + 10 + 5, y: 170 + 20 - 150 + 64))
    let view = ViewRect(x: 3, y: 170, width: 100, height: 50)
    #expect(try chain.toWindow(view) == ViewRect(x: 18, y: 104, width: 100, height: 50))
  }

  @Test func `a transform works about the anchor`() throws {
    // The layer's middle, (40 + 100, 30 + 50), stays; its own (7, -3) is its corner.
    let chain = try ViewChain([Self.turned(.scale(2))])
    #expect(try chain.toWindow(ViewPoint(x: 107, y: 47)) == ViewPoint(x: 140, y: 80))
    #expect(try chain.toWindow(ViewPoint(x: 7, y: -3)) == ViewPoint(x: -60, y: -20))
  }

  @Test func `a rectangle grows through an oblique ancestor, each way`() throws {
    let chain = try ViewChain([Self.turned(.rotation(.pi / 4))])
    let view = ViewRect(x: 12, y: 160, width: 100, height: 100)
    let there = try chain.toWindow(view)
    #expect(near(there.width, 100 * 2.0.squareRoot(), within: 1e-9))
    #expect(near(try chain.fromWindow(there).width, 200, within: 1e-9))
  }

  @Test func `an ancestor scaled to nothing is refused, and published it is taken for its inverse`()
    throws
  {
    let flat = [Self.plain[1], Self.turned(.scale(x: 1, y: 0))]
    let error = #expect(throws: GeometryError.self) { try ViewChain(flat) }
    #expect(error?.argument == "ancestors[1]")
    #expect(error?.reason == .contradiction("has no inverse"))
    let view = ViewRect(x: 12, y: 160, width: 100, height: 50)
    let back = OriginalFullscreen.fromWindow(
      OriginalFullscreen.toWindow(view, through: flat), through: flat)
    #expect(back.height == 0)
    #expect(back.isFinite)
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
    #expect(throws: GeometryError.self) { try chain.toWindow(ViewPoint(x: .nan, y: 0)) }
    #expect(throws: GeometryError.self) {
      try chain.fromWindow(ViewRect(x: 0, y: .infinity, width: 1, height: 1))
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
    #expect(OriginalFullscreen.toWindow(view, through: far).width != 1e-6)
  }
}

struct FullscreenHierarchyTests {
  func hierarchy(_ form: ZoomForm) throws -> FullscreenHierarchy {
    try FullscreenHierarchy(siblings: [1, 2, 3], view: 2, form: form)
  }

  @Test func `ZV-P8: the proxy keeps the place, and the view comes back to it`() throws {
    var views = try hierarchy(.corrected)
    views.zoomIn()
    #expect(views.siblings == [.view(1), .proxy, .view(3)])
    #expect(views.window == [2])
    #expect(views.isFullscreen && views.isListening)
    views.zoomOut()
    #expect(views == (try hierarchy(.corrected)))
  }

  @Test func `ZV-B6: published, replacing an inline view takes the old one to full screen`() throws
  {
    var views = try hierarchy(.original)
    try views.replaceView(with: 3)
    #expect(views.window == [2])
    #expect(views.isFullscreen)
    // The next tap brings back the new view, and the old one stays in the window for good.
    views.zoomOut()
    #expect(views.window == [2])
    #expect(!views.siblings.contains(.view(2)))

    var right = try hierarchy(.corrected)
    try right.replaceView(with: 3)
    #expect(right.siblings == [.view(1), .view(2), .view(3)])
    #expect(right.window.isEmpty && right.view == 3)
  }

  @Test(arguments: ZoomForm.allCases)
  func `ZV-B6: replacing a view in full screen dismisses it, in both forms`(form: ZoomForm) throws {
    var views = try hierarchy(form)
    views.zoomIn()
    try views.replaceView(with: 3)
    #expect(views.window.isEmpty && !views.isFullscreen)
    #expect(views.siblings.contains(.view(2)) && views.view == 3)
  }

  @Test func `ZV-B7: published, a controller that ends in full screen leaves the view`() throws {
    var views = try hierarchy(.original)
    views.zoomIn()
    views.end()
    #expect(views.isListening)
    #expect(views.window == [2] && !views.siblings.contains(.view(2)))

    var right = try hierarchy(.corrected)
    right.zoomIn()
    right.end()
    #expect(!right.isListening)
    #expect(right.window.isEmpty)
    #expect(right.siblings == [.view(1), .view(2), .view(3)])
  }

  @Test(arguments: ZoomForm.allCases)
  func `zooming twice, out of nothing or after the end changes nothing`(form: ZoomForm) throws {
    var views = try hierarchy(form)
    views.zoomOut()
    #expect(views == (try hierarchy(form)))
    views.zoomIn()
    let once = views
    views.zoomIn()
    #expect(views == once)
    views.zoomOut()
    views.end()
    let ended = views
    views.zoomIn()
    #expect(views == ended)
  }

  @Test func `names that stand twice or are not there are refused`() throws {
    #expect(throws: GeometryError.self) { try FullscreenHierarchy(siblings: [1, 2, 1], view: 2) }
    #expect(throws: GeometryError.self) { try FullscreenHierarchy(siblings: [1, 2], view: 3) }
    var views = try hierarchy(.corrected)
    views.zoomIn()
    let before = views
    #expect(throws: GeometryError.self) { try views.replaceView(with: 4) }
    #expect(views == before)
    try views.replaceView(with: 2)
    #expect(!views.isFullscreen && views.view == 2)
  }
}
