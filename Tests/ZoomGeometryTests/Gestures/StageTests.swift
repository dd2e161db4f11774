import Foundation
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

  @Test func `a stage survives being stored, and what is left out is usual`() throws {
    for window in [nil] + WindowKind.allCases.map(Optional.some) {
      let stage = Stage(
        view: ViewRect(x: 1, y: 2, width: 3, height: 4), cornerRadius: 5,
        ancestors: [
          .init(
            frame: ViewRect(x: 6, y: 7, width: 8, height: 9), scroll: ViewPoint(x: 1, y: 2),
            scale: 3)
        ], window: window, forceExhibit: .button)
      let stored = try JSONEncoder().encode(stage)
      #expect(try JSONDecoder().decode(Stage.self, from: stored) == stage)
    }
    #expect(try JSONDecoder().decode(Stage.self, from: Data("{}".utf8)) == Stage())
    let frame = ViewRect(x: 6, y: 7, width: 8, height: 9)
    let short = Data(#"{"frame": {"x": 6, "y": 7, "width": 8, "height": 9}}"#.utf8)
    #expect(
      try JSONDecoder().decode(Stage.Ancestor.self, from: short) == Stage.Ancestor(frame: frame))
    #expect(Stage.Ancestor(frame: frame).scale == 1)
    #expect(Stage.Ancestor(frame: frame).scroll == ViewPoint(x: 0, y: 0))
  }
}
