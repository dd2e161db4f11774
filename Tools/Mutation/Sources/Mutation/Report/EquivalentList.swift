public import Foundation

/// A list of mutants that behave like the original, each with an argument for it.
///
/// Mutants are identified by file, function and mistake, so that a list stays valid when lines move.
public struct EquivalentList: Sendable, Codable {
  /// The mutants of one function that share an argument.
  public struct Entry: Sendable, Codable {
    /// The path of the file relative to the package's folder.
    public let file: String
    /// The function, as named in reports.
    public let function: String
    /// The mistakes, as named in reports.
    public let mutants: [String]
    /// The argument why no test can notice them.
    public let because: String

    /// Creates an entry.
    public init(file: String, function: String, mutants: [String], because: String) {
      self.file = file
      self.function = function
      self.mutants = mutants
      self.because = because
    }
  }

  /// The entries.
  public let entries: [Entry]

  /// Creates a list.
  public init(entries: [Entry]) { self.entries = entries }

  /// Reads a list.
  ///
  /// - Parameter file: A JSON file.
  /// - Throws: An error of Foundation, or `DecodingError`.
  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(EquivalentList.self, from: Data(contentsOf: file))
  }

  /// Marks the survivors that are listed.
  ///
  /// - Parameter results: The results for the mutants of some files.
  /// - Returns: The results, and a sentence for each wrong entry about these files: no mutant has its name, or the
  ///   mutant did not survive.
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
          errors.append("listed as equivalent, but does not exist: \(full)")
          continue
        }
        switch results[place].state {
        case .survived, .notCovered: results[place].state = .equivalent(entry.because)
        case .killed, .timedOut, .unviable, .equivalent:
          errors.append("listed as equivalent, but did not survive: \(full)")
        }
      }
    }
    return (results, errors)
  }

  private func key(_ mutant: Mutant) -> String {
    "\(mutant.file) \(mutant.function) \(mutant.name)"
  }
}
