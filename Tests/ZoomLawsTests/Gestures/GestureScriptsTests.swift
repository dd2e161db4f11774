import PropertyTesting
import Synchronization
import Testing
import ZoomGeometry

@testable import ZoomLaws

@Suite struct `Generated gesture scripts` {
  @Test func `any action may be left out`() throws {
    let screen = try Screen(size: ViewSize(width: 375, height: 667))
    let lists = Gen<[GestureAction]>.array(of: .actions(on: screen), count: 1...12)
      .sample(300, seed: 3)
    for actions in lists {
      for left in actions.indices {
        var fewer = actions
        fewer.remove(at: left)
        _ = try GestureScript(screen: screen, events: GestureWriter.events(of: fewer))
      }
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a failing gesture of more than sixty events shrinks to at most four`(seed: UInt64) async {
    // The law fails if a finger moves by more than 20 points while another one is down; at first
    // only in a long script.
    let isFound = Mutex(false)
    let law = Law<ReplaySubject>(
      "second", "A second finger never moves far.", source: "this test",
      for: .gestures(of: .transition), inWords: { $0.description }
    ) { _, gesture, _ in
      guard isFound.withLock({ $0 }) || gesture.script.events.count > 60 else { return }
      var down: [Int: ViewPoint] = [:]
      for event in gesture.script.events {
        let before = down
        event.follow(&down)
        for (id, point) in down where down.count > 1 {
          guard let start = before[id] else { continue }
          let isFar = abs(start.x - point.x) + abs(start.y - point.y) > 20
          if isFar { isFound.withLock { $0 = true } }
          try Property.require(!isFar, "a finger moves far")
        }
      }
    }
    var settings = PropertySettings(cases: 3000, seed: seed)
    // The result of shrinking must not depend on the machine's load.
    settings.shrinkTime = .seconds(3600)
    let report = await law.check(ReplaySubject(.transition, .corrected), settings: settings)
    // The first line has the picture and the screen; then there is one for each event.
    let lines = report.breaches.first?.input.split(separator: "\n") ?? []
    #expect((2...5).contains(lines.count), "\(lines)")
  }
}
