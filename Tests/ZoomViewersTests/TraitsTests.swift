import ModelViewers
import Testing
import ZoomGeometry

@testable import ZoomLaws
@testable import ZoomViewers

/// Tests of the measuring of traits on a model viewer made of arithmetic.
@Suite struct TraitsTests {
  private static func traits(_ fault: ModelViewer.Fault? = nil) throws -> ViewerTraits {
    let model = try ModelViewer.subject(fault)
    let measurement = TraitMeasurement(
      scheme: .plain,
      play: { (each) throws(ViewerFailure) in
        do { return try model.play(each) } catch { throw .pageFailed("\(error)") }
      })
    return try measurement.traits()
  }

  @Test func `a sound viewer has the traits that its subject states`() throws {
    let traits = try Self.traits()
    #expect(traits.pinches && traits.drags && traits.flicks)
    #expect(traits.dragSlop < 1e-6 && traits.pinchSlop < 1e-6)
    let expected = try ModelViewer.subject().traits
    #expect(traits.taps && traits.tapsReturn)
    let factor = try #require(traits.wheelFactor), known = try #require(expected.wheelFactor)
    #expect(abs(factor - known) < 1e-6)
  }

  @Test(arguments: [ModelViewer.Fault.beginsLate, .dragsSlowly])
  func `the way that a drag loses is told from its speed`(fault: ModelViewer.Fault) throws {
    let (traits, expected) = (try Self.traits(fault), try ModelViewer.subject(fault).traits)
    // A step of the finger has 6 points.
    #expect(abs(traits.dragSlop - expected.dragSlop) < 7)
    #expect(abs(traits.onwardWay - expected.onwardWay) < 1e-6)
  }

  @Test(arguments: [(0, 0, 0), (90, 1, 2), (10, 40, 0), (90, 40, nil)] as [(Int, Int, Int?)])
  func `a viewer whose pixels differ at few places is held to be exact`(
    pixels: Int, level: Int, exactness: Int?
  ) throws {
    let model = try ModelViewer.subject()
    let measurement = TraitMeasurement(
      scheme: .plain,
      play: { (each) throws(ViewerFailure) in
        guard var play = try? model.play(each) else { throw .pageFailed("the model fails") }
        var checks = SightChecks()
        checks.exact = SightChecks.ExactDifference(pixels: pixels, level: level, compared: 100)
        play.looks[play.looks.count - 1].checks = checks
        play.adapter = [.show]
        return play
      })
    #expect(try measurement.traits().exactness == exactness)
  }

  @Test func `without a picture that is recognised no gesture is measured`() throws {
    let model = try ModelViewer.subject()
    let measurement = TraitMeasurement(
      scheme: .plain,
      play: { (each) throws(ViewerFailure) in
        guard each.gesture.script.events.isEmpty, var play = try? model.play(each) else {
          throw .pageFailed("it is played again")
        }
        for index in play.looks.indices { play.looks[index].sight = .lost("other colours") }
        return play
      })
    #expect(try !measurement.traits().isRecognised)
    #expect(try Self.traits().isRecognised)
  }

  @Test func `a gesture that goes the wrong way is one that has an effect`() throws {
    #expect(try Self.traits(.invertsPinches).pinches)
    #expect(try Self.traits(.glidesBack).flicks)
  }
}
