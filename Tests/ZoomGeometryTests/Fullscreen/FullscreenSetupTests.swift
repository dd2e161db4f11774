import Testing
import ZoomGeometry

struct FullscreenSetupTests {
  static let held: [(DeviceOrientation, QuarterTurn)] = [
    (.portrait, .none), (.portraitUpsideDown, .half), (.landscapeLeft, .clockwise),
    (.landscapeRight, .counterclockwise),
  ]

  /// Interfaces by their numbers, which are those of the devices.
  static let drawn: [(InterfaceOrientation, QuarterTurn)] = [
    (.unknown, .none), (.portrait, .none), (.portraitUpsideDown, .half),
    (.landscapeRight, .clockwise), (.landscapeLeft, .counterclockwise),
  ]

  @Test(arguments: held)
  func `a device that is held tells the turn, whatever the interface`(
    device: DeviceOrientation, turn: QuarterTurn
  ) throws {
    for interface in InterfaceOrientation.allCases {
      #expect(try setup(device, interface: interface).turn == turn)
      #expect(original(device, interface: interface).turn == turn)
    }
  }

  @Test(arguments: drawn)
  func `ZV-P6, ZV-P7: lying flat or unknown, the interface tells the turn, by its number`(
    interface: InterfaceOrientation, turn: QuarterTurn
  ) throws {
    for device in [DeviceOrientation.faceUp, .faceDown, .unknown] {
      #expect(try setup(device, interface: interface).turn == turn)
    }
    if let same = DeviceOrientation(rawValue: interface.rawValue) {
      #expect(try setup(.faceUp, interface: interface).turn == setup(same).turn)
    }
  }

  /// A port that takes the device for the interface of the same name.
  func byName(_ interface: InterfaceOrientation) -> DeviceOrientation {
    switch interface {
    case .unknown: .unknown
    case .portrait: .portrait
    case .portraitUpsideDown: .portraitUpsideDown
    case .landscapeLeft: .landscapeLeft
    case .landscapeRight: .landscapeRight
    }
  }

  @Test(arguments: [InterfaceOrientation.landscapeLeft, .landscapeRight])
  func `mapping the interface by its name turns the content upside down`(
    interface: InterfaceOrientation
  ) throws {
    let right = try setup(.faceUp, interface: interface).layer.transform
    let wrong = try setup(byName(interface)).layer.transform
    #expect(right.then(.turn(.half)) == wrong)
    #expect(direction(0, -1, under: right) == direction(0, 1, under: wrong))
  }

  @Test(arguments: DeviceOrientation.allCases, InterfaceOrientation.allCases)
  func `in a window that turns, what the interface has turned already is not turned again`(
    device: DeviceOrientation, interface: InterfaceOrientation
  ) throws {
    let fixed = try setup(device, interface: interface)
    let turning = try setup(device, interface: interface, kind: .turning)
    let drawn = DeviceOrientation(upright: interface).contentTurn ?? QuarterTurn.none
    #expect(turning.turn + drawn == fixed.turn)
    if device.contentTurn == nil { #expect(turning.turn == QuarterTurn.none) }
  }

  @Test(arguments: windowShapes)
  func `ZV-P10: the blanking square holds the window, in the middle`(window: ViewRect) throws {
    for device in DeviceOrientation.allCases {
      let setup = try setup(device, window: window)
      let square = setup.blanking
      #expect(square.width == max(window.width, window.height))
      #expect(square.height == square.width)
      #expect(square.contains(ViewPoint(x: window.x, y: window.y)))
      #expect(square.contains(ViewPoint(x: window.maxX, y: window.maxY)))
      #expect(near(square.x + square.width / 2, setup.middle.x, within: 1e-9))
      #expect(near(square.y + square.height / 2, setup.middle.y, within: 1e-9))
    }
  }

  @Test func `ZV-P10: the blanking square holds its window to the last bit`() throws {
    var random = SplitMix64(seed: 10)
    var failures = 0
    for _ in 0..<2000 {
      let (width, excess) = (random.number(1e-3, 2000), random.number(-1e-12, 1e-12))
      let window = ViewRect(
        x: random.number(-1e6, 1e6), y: random.number(-1, 1), width: width, height: width + excess)
      let square = try setup(.portrait, window: window).blanking
      if !square.contains(ViewPoint(x: window.x, y: window.y))
        || !square.contains(ViewPoint(x: window.maxX, y: window.maxY))
      {
        failures += 1
      }
    }
    #expect(failures == 0)
  }

  static let refused: [(ViewRect, String, GeometryError.Reason)] = [
    (ViewRect(x: 0, y: 0, width: 0, height: 0), "window.width", .notPositive),
    (ViewRect(x: 0, y: 0, width: 375, height: 0), "window.height", .notPositive),
    (ViewRect(x: 0, y: 0, width: -375, height: 667), "window.width", .notPositive),
    (ViewRect(x: .nan, y: 0, width: 375, height: 667), "window.x", .notFinite),
    (ViewRect(x: 0, y: 0, width: 375, height: .infinity), "window.height", .notFinite),
    (ViewRect(x: 0, y: 0, width: 375, height: 1e-9), "window.height", .tooSmall),
    (
      ViewRect(x: 0, y: 1e300, width: 375, height: 667), "window.y",
      .tooLarge(limit: PixelSize.maximumSide)
    ),
  ]

  @Test(arguments: refused)
  func `ZV-B9, ZV-B11: a window without a size, or not of finite numbers, is refused and named`(
    window: ViewRect, argument: String, reason: GeometryError.Reason
  ) throws {
    let error = #expect(throws: GeometryError.self) { try setup(.portrait, window: window) }
    #expect(error?.argument == argument)
    #expect(error?.reason == reason)
  }
}
