/// A run of a timing curve on a script's clock.
struct Animation: Sendable, Hashable {
  let start: Double
  let duration: Double
  let curve: TimingCurve

  /// Whether it is over at a time.
  func isOver(at time: Double) -> Bool { time >= start + duration }

  /// How far it has come at a time: 0 at its start, 1 when it is over.
  func progress(at time: Double) -> Double {
    isOver(at: time) ? 1 : curve.progress(at: (time - start) / duration)
  }
}

extension Double {
  /// The number that lies a share of the way from this one to another; exact at both ends.
  func moved(towards end: Double, by share: Double) -> Double {
    share == 1 ? end : self + (end - self) * share
  }
}

extension ViewPoint {
  /// The point a share of the way from this one to another.
  func moved(towards end: ViewPoint, by share: Double) -> ViewPoint {
    ViewPoint(x: x.moved(towards: end.x, by: share), y: y.moved(towards: end.y, by: share))
  }
}

extension ViewRect {
  /// The rectangle a share of the way from this one to another, each number by itself.
  func moved(towards end: ViewRect, by share: Double) -> ViewRect {
    ViewRect(
      x: x.moved(towards: end.x, by: share), y: y.moved(towards: end.y, by: share),
      width: width.moved(towards: end.width, by: share),
      height: height.moved(towards: end.height, by: share))
  }
}

extension Affine {
  /// The map a share of the way from this one to another, each number by itself.
  func moved(towards end: Affine, by share: Double) -> Affine {
    Affine(
      a: a.moved(towards: end.a, by: share), b: b.moved(towards: end.b, by: share),
      c: c.moved(towards: end.c, by: share), d: d.moved(towards: end.d, by: share),
      tx: tx.moved(towards: end.tx, by: share), ty: ty.moved(towards: end.ty, by: share))
  }
}
