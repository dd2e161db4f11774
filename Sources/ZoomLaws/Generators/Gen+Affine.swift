public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == Affine {
  /// Maps as zoom systems make them, and others.
  ///
  /// Moves, scalings of one or both axes, mirrored or not, quarter turns, and any six numbers up to
  /// 4096. The identity is the simplest.
  public static var affineMaps: Gen {
    let place = Gen<Double>.double(in: -4096...4096)
    let scale = Gen<Double>.oneOf(.element(of: [1, -1, 2, 0.5]), .double(in: 0.001...20))
    let number = Gen<Double>.double(in: -4096...4096)
    return .oneOf(
      .constant(.identity),
      zip(place, place).map { Affine.translation(x: $0, y: $1) },
      zip(scale, scale, place, place).map {
        Affine.scale(x: $0, y: $1).then(.translation(x: $2, y: $3))
      },
      zip(Gen<QuarterTurn>.allCases, scale, place, place).map {
        Affine.turn($0).then(.scale($1)).then(.translation(x: $2, y: $3))
      },
      zip(number, number, number, number, place, place).map {
        Affine(a: $0, b: $1, c: $2, d: $3, tx: $4, ty: $5)
      })
  }
}
