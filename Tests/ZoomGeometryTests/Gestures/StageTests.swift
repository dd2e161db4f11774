import Testing
import ZoomGeometry

struct StageTests {
  @Test func `nothing is said about an empty stage`() {
    let stage = Stage()
    #expect(stage.view == nil && stage.ancestors.isEmpty && stage.cornerRadius == 0)
    #expect(stage.forceExhibit == .zoom)
  }

  @Test func `an ancestor is scaled about its centre, and its content scrolled`() {
    let frame = ViewRect(x: 10, y: 20, width: 100, height: 200)
    let layer = Stage.Ancestor(frame: frame, scroll: ViewPoint(x: 5, y: 30), scale: 0.5).layer
    #expect(layer.frame == ViewRect(x: 35, y: 70, width: 50, height: 100))
    // What is scrolled into the corner stands in the corner.
    #expect(layer.toParent.apply(to: ViewPoint(x: 5, y: 30)) == ViewPoint(x: 35, y: 70))
    #expect(layer.toParent.apply(to: ViewPoint(x: 55, y: 130)) == ViewPoint(x: 60, y: 120))
  }
}
