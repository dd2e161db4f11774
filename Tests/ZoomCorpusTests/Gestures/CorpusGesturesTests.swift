import Testing
import ZoomGeometry

@testable import ZoomCorpus

@Suite struct CorpusGesturesTests {
  @Test func `each system has a script that was written for it`() {
    let systems = CorpusGestures.names.map { CorpusGestures.system(of: $0) }
    #expect(!systems.contains(nil))
    #expect(Set(systems) == Set(ZoomSystem.allCases))
    #expect(CorpusGestures.system(of: "force-button") == .force)
    #expect(CorpusGestures.system(of: "double-tap") == .doubleTap)
  }

  @Test func `an unknown name has no script`() throws {
    #expect(try CorpusGestures.named("nosuch") == nil)
    #expect(CorpusGestures.system(of: "nosuch") == nil)
  }

  @Test func `the peek script has three hundred events, one per frame`() throws {
    let script = try #require(try CorpusGestures.named("peek"))
    #expect(script.events.count == 300)
    var player = try GesturePlayer(
      script, system: .peek, picture: PixelSize(width: 3264, height: 4896))
    var count = 0
    while try player.next() != nil { count += 1 }
    #expect(count == 300)
  }

  @Test(arguments: CorpusGestures.names, ZoomForm.allCases)
  func `every script plays on every system`(name: String, form: ZoomForm) throws {
    let script = try #require(try CorpusGestures.named(name))
    #expect(!script.name.isEmpty && script.events.count >= 4)
    for system in ZoomSystem.allCases {
      var player = try GesturePlayer(
        script, system: system, picture: PixelSize(width: 1600, height: 1200), form: form)
      while let state = try player.next() { #expect(state.isFinite) }
    }
  }
}
