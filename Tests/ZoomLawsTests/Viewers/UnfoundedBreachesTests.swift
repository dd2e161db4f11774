import ModelViewers
import PropertyTesting
import Testing
import ZoomGeometry

@testable import ZoomLaws

/// Tests that laws blame a viewer only for what they state; the plays are those of a model, changed as viewers of others
/// behave.
@Suite struct UnfoundedBreachesTests {
  private static let cost = 30

  /// Returns the trial of a law on a model whose plays are changed.
  private func trial(
    _ law: String, _ fault: ModelViewer.Fault? = nil,
    _ change: @escaping @Sendable (ViewerCase, inout ViewerPlay) -> Void
  ) throws -> LawTrial {
    var viewer = try ModelViewer.subject(fault)
    let play = viewer.play
    viewer.play = { each in
      var changed = try play(each)
      change(each, &changed)
      return changed
    }
    let trials = LawCatalogue.suites(of: viewer).flatMap(\.trials)
    return try #require(trials.first { $0.law == law })
  }

  /// Requires that a law holds, with all its classes reached.
  private func requireHeld(_ trial: LawTrial) async {
    let complaint = await trial.firstComplaint(cases: 200 * Self.cost, seed: 40)
    #expect(complaint == nil, "\(trial.law): \(complaint ?? "")")
  }

  /// Changes plays as a viewer does that always stretches pictures, mirrors them if asked to, and shows seams and wrong
  /// colours; it also leaves a tile with a fault blank.
  private static func withSeams(
    isMirrored: Bool = false
  ) -> @Sendable (ViewerCase, inout ViewerPlay) -> Void {
    let stretch = Affine.scale(x: isMirrored ? -1 : 1, y: 1.01)
    return { each, play in
      for index in play.looks.indices {
        guard let place = play.looks[index].sight.place else { continue }
        play.looks[index].sight = .place(ViewerPlace(toScreen: place.toScreen.then(stretch)))
        guard var checks = play.looks[index].checks else { continue }
        checks.shift.px = max(3, checks.shift.px)
        checks.wrongPlace.px = max(3, checks.wrongPlace.px)
        checks.backgroundInside += each.delivery.isEmpty ? 9 : 59
        checks.background = PixelRegion(whole: each.gesture.picture).numbers
        checks.mean += 7
        play.looks[index].checks = checks
      }
    }
  }

  @Test(arguments: [
    ("W-R6", ModelViewer.Fault.spreadsWrongTile), ("W-R8", .keepsFormerPicture),
    ("W-P7", .otherColours),
  ])
  func `what the plain view does wrong is not blamed on a fault`(
    law: String, fault: ModelViewer.Fault
  ) async throws {
    // W-R6 looks up the places of shifts, which the model does not mirror.
    let withSeams = Self.withSeams(isMirrored: law == "W-R8")
    await requireHeld(try trial(law, nil, withSeams))
    let breach = try await trial(law, fault, withSeams).firstBreach(
      cases: 200 * Self.cost, seed: 40)
    #expect(breach != nil)
  }

  @Test func `what the plain view does wrong breaks its own law`() async throws {
    let plain = try trial("W-P3", nil, Self.withSeams())
    #expect(await plain.firstBreach(cases: 20 * Self.cost, seed: 40) != nil)
  }

  /// Changes the plays of W-G5: a glide at 1.5 px per ms begins 20 ms after the lift, looks are a frame late, and the
  /// picture ends some pixels beyond its place at the touch.
  private static func gliding(by overrun: Double)
    -> @Sendable (ViewerCase, inout ViewerPlay) -> Void
  {
    { each, play in
      let events = each.gesture.script.events
      guard let lift = events.lastIndex(where: { $0.phase == .ended }),
        let held = play.looks.last(where: { $0.eventsSoFar == lift })?.sight.place,
        let touch = events.last
      else { return }
      func place(_ time: Double, beyond: Double = 0) -> Sight {
        let way = 1500 * max(0, time - events[lift].time - 0.02) + beyond
        return .place(ViewerPlace(toScreen: held.toScreen.then(.translation(x: way, y: 0))))
      }
      for index in play.looks.indices where play.looks[index].eventsSoFar > lift {
        let look = play.looks[index]
        play.looks[index].sight =
          look.eventsSoFar == events.count
          ? place(touch.time, beyond: overrun) : place(look.time - 0.016)
      }
    }
  }

