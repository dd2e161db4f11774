import ZoomGeometry
package import ZoomLaws

/// Faults of the shared arithmetic.
package enum ArithmeticFaults {
  package static let all: [SeededFault<ArithmeticSubject>] = [
    Fault("filled, not fitted", "The larger of the two scales is used.", in: \.fit) {
      fit, picture, viewport in
      fit.scale = max(
        viewport.width / Double(picture.width), viewport.height / Double(picture.height))
    },
    Fault("scale in single precision", "The fit's scale is calculated in 24 bits.", in: \.fit) {
      fit, _, _ in fit.scale = Double(Float(fit.scale))
    },
    Fault("not centred", "The fitted picture is in the viewport's corner.", in: \.fit) {
      fit, _, _ in (fit.frame.x, fit.frame.y) = (0, 0)
    },
    Fault("shown in whole points", "The fitted picture's sides are rounded.", in: \.fit) {
      fit, _, _ in fit.frame.width = max(1, fit.frame.width.rounded())
    },
    Fault("composed the other way", "The second map is applied first.") { faulty, sound in
      faulty.compose = { sound.compose($1, $0) }
    },
    Fault("move not mapped", "The second map does not map the first map's translation.") {
      faulty, sound in
      faulty.compose = { first, second in
        var map = sound.compose(first, second)
        (map.tx, map.ty) = (first.tx + second.tx, first.ty + second.ty)
        return map
      }
    },
    Fault("b and c swapped", "The matrix is transposed.") { faulty, _ in
      faulty.apply = { map, point in
        ViewPoint(
          x: map.a * point.x + map.b * point.y + map.tx,
          y: map.c * point.x + map.d * point.y + map.ty)
      }
    },
    Fault("reciprocal of the determinant", "The reciprocal is rounded to 24 bits.") {
      faulty, sound in
      faulty.invert = { map in
        guard let inverse = sound.invert(map) else { return nil }
        let share = Double(Float(1 / map.determinant)) * map.determinant
        return Affine(
          a: inverse.a * share, b: inverse.b * share, c: inverse.c * share, d: inverse.d * share,
          tx: inverse.tx * share, ty: inverse.ty * share)
      }
    },
    Fault("mirrored maps refused", "Maps with negative determinants are not inverted.") {
      faulty, sound in faulty.invert = { $0.determinant > 0 ? sound.invert($0) : nil }
    },
    Fault(
      "products swapped", "The factors of each product are swapped.",
      equivalence: "Multiplication of doubles commutes, including its rounding."
    ) { faulty, _ in
      faulty.apply = { map, point in
        ViewPoint(
          x: point.x * map.a + point.y * map.c + map.tx,
          y: point.x * map.b + point.y * map.d + map.ty)
      }
    },
  ]

  private typealias Fault = SeededFault<ArithmeticSubject>
}
