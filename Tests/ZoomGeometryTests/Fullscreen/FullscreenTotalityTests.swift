import Testing

@testable import ZoomGeometry

/// Any script and any picture give finite states, and as many as the movements are long.
struct FullscreenTotalityTests {
  static let pictures = [
    (1, 1), (1, PixelSize.maximumSide), (PixelSize.maximumSide, 1),
    (PixelSize.maximumSide, PixelSize.maximumSide), (1600, 1200),
  ]

  static let sides = [1e-6, 1.0, 320, 667, 32_768]

  func stage(_ random: inout SplitMix64) -> Stage {
    let lengths = [1e-6, 1, 100, 2e9]
    let places = [-2e9, -100, 0, 0.1, 2e9]
    func rect() -> ViewRect {
      ViewRect(
        x: random.pick(places), y: random.pick(places), width: random.pick(lengths),
        height: random.pick(lengths))
    }
    let ancestors = (0..<random.pick([0, 1, 16])).map { _ in
      Stage.Ancestor(
        frame: rect(), scroll: ViewPoint(x: random.pick(places), y: random.pick(places)),
        scale: random.pick([0.001, 1, 1.5, 1000]))
    }
    return Stage(view: random.pick([rect(), nil]), ancestors: ancestors)
  }

  /// The middle of the view's first place, or as near to it as a touch can be.
  func home(of play: FullscreenPlay) throws -> ViewPoint {
    let side = min(play.size.width, play.size.height) / 2
    let rect =
      try play.stage.view.map { try play.stage.chain().toWindow($0) }
      ?? ViewRect(
        x: (play.size.width - side) / 2, y: (play.size.height - side) / 2, width: side,
        height: side)
    let reach = Double(PixelSize.maximumSide)
    return ViewPoint(
      x: (rect.x + rect.width / 2).clamped(to: -reach...reach),
      y: (rect.y + rect.height / 2).clamped(to: -reach...reach))
  }

  @Test(arguments: ZoomForm.allCases, pictures)
  func `every state of wild scripts is finite, and the play ends`(
    form: ZoomForm, picture: (Int, Int)
  ) throws {
    var random = SplitMix64(seed: 8)
    var presented = 0
    for _ in 0..<60 {
      var play = FullscreenPlay(
        size: ViewSize(width: random.pick(Self.sides), height: random.pick(Self.sides)),
        device: random.pick(DeviceOrientation.allCases),
        interface: random.pick(InterfaceOrientation.allCases), stage: stage(&random))
      play.picture = picture
      let home = try home(of: play)
      var time = 0.0
      for _ in 0..<20 {
        time += random.pick([0, 0.01, 0.11, 0.3, 4000])
        switch random.pick(Array(0..<8)) {
        case 0: play.event(.device(random.pick(DeviceOrientation.allCases)), at: time)
        case 1: play.event(.interface(random.pick(InterfaceOrientation.allCases)), at: time)
        case 2: try play.resize(random.pick(Self.sides), random.pick(Self.sides), at: time)
        case 3: play.event(random.pick([.close, .cancelAll]), at: time)
        case 4: play.tap(random.pick([0, 160, 333.5]), random.pick([0, 160, 333.5]), at: time)
        default: play.tap(home.x, home.y, at: time)
        }
      }
      let states = try play.states(form)
      presented += states.happened.filter { $0 == .present }.count
      // Each event moves at most the 15 frames of a rotation, and one more for the last.
      #expect(states.count <= 1 + play.events.count * 17)
      for (state, next) in zip(states, states.dropFirst()) {
        #expect(state.time < next.time)
      }
    }
    #expect(presented > 60)
  }

  @Test(arguments: ZoomForm.allCases)
  func `movement is bounded: a quarter of a second after the last event all is still`(
    form: ZoomForm
  ) throws {
    let screen = try Screen(size: ViewSize(width: 375, height: 667))
    var model = try LiveZoom(
      .fullscreen, picture: PixelSize(width: 3, height: 2), scene: ZoomScene(screen: screen),
      form: form)
    let touch = Touch(id: 1, point: ViewPoint(x: 187.5, y: 333.5))
    for phase in [TouchPhase.began, .ended] {
      #expect(!model.isMoving)
      try model.handle(GestureEvent(time: 0, kind: .touches(phase, [touch])))
    }
    #expect(model.isMoving)
    try model.advance(to: 0.19)
    #expect(model.isMoving)
    try model.advance(to: 0.2)
    #expect(!model.isMoving)
    try model.handle(GestureEvent(time: 0.2, kind: .device(.landscapeLeft)))
    try model.advance(to: 0.44)
    #expect(model.isMoving)
    try model.advance(to: 0.45)
    #expect(!model.isMoving)
  }
}
