/// A run without its cases, for lists.
package struct RunSummary: Sendable, Hashable, Codable {
  package var id: String
  /// ISO 8601, in UTC.
  package var startedAt: String
  package var tool: String
  package var revision: RunRecord.Revision
  /// The machine's fingerprint.
  package var machine: String
  package var baseline: String?
  package var contamination: [String]
  package var caseCount: Int

  /// Why a run stands outside every series, without a full stop; nil when it does not.
  package var exclusion: String? {
    if let first = contamination.first {
      return
        "contaminated: \(contamination.count == 1 ? first : contamination.joined(separator: "; "))"
    }
    return revision.isDirty ? "dirty: files that were not committed went into it" : nil
  }
}
