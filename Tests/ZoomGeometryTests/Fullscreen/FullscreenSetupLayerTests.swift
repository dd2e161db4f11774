import Testing
import ZoomGeometry

struct FullscreenSetupLayerTests {
  @Test(arguments: windowShapes)
  func `ZV-P1, ZV-P3: the turned view covers the window exactly, wherever it is centred`(
    window: ViewRect
  ) throws {
    for device in DeviceOrientation.allCases {
      for kind in WindowKind.allCases {
        let setup = try setup(device, interface: .landscapeLeft, window: window, kind: kind)
        // Only the window's own corner can round.
        #expect(difference(setup.layer.frame, window) <= 2 * max(window.maxX, window.maxY).ulp)
        #expect(setup.layer.position == setup.middle)
        for centre in [ViewPoint(x: 0, y: 0), ViewPoint(x: -31.5, y: 1000)] {
          let moved = layer(
            size: setup.size, centre: centre, transform: try setup.transform(centre: centre))
          #expect(difference(moved.frame, window) < 1e-9)
        }
      }
    }
  }

  static let phones: [ViewRect] = [
    portraitWindow, ViewRect(x: 0, y: 0, width: 320, height: 480),
    ViewRect(x: 0, y: 0, width: 768, height: 1024),
  ]

  @Test(arguments: phones)
  func `ZV-P1: on the published screens it covers to the last bit`(window: ViewRect) throws {
    for device in DeviceOrientation.allCases {
      #expect(try setup(device, window: window).layer.frame == window)
    }
  }

  @Test(arguments: DeviceOrientation.allCases)
  func `ZV-P2: the transform turns and nothing else`(device: DeviceOrientation) throws {
    let transform = try setup(device).transform(centre: ViewPoint(x: 3, y: 4))
    #expect(transform.determinant == 1)
    #expect(transform.a * transform.c + transform.b * transform.d == 0)
    #expect(transform.a * transform.a + transform.b * transform.b == 1)
    #expect([transform.a, transform.b, transform.c, transform.d].allSatisfy { abs($0) <= 1 })
  }

  static let up: [(DeviceOrientation, ViewPoint)] = [
    (.portrait, ViewPoint(x: 0, y: -1)), (.landscapeLeft, ViewPoint(x: 1, y: 0)),
    (.landscapeRight, ViewPoint(x: -1, y: 0)), (.portraitUpsideDown, ViewPoint(x: 0, y: 1)),
  ]

  @Test(arguments: up)
  func `ZV-P4: the content's up is the person's up`(device: DeviceOrientation, up: ViewPoint) throws
  {
    #expect(direction(0, -1, under: try setup(device).layer.transform) == up)
    let published = direction(0, -1, under: original(device).layer.transform)
    #expect(near(published.x, up.x, within: 1e-15) && near(published.y, up.y, within: 1e-15))
  }

  @Test func `ZV-P5: left and right undo each other, two lefts are upside down, four are nothing`()
    throws
  {
    let left = try setup(.landscapeLeft).layer.transform
    let right = try setup(.landscapeRight).layer.transform
    #expect(left.then(right) == .identity)
    #expect(left.then(left) == (try setup(.portraitUpsideDown).layer.transform))
    #expect(left.then(left).then(left).then(left) == .identity)
    // Published to rounding only.
    let published = original(.landscapeLeft).layer.transform
    let once = published.then(published).then(published).then(published)
    #expect(once != .identity)
    #expect(near(once.a, 1, within: 1e-15) && near(once.b, 0, within: 1e-15))
  }

  @Test(arguments: windowShapes)
  func `ZV-P11: nothing is translated if and only if the view is centred already`(
    window: ViewRect
  ) throws {
    for device in DeviceOrientation.allCases {
      let setup = try setup(device, window: window)
      let still = try setup.transform(centre: setup.middle)
      #expect(still == .turn(setup.turn))
      let middle = setup.middle
      let off = try setup.transform(centre: ViewPoint(x: middle.x + 2, y: middle.y))
      #expect(near(off.tx, -2, within: 1e-9) && off.ty == 0)
      let low = try setup.transform(centre: ViewPoint(x: middle.x, y: middle.y - 3))
      #expect(low.tx == 0 && near(low.ty, 3, within: 1e-9))
    }
  }

  @Test(arguments: DeviceOrientation.allCases)
  func `ZV-B1, ZV-P8: whichever way the device was turned, the view returns to its place`(
    device: DeviceOrientation
  ) throws {
    let place = ViewRect(x: 20, y: 30, width: 100, height: 50)
    var shown = try setup(device).layer
    shown.boundsOrigin = ViewPoint(x: 3, y: 8)
    let back = try FullscreenSetup.zoomedOut(shown, to: place)
    #expect(back == ViewLayer(frame: place, boundsOrigin: ViewPoint(x: 3, y: 8)))
    #expect(back.frame == place)
    #expect(back.transform == .identity)
  }

  @Test func `numbers that are not finite are refused and named`() throws {
    let setup = try setup(.landscapeLeft)
    let error = #expect(throws: GeometryError.self) {
      try setup.transform(centre: ViewPoint(x: 0, y: .nan))
    }
    #expect(error?.argument == "centre.y")
    let frame = #expect(throws: GeometryError.self) {
      try FullscreenSetup.zoomedOut(
        setup.layer, to: ViewRect(x: 0, y: 0, width: 0, height: 50))
    }
    #expect(frame?.argument == "frame.width")
  }
}
