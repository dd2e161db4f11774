public import Foundation

/// Mutants that people have shown to be no mistakes: they cannot be told from the original.
///
/// They are named by file, function, and mistake, so that a list outlives moved lines.
public struct EquivalentList: Sendable, Codable {
  /// Mutants of one function with one argument.
  public struct Entry: Sendable, Codable {
    /// The file, from the package's folder.
    public let file: String
    /// The function, as a report names it.
    public let function: String
    /// The mistakes, as a report names them.
    public let mutants: [String]
    /// Why no test can notice them.
    public let because: String

    /// Makes an entry.
    public init(file: String, function: String, mutants: [String], because: String) {
      self.file = file
      self.function = function
      self.mutants = mutants
      self.because = because
    }
  }

  /// The entries.
  public let entries: [Entry]

  /// Makes a list.
  public init(entries: [Entry]) { self.entries = entries }

  /// Reads a list.
  ///
  /// - Parameter file: A JSON file.
  /// - Throws: What Foundation throws, or `DecodingError`.
  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(EquivalentList.self, from: Data(contentsOf: file))
  }

  /// Marks the survivors that are listed.
  ///
  /// - Parameter results: What became of the mutants of some files.
  /// - Returns: The results, and a sentence for each entry about these files that is wrong: one
  ///   that no mutant has the name of, or whose mutant was killed.
  public func applied(to results: [MutantResult]) -> (results: [MutantResult], errors: [String]) {
    var results = results
    var errors: [String] = []
    let places = Dictionary(
      uniqueKeysWithValues: results.indices.map { (key(results[$0].mutant), $0) })
    let files = Set(results.map(\.mutant.file))
    for entry in entries where files.contains(entry.file) {
      for name in entry.mutants {
        let full = "\(entry.file) \(entry.function) \(name)"
        guard let place = places[full] else {
          errors.append("listed as equivalent, but not there: \(full)")
          continue
        }
        switch results[place].state {
        case .survived, .notCovered: results[place].state = .equivalent(entry.because)
        case .killed, .timedOut, .unviable, .equivalent:
          errors.append("listed as equivalent, but no survivor: \(full)")
        }
      }
    }
    return (results, errors)
  }

  private func key(_ mutant: Mutant) -> String {
    "\(mutant.file) \(mutant.function) \(mutant.name)"
  }
}
