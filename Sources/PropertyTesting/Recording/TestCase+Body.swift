extension TestCase {
  /// Draws a value in the midst of a property.
  ///
  /// - Parameters:
  ///   - generator: where the value comes from.
  ///   - label: under which a counterexample shows it; without one it shows the value alone.
  /// - Returns: The value.
  /// - Throws: `Discarded` where the generator discards the case.
  public mutating func draw<Value>(
    _ generator: Gen<Value>, as label: StaticString? = nil
  ) throws(Discarded) -> Value {
    let value = try span(.draw, generator.body)
    if keepsNotes { notes.append(label.map { "\($0) = \(value)" } ?? "\(value)") }
    return value
  }

  /// Keeps a line to be shown beside the counterexample.
  public mutating func note(_ text: @autoclosure () -> String) {
    if keepsNotes { notes.append(text()) }
  }

  /// Discards the case unless a condition holds.
  public func assume(_ condition: Bool) throws(Discarded) {
    guard condition else { throw Discarded() }
  }

  /// Counts the case in a class if a condition holds.
  ///
  /// - Parameters:
  ///   - condition: whether the case belongs to the class.
  ///   - name: of the class, as the report shows it.
  ///   - share: the share of cases that must belong to it, above 0 and at most 1. The run decides
  ///     by a sequential test whether it does, and is not passed where it does not.
  public mutating func classify(
    _ condition: Bool, as name: String, atLeast share: Double? = nil
  ) {
    labels.append(Label(name: name, holds: condition, share: share))
  }

  /// Counts the case under a value; the report shows how many cases there were of each.
  ///
  /// - Parameters:
  ///   - value: any, as text; a case that gives a table several values counts under each.
  ///   - table: the name of the table.
  public mutating func collect(_ value: some Sendable, as table: String) {
    let entry = Collected(table: table, value: "\(value)")
    if !collected.contains(entry) { collected.append(entry) }
  }

  /// Asks the run to look for cases in which a number is high.
  ///
  /// - Parameters:
  ///   - score: finite; others are ignored.
  ///   - name: of the score, for properties that have several.
  public mutating func target(_ score: Double, as name: String = "score") {
    if score.isFinite { scores.append(Score(name: name, value: score)) }
  }
}
