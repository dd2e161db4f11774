extension TestCase {
  /// What a case wrote down, to be taken from one task to another.
  struct Record: Sendable {
    var choices: [Choice]
    var spans: [Span]
    var labels: [Label]
    var scores: [Score]
    var notes: [String]
    var isOverrun: Bool
    var isMisaligned: Bool
  }

  /// What was written down so far; setting it makes this case the one that wrote it.
  var record: Record {
    get {
      Record(
        choices: choices, spans: spans, labels: labels, scores: scores, notes: notes,
        isOverrun: isOverrun, isMisaligned: isMisaligned)
    }
    set {
      (choices, spans, labels) = (newValue.choices, newValue.spans, newValue.labels)
      (scores, notes) = (newValue.scores, newValue.notes)
      (isOverrun, isMisaligned) = (newValue.isOverrun, newValue.isMisaligned)
    }
  }
}
