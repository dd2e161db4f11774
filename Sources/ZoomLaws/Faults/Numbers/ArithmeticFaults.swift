internal import ZoomGeometry

/// Mistakes in the shared arithmetic that its error budgets have to find, or are proven unable to.
public enum ArithmeticFaults {
  /// All of them.
  public static let all: [SeededFault<ArithmeticSubject>] = [
    SeededFault("filled, not fitted", "The larger of the two scales is taken.") { sound in
      sound.changing(fit: { picture, viewport in
        let scale = max(
          viewport.width / Double(picture.width), viewport.height / Double(picture.height))
        return (scale, try sound.fit(picture, viewport).frame)
      })
    },
    SeededFault("scale in single precision", "The fit's scale is calculated in 24 bits.") { sound in
      sound.changing(fit: { picture, viewport in
        let (scale, frame) = try sound.fit(picture, viewport)
        return (Double(Float(scale)), frame)
      })
    },
    SeededFault("not centred", "The fitted picture stands in the viewport's corner.") { sound in
      sound.changing(fit: { picture, viewport in
        var (scale, frame) = try sound.fit(picture, viewport)
        (frame.x, frame.y) = (0, 0)
        return (scale, frame)
      })
    },
    SeededFault("shown in whole points", "The fitted picture's sides are rounded.") { sound in
      sound.changing(fit: { picture, viewport in
        var (scale, frame) = try sound.fit(picture, viewport)
        frame.width = max(1, frame.width.rounded())
        return (scale, frame)
      })
    },
    SeededFault("composed the other way", "The second map is done first.") { sound in
      sound.changing(compose: { sound.compose($1, $0) })
    },
    SeededFault("move not mapped", "The first map's move is added, not mapped by the second.") {
      sound in
      sound.changing(compose: { first, second in
        var map = sound.compose(first, second)
        (map.tx, map.ty) = (first.tx + second.tx, first.ty + second.ty)
        return map
      })
    },
    SeededFault("b and c swapped", "The matrix is taken for its transpose.") { sound in
      sound.changing(apply: { map, point in
        ViewPoint(
          x: map.a * point.x + map.b * point.y + map.tx,
          y: map.c * point.x + map.d * point.y + map.ty)
      })
    },
    SeededFault("reciprocal of the determinant", "Its quotient with one is cut to 24 bits.") {
      sound in
      sound.changing(invert: { map in
        guard let inverse = sound.invert(map) else { return nil }
        let share = Double(Float(1 / map.determinant)) * map.determinant
        return Affine(
          a: inverse.a * share, b: inverse.b * share, c: inverse.c * share, d: inverse.d * share,
          tx: inverse.tx * share, ty: inverse.ty * share)
      })
    },
    SeededFault("mirrored maps refused", "A map of a negative determinant has no inverse.") {
      sound in
      sound.changing(invert: { $0.determinant > 0 ? sound.invert($0) : nil })
    },
    SeededFault(
      "products swapped", "The factors of each product change places.",
      equivalence: "Multiplication of doubles is commutative, its rounding included."
    ) { sound in
      sound.changing(apply: { map, point in
        ViewPoint(
          x: point.x * map.a + point.y * map.c + map.tx,
          y: point.x * map.b + point.y * map.d + map.ty)
      })
    },
  ]
}

extension ArithmeticSubject {
  /// The subject with some of its parts replaced.
  fileprivate func changing(
    fit: (@Sendable (PixelSize, ViewSize) throws -> (scale: Double, frame: ViewRect))? = nil,
    compose: (@Sendable (Affine, Affine) -> Affine)? = nil,
    apply: (@Sendable (Affine, ViewPoint) -> ViewPoint)? = nil,
    invert: (@Sendable (Affine) -> Affine?)? = nil
  ) -> ArithmeticSubject {
    ArithmeticSubject(
      name: name, fit: fit ?? self.fit, compose: compose ?? self.compose,
      apply: apply ?? self.apply, invert: invert ?? self.invert)
  }
}
