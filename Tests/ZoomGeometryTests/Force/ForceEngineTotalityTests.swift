import Testing

@testable import ZoomGeometry

/// Every script that can be made plays to its end, in finite numbers.
struct ForceEngineTotalityTests {
  static let most = Double(PixelSize.maximumSide)

  static let sides = [1, 2, 375, PixelSize.maximumSide]

  static let screens: [(ViewSize, Double)] = [
    (ViewSize(width: 1, height: 1), 1), (phone, 2), (ViewSize(width: most, height: 1e-6), 1e-6),
  ]

  static let views: [ViewRect?] = [
    nil, ViewRect(x: most, y: -most, width: most, height: most),
    ViewRect(x: -most, y: 0, width: 1e-6, height: most),
    ViewRect(x: 0, y: 0, width: 1e-6, height: 1e-6),
  ]

  /// Presses at a place with all forces, one and two fingers, with and without their ends.
  static func events(at point: ViewPoint, far: ViewPoint) throws -> [GestureEvent] {
    let forces: [Double] = [0, -most, -1, 0x1p-1074, 1, fullForce, 7, most]
    let wide = try Screen(size: ViewSize(width: 32768, height: 1))
    var kinds: [GestureEvent.Kind] = []
    for force in forces {
      let one = Touch(id: .max, point: point, force: force)
      let two = Touch(id: .min, point: point, force: -force)
      let away = Touch(id: .max, point: far, force: force)
      kinds += [
        .touches(.began, [one]), .touches(.moved, [away]), .touches(.ended, [away]),
        .touches(.began, [two]), .touches(.moved, [two]), .touches(.began, [one]),
        .touches(.moved, [one, two]), .touches(.ended, [two]), .touches(.cancelled, [one]),
        .touches(.began, [one, two]), .cancelAll, .touches(.began, [one]), .screen(wide),
        .touches(.moved, [away]), .cancelAll, .close,
      ]
    }
    return kinds.enumerated().map { GestureEvent(time: Double($0.offset), kind: $0.element) }
  }

  @Test(arguments: ForceExhibit.allCases, ZoomForm.allCases)
  func `every script plays to its end in finite numbers`(exhibit: ForceExhibit, form: ZoomForm)
    throws
  {
    var began = 0
    for (size, scale) in Self.screens {
      let screen = try Screen(size: size, scale: scale)
      for view in Self.views {
        let stage = Stage(view: view, cornerRadius: Self.most, forceExhibit: exhibit)
        let point =
          view.map { ViewPoint(x: $0.x, y: $0.y) }
          ?? ViewPoint(x: size.width / 2, y: size.height / 2)
        let events = try Self.events(at: point, far: ViewPoint(x: -Self.most, y: Self.most))
        for (maximum, side) in zip([0, 1e-6, fullForce, Self.most], Self.sides) {
          for other in Self.sides {
            let script = try GestureScript(
              screen: screen, maximumForce: maximum, stage: stage, events: events)
            var player = try GesturePlayer(
              script, system: .force, picture: PixelSize(width: side, height: other), form: form)
            var states = 0
            // The player itself throws for a number that is not finite.
            while let state = try player.next() {
              states += 1
              if state.recogniser == .began { began += 1 }
              guard form == .corrected else { continue }
              #expect((0...1).contains(state.force))
              if state.recogniser.isTerminal { #expect(state.force == 0) }
            }
            // A long press grows by itself, for half a second a finger.
            if form == .original || maximum > 0 { #expect(states == events.count) }
          }
        }
      }
    }
    #expect(began > 1000)
  }
}
