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
    .map { ViewPoint(x: $0.0, y: $0.1) }

  @Test func `the numbers stand where Core Graphics has them`() {
    let map = Affine(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
    #expect(map.apply(to: ViewPoint(x: 10, y: 100)) == ViewPoint(x: 315, y: 426))
  }

  @Test func `moves, scales and turns do what they say`() {
    let point = ViewPoint(x: 3, y: 5)
    #expect(Affine.identity.apply(to: point) == point)
    #expect(Affine.translation(x: 1, y: -1).apply(to: point) == ViewPoint(x: 4, y: 4))
    #expect(Affine.scale(x: 2, y: 3).apply(to: point) == ViewPoint(x: 6, y: 15))
    #expect(Affine.scale(2) == .scale(x: 2, y: 2))
    #expect(Affine.turn(.clockwise).apply(to: point) == ViewPoint(x: -5, y: 3))
    #expect(Affine.turn(.half).apply(to: point) == ViewPoint(x: -3, y: -5))
    #expect(Affine.turn(.counterclockwise).apply(to: point) == ViewPoint(x: 5, y: -3))
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a rotation by a turn's angle is the turn but for rounding`(turn: QuarterTurn) {
    #expect(near(Affine.rotation(turn.radians), .turn(turn), within: 1e-15))
    // What the whole turns are for: the rotation's residue is not zero.
    #expect((Affine.rotation(turn.radians) == .turn(turn)) == (turn == .none))
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
    #expect(scaled.apply(to: ViewPoint(x: 0, y: 0)) == ViewPoint(x: 2, y: 0))
    #expect(Affine.scale(2).then(move).apply(to: ViewPoint(x: 0, y: 0)) == ViewPoint(x: 1, y: 0))
    for first in Self.maps {
      for second in Self.maps {
        for point in Self.points {
          let both = first.then(second).apply(to: point)
          #expect(near(both, second.apply(to: first.apply(to: point)), 1e-6))
        }
      }
    }
  }

  @Test func `then is associative, and the identity changes nothing`() {
    for first in Self.maps {
      #expect(first.then(.identity) == first)
      #expect(Affine.identity.then(first) == first)
      for second in Self.maps {
        for third in Self.maps {
          let left = first.then(second).then(third)
          let right = first.then(second.then(third))
          #expect(near(left, right, within: 1e-6))
        }
      }
    }
  }

  @Test func `the inverse undoes the map, before it and after it`() throws {
    for map in Self.maps {
      let inverse = try #require(map.inverted())
      #expect(near(map.then(inverse), .identity))
      #expect(near(inverse.then(map), .identity, within: 1e-6))
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

  @Test func `the determinant is the factor of areas, and multiplies`() {
    #expect(Affine.scale(x: 2, y: 3).determinant == 6)
    #expect(Affine.scale(x: -1, y: 1).determinant == -1)
    for turn in QuarterTurn.allCases { #expect(Affine.turn(turn).determinant == 1) }
    for first in Self.maps {
      for second in Self.maps {
        let product = first.determinant * second.determinant
        #expect(near(first.then(second).determinant, product, within: 1e-9))
      }
    }
  }

  @Test func `the bounding box of a turn is exact`() {
    let rect = ViewRect(x: 10, y: 20, width: 30, height: 40)
    #expect(Affine.turn(.none).boundingBox(of: rect) == rect)
    #expect(
      Affine.turn(.clockwise).boundingBox(of: rect)
        == ViewRect(x: -60, y: 10, width: 40, height: 30))
    #expect(
      Affine.turn(.half).boundingBox(of: rect)
        == ViewRect(x: -40, y: -60, width: 30, height: 40))
    #expect(
      Affine.turn(.counterclockwise).boundingBox(of: rect)
        == ViewRect(x: 20, y: -40, width: 40, height: 30))
  }

  @Test func `the bounding box holds the corners and no more`() {
    let rect = ViewRect(x: -1, y: 2, width: 3, height: 4)
    let diagonal = Affine.rotation(.pi / 4).boundingBox(
      of: ViewRect(x: 0, y: 0, width: 1, height: 1))
    #expect(near(diagonal.width, 2.0.squareRoot(), within: 1e-12))
    for map in Self.maps {
      let box = map.boundingBox(of: rect)
      let corners = [(-1.0, 2.0), (2, 2), (-1, 6), (2, 6)].map {
        map.apply(to: ViewPoint(x: $0.0, y: $0.1))
      }
      #expect(corners.map(\.x).min() == box.x)
      #expect(corners.map(\.y).min() == box.y)
      #expect(near(corners.map(\.x).max() ?? 0, box.maxX, within: 1e-9))
      #expect(near(corners.map(\.y).max() ?? 0, box.maxY, within: 1e-9))
    }
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
    let stored = try JSONEncoder().encode(map)
    #expect(try JSONDecoder().decode(Affine.self, from: stored) == map)
  }
}
