/// Which law finds which planted fault, and after how many cases.
struct FaultMatrix: Codable, Sendable {
  /// The format's version.
  var version = 1
  let tool: String
  let seed: UInt64
  /// How many cases each law was given for each fault.
  let cases: Int
  let groups: [SubjectFaults]

  /// The faults of one kind of subject.
  struct SubjectFaults: Codable, Sendable {
    let subject: String
    let laws: [String]
    let faults: [FaultRow]
  }

  /// One fault.
  struct FaultRow: Codable, Sendable {
    let fault: String
    let summary: String
    /// The real bug it follows, if any.
    var origin: String?
    /// Why no input shows it, if none does.
    var equivalence: String?
    /// For each law the number of the first case that broke it, or nil where none did.
    let kills: [Int?]

    var isKilled: Bool { kills.contains { $0 != nil } }
    /// The fewest cases that any law needed.
    var fastest: Int? { kills.compactMap { $0 }.min() }
  }

  var faults: [FaultRow] { groups.flatMap(\.faults) }
  /// How many of them some input shows.
  var detectable: Int { faults.count { $0.equivalence == nil } }
  /// Faults that some input shows but no law found.
  var survivors: [FaultRow] { faults.filter { !$0.isKilled && $0.equivalence == nil } }
}

extension FaultMatrix {
  /// The matrix for people: a table for each kind of subject.
  func rendered() -> String {
    var text = ""
    for group in groups {
      var table = TextTable(
        columns: [.left("\(group.subject): fault")] + group.laws.map { .right($0) }
          + [.left("origin")])
      for row in group.faults {
        table.append(
          [row.fault] + row.kills.map { $0.map { "\($0)" } ?? "." }
            + [row.equivalence == nil ? row.origin ?? "" : "equivalent"])
      }
      text += table.rendered() + "\n"
    }
    for row in faults where row.equivalence != nil {
      text += "\(row.fault): equivalent, because \(row.equivalence ?? "")\n"
    }
    let fastest = faults.compactMap(\.fastest).sorted()
    let median = fastest.isEmpty ? Format.nothing : "\(fastest[fastest.count / 2])"
    return text + """
      \(detectable - survivors.count) of \(detectable) faults killed, \
      \(faults.count - detectable) equivalent; \
      cases to the first kill: median \(median), most \(fastest.last.map { "\($0)" } ?? Format.nothing); \
      at most \(Format.grouped(cases)) for each law; seed \(seed)

      """
  }
}
