import Testing
import ZoomGeometry

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

  @Test func `ZV-B8, ZV-P8: published, the view comes back on top of its siblings`() throws {
    var views = try hierarchy(.original)
    views.zoomIn()
    #expect(views.siblings == [.view(1), .view(3), .proxy])
    views.zoomOut()
    #expect(views.siblings == [.view(1), .view(3), .view(2)])
    #expect(views.window.isEmpty && !views.isListening)
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
