/// A mistake that is built into a subject on purpose, to see whether the laws find it.
public struct SeededFault<Subject: LawSubject>: Sendable {
  /// A short name, unique among the faults of a kind of subject.
  public let name: String
  /// What goes wrong, in one sentence.
  public let summary: String
  /// The real bug it follows, as `owner/project#number`, or nil for one of our own making.
  public let origin: String?
  /// Why no input can tell the faulty subject from the sound one; nil where some can.
  public let equivalence: String?
  package let plant: @Sendable (Subject) -> Subject

  /// A fault.
  ///
  /// - Parameters:
  ///   - name: short and unique.
  ///   - summary: what goes wrong.
  ///   - origin: the real bug it follows.
  ///   - equivalence: the argument that it changes nothing, for faults that do not.
  ///   - plant: makes the faulty subject of a sound one, under the same name.
  public init(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    plant: @escaping @Sendable (Subject) -> Subject
  ) {
    self.name = name
    self.summary = summary
    self.origin = origin
    self.equivalence = equivalence
    self.plant = plant
  }
}
