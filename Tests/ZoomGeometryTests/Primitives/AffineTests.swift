import Foundation
import Testing

@testable import ZoomGeometry

struct AffineTests {
  static let maps = [
    Affine.identity, .translation(x: 3, y: -7), .scale(x: 2, y: 0.5), .scale(-3),
    .turn(.clockwise), .rotation(0.7),
    Affine(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6),
    Affine(a: 0.1, b: -2, c: 0, d: 7, tx: -1, ty: 1e6),
  ]

  static let points = [(0.0, 0.0), (1, 0), (0, 1), (-3, 5.5), (375, 667)]
    .map { ViewPoint($0.0, $0.1) }

  @Test func `the numbers stand where Core Graphics has them`() {
    let map = Affine(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
    #expect(map.apply(to: ViewPoint(10, 100)) == ViewPoint(315, 426))
  }

  @Test func `moves, scales and turns do what they say`() {
    let point = ViewPoint(3, 5)
    #expect(Affine.identity.apply(to: point) == point)
    #expect(Affine.translation(x: 1, y: -1).apply(to: point) == ViewPoint(4, 4))
    #expect(Affine.scale(x: 2, y: 3).apply(to: point) == ViewPoint(6, 15))
    #expect(Affine.scale(2) == .scale(x: 2, y: 2))
    #expect(Affine.turn(.clockwise).apply(to: point) == ViewPoint(-5, 3))
    #expect(Affine.turn(.half).apply(to: point) == ViewPoint(-3, -5))
    #expect(Affine.turn(.counterclockwise).apply(to: point) == ViewPoint(5, -3))
  }

  @Test func `four turns are none, exactly, and turns add as their maps do`() {
    let turn = Affine.turn(.clockwise)
    #expect(turn.then(turn).then(turn).then(turn) == .identity)
    for first in QuarterTurn.allCases {
      for second in QuarterTurn.allCases {
        #expect(Affine.turn(first).then(.turn(second)) == .turn(first + second))
      }
    }
  }

  @Test func `then does the first one first`() {
    let move = Affine.translation(x: 1, y: 0)
    let scaled = move.then(.scale(2))
    #expect(scaled.apply(to: ViewPoint(0, 0)) == ViewPoint(2, 0))
    #expect(Affine.scale(2).then(move).apply(to: ViewPoint(0, 0)) == ViewPoint(1, 0))
    for first in Self.maps {
      for second in Self.maps {
        for point in Self.points {
          let both = first.then(second).apply(to: point)
          #expect(near(both, second.apply(to: first.apply(to: point)), 1e-6))
        }
      }
    }
  }

  @Test func `a map that flattens, overflows or is not a number has no inverse`() {
    #expect(Affine.scale(0).inverted() == nil)
    #expect(Affine(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0).inverted() == nil)
    #expect(Affine.scale(.nan).inverted() == nil)
    #expect(Affine.scale(.infinity).inverted() == nil)
    #expect(Affine.scale(1e-200).inverted() == nil)
    let far = Affine(a: 1e-100, b: 0, c: 0, d: 1e-100, tx: 1e300, ty: 0)
    #expect(far.inverted() == nil)
  }

  @Test func `the bounding box of a turn is exact`() {
    let rect = ViewRect(10, 20, 30, 40)
    #expect(Affine.turn(.none).boundingBox(of: rect) == rect)
    #expect(Affine.turn(.clockwise).boundingBox(of: rect) == ViewRect(-60, 10, 40, 30))
    #expect(Affine.turn(.half).boundingBox(of: rect) == ViewRect(-40, -60, 30, 40))
    #expect(Affine.turn(.counterclockwise).boundingBox(of: rect) == ViewRect(20, -40, 40, 30))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `one number that is not finite makes the map so`(bad: Double) {
    let paths: [WritableKeyPath<Affine, Double>] = [\.a, \.b, \.c, \.d, \.tx, \.ty]
    for path in paths {
      var map = Affine.identity
      #expect(map.isFinite)
      map[keyPath: path] = bad
      #expect(!map.isFinite)
    }
  }

  @Test func `a map survives being stored`() throws {
    let map = Affine(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
    #expect(try stored(map) == map)
  }
}

struct ViewLayerTests {
  let frame = ViewRect(20, 30, 100, 50)

  @Test func `a new layer fills its frame about its centre`() {
    let layer = ViewLayer(frame: frame)
    #expect(layer.frame == frame)
    #expect(layer.position == ViewPoint(70, 55))
    #expect(layer.toParent.apply(to: ViewPoint(0, 0)) == ViewPoint(20, 30))
  }

  @Test func `a scroll offset moves the content and not the frame`() {
    let layer = ViewLayer(frame: frame, boundsOrigin: ViewPoint(7, 8))
    #expect(layer.frame == frame)
    #expect(layer.toParent.apply(to: ViewPoint(7, 8)) == ViewPoint(20, 30))
  }

  @Test func `a scaling works about the anchor`() {
    var layer = ViewLayer(frame: frame)
    layer.transform = .scale(2)
    #expect(layer.frame == ViewRect(-30, 5, 200, 100))
  }

  @Test func `FT-B9, TI-B7: setting the anchor moves the layer, for the position stays`() {
    var layer = ViewLayer(frame: frame)
    layer.anchor = ViewPoint(0, 0)
    #expect(layer.position == ViewPoint(70, 55))
    #expect(layer.frame == ViewRect(70, 55, 100, 50))
  }

  @Test func `ZV-B1: a frame set under a quarter turn swaps the size`() {
    var layer = ViewLayer(frame: ViewRect(0, 0, 1, 1))
    layer.transform = .turn(.clockwise)
    layer.setFrame(frame)
    #expect(layer.frame == frame)
    #expect(layer.size == ViewSize(50, 100))
    layer.transform = .identity
    #expect(layer.frame == ViewRect(45, 5, 50, 100))
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a frame that is set under a turn is the frame, exactly`(turn: QuarterTurn) {
    var layer = ViewLayer(frame: ViewRect(1, 2, 3, 4), boundsOrigin: ViewPoint(5, 6))
    layer.transform = .turn(turn)
    layer.anchor = ViewPoint(0.25, 1)
    layer.setFrame(frame)
    #expect(layer.frame == frame)
    #expect(layer.size == ViewSize(100, 50).turned(by: turn))
  }

  @Test func `a frame that is set under a scaling or a move is the frame`() {
    for map in [Affine.scale(x: 3, y: -0.1), .translation(x: 40, y: -9), .scale(0.3)] {
      var layer = ViewLayer(frame: ViewRect(1, 2, 3, 4))
      layer.transform = map
      layer.setFrame(frame)
      #expect(near(layer.frame, frame))
      #expect(layer.transform == map)
    }
  }

  @Test func `without an inverse the size stays, and nothing is NaN`() {
    var layer = ViewLayer(frame: ViewRect(1, 2, 3, 4))
    layer.transform = .scale(0)
    layer.setFrame(frame)
    #expect(layer.size == ViewSize(3, 4))
    #expect(layer.frame == ViewRect(20, 30, 0, 0))
  }

  @Test func `a layer survives being stored`() throws {
    var layer = ViewLayer(frame: frame)
    layer.transform = .rotation(0.3)
    #expect(try stored(layer) == layer)
  }
}
