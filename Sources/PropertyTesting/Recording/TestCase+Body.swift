extension TestCase {
  /// Draws a value inside the body of a property.
  ///
  /// - Parameters:
  ///   - generator: generates the value.
  ///   - label: the name of the value in a counterexample; without one the value is shown alone.
  /// - Returns: The value.
  /// - Throws: `Discarded` if the generator discards the case.
  public mutating func draw<Value>(
    _ generator: Gen<Value>, as label: StaticString? = nil
  ) throws(Discarded) -> Value {
    let value = try span(.draw, generator.body)
    if keepsNotes { notes.append(label.map { "\($0) = \(value)" } ?? "\(value)") }
    return value
  }

  /// Records a line to be shown with the counterexample.
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
  ///   - name: the name of the class in the report.
  ///   - share: the required share of cases in the class, above 0 and at most 1. A sequential test decides whether the
  ///     requirement is met; without that decision the run does not pass.
  public mutating func classify(
    _ condition: Bool, as name: String, atLeast share: Double? = nil
  ) {
    labels.append(Label(name: name, holds: condition, share: share))
  }

  /// Counts the case under a value; the report shows the number of cases for each value.
  ///
  /// - Parameters:
  ///   - value: converted to text; a case that collects several values in a table counts under each of them.
  ///   - table: the name of the table.
  public mutating func collect(_ value: some Sendable, as table: String) {
    let entry = Collected(table: table, value: "\(value)")
    if !collected.contains(entry) { collected.append(entry) }
  }

  /// Asks the run to search for cases in which a number is high.
  ///
  /// - Parameters:
  ///   - score: the number; infinities and NaN are ignored.
  ///   - name: the name of the score, for properties with several scores.
  public mutating func target(_ score: Double, as name: String = "score") {
    if score.isFinite { scores.append(Score(name: name, value: score)) }
  }
}
