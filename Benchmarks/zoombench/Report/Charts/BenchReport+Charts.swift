/// The data shared by charts of a benchmark, in a page or in separate files.
extension BenchReport {
  /// A kind of peek in a state, for any picture.
  struct Condition: Hashable {
    let peek: BenchPlan.PeekKind
    let state: BenchPlan.FileState

    /// "375 pt @1, warm".
    var name: String { "\(peek.name), \(state.rawValue)" }
  }

  /// The conditions in the order in which they appear.
  var conditions: [Condition] {
    var seen: Set<Condition> = []
    return groups.map(\.condition).filter { seen.insert($0).inserted }
  }

  /// The sources in the order in which they appear, which sets their colours in all charts.
  var sources: [String] {
    var seen: Set<String> = []
    return groups.flatMap(\.arms).map(\.source).filter { seen.insert($0).inserted }
  }

  func colour(of source: String) -> Int { sources.firstIndex(of: source) ?? 0 }

  /// Returns the median wall time against picture size under a condition, one curve per source.
  func sizeCurves(_ condition: Condition) -> [SizeChart.Curve] {
    let groups = groups.filter { $0.condition == condition }
    return sources.map { source in
      SizeChart.Curve(
        name: source, colour: colour(of: source),
        points: groups.compactMap { group in
          guard let arm = group.arms.first(where: { $0.source == source }),
            let figures = group.figures(of: arm),
            let picture = pictures.first(where: { $0.name == group.picture })
          else { return nil }
          return SizeChart.Point(
            pixels: Double(picture.width) * Double(picture.height),
            nanoseconds: max(1, figures.median))
        })
    }.filter { !$0.points.isEmpty }
  }
}

extension BenchReport.Group {
  /// The kind of peek and the state of the group.
  var condition: BenchReport.Condition { BenchReport.Condition(peek: peek, state: state) }
}
