/// What a worker says about itself: its program and its cases.
package struct WorkerListing: Sendable, Hashable {
  /// One case of the list, named on the wire by its place in it.
  package struct Entry: Sendable, Hashable {
    package var name: String
    package var role: WorkerCase.Role

    /// Puts a name and a role together.
    package init(name: String, role: WorkerCase.Role) {
      self.name = name
      self.role = role
    }
  }

  /// The longest name of a program or a case, in UTF-8.
  package static let nameLimit = 200

  /// The program's name and version.
  package var tool: String
  package var cases: [Entry]

  /// Puts a list together.
  package init(tool: String, cases: [Entry]) {
    self.tool = tool
    self.cases = cases
  }

  /// Why this list cannot be used, in a sentence without a full stop; nil if it can.
  package var problem: String? {
    var names: Set<String> = []
    if !Self.isName(tool) { return "the tool has no usable name" }
    for entry in cases {
      if !Self.isName(entry.name) {
        return "'\(entry.name.prefix(40))' is no name for a case: "
          + "1 to \(Self.nameLimit) bytes without control characters"
      }
      if !names.insert(entry.name).inserted { return "two cases are named '\(entry.name)'" }
    }
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    (1...nameLimit).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// The list as it stands on the wire.
  package var json: CompactJSON {
    .object([
      "tool": .string(tool),
      "cases": .array(
        cases.map { entry in
          .object(["name": .string(entry.name), "role": .string(entry.role.rawValue)])
        }),
    ])
  }

  /// Reads a list; members that are not known are left alone, so that versions may add some.
  ///
  /// - Parameters:
  ///   - json: What followed `hello 1`.
  ///   - line: The whole line, for the error.
  /// - Throws: `WorkerLineError`.
  package init(json: CompactJSON, line: String) throws(WorkerLineError) {
    guard case .object(let members) = json, case .string(let tool)? = members["tool"],
      case .array(let elements)? = members["cases"]
    else {
      throw WorkerLineError(line: line, expected: "an object with a tool and an array of cases")
    }
    var cases: [Entry] = []
    for element in elements {
      guard case .object(let entry) = element, case .string(let name)? = entry["name"],
        case .string(let word)? = entry["role"], let role = WorkerCase.Role(rawValue: word)
      else {
        throw WorkerLineError(
          line: line, expected: "a name and one of the roles gated, control, canary in each case")
      }
      cases.append(Entry(name: name, role: role))
    }
    self.init(tool: tool, cases: cases)
    if let problem {
      throw WorkerLineError(
        line: line, expected: "a list of cases that can be used (in this one \(problem))")
    }
  }
}