  @Test func `a glide that stops at once holds, though a finger comes down at full speed`()
    async throws
  {
    await requireHeld(try trial("W-G5", nil, Self.gliding(by: 0)))
    for overrun in [83.0, 154] {
      let trial = try trial("W-G5", nil, Self.gliding(by: overrun))
      #expect(await trial.firstBreach(cases: 200 * Self.cost, seed: 40) != nil)
    }
  }

  @Test func `a state may be the target of an animation until the view rests`() async throws {
    @Sendable func reporting(_ isSettled: Bool) -> @Sendable (ViewerCase, inout ViewerPlay) -> Void
    {
      { _, play in
        for index in play.looks.indices where play.looks[index].isSettled == isSettled {
          play.looks[index].reported?.centre.x += 50
        }
      }
    }
    await requireHeld(try trial("W-S3", nil, reporting(false)))
    let breach = try await trial("W-S3", nil, reporting(true)).firstBreach(
      cases: 200 * Self.cost, seed: 40)
    #expect(breach != nil)
  }

  @Test(arguments: [
    ("GE-8", ModelViewer.Fault.pinchesAboutCentre, 0...0), ("GE-10", .closesFaster, 1...2),
    ("GE-42", .squaresRatio, 1...2), ("GE-14", .jumpsWhenOneStays, 1...2),
    ("GE-15", .runsAhead, 0...0),
  ])
  func `a gesture is not compared with a look from before the one that opened it`(
    law: String, fault: ModelViewer.Fault, fingers: ClosedRange<Int>
  ) async throws {
    // A viewer that does not come to rest while so many fingers are down, but for its first and its last look.
    @Sendable func restless(_ each: ViewerCase, _ play: inout ViewerPlay) {
      let events = each.gesture.script.events
      guard each.gesture.picture.width == 1024 else { return }
      for index in play.looks.indices.dropFirst().dropLast() {
        let down = events.prefix(play.looks[index].eventsSoFar).fingers()
        if fingers.contains(down.count) { play.looks[index].isSettled = false }
      }
    }
    await requireHeld(try self.trial(law, nil, restless))
    let trial = try self.trial(law, fault, restless)
    let breach = try #require(await trial.firstBreach(cases: 200 * Self.cost, seed: 40))
    let namesTime = ["its place at ", " since "].contains { breach.complaint.contains($0) }
    #expect(namesTime || law == "GE-42", "\(breach.complaint)")
  }

  @Test(arguments: [
    ModelViewer.Fault.closesFaster, .followsThirdFinger, .jumpsWhenOneReturns,
  ])
  func `a breach prints and plays the script that breaks the law`(fault: ModelViewer.Fault)
    async throws
  {
    let trial = try trial(fault.law, fault) { _, _ in }
    let breach = try #require(await trial.firstBreach(cases: 200 * Self.cost, seed: 40))
    let gesture = try #require(breach.gesture)
    let events = gesture.script.events
    #expect(breach.input == gesture.description)
    switch fault {
    case .closesFaster: #expect(events.fingers().count == 2)
    case .followsThirdFinger: #expect(events.flatMap(\.touches).contains { $0.id == 5 })
    default:
      #expect(
        zip(events, events.dropFirst()).contains {
          $0.phase == .ended && $1.phase == .began && $0.time == $1.time
        })
    }
    // The script itself shows the fault: a sound model ends elsewhere.
    let each = ViewerCase(gesture: gesture, tiles: .plain)
    let (faulty, sound) = (try ModelViewer.subject(fault), try ModelViewer.subject())
    #expect(
      try faulty.play(each).looks.last?.sight != sound.play(each).looks.last?.sight)
  }
}
