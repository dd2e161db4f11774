public import Foundation

/// The sources to mutate and the tests that should notice the mutants.
public struct Plan: Sendable, Codable {
  /// A group of sources and their tests.
  public struct Part: Sendable, Codable {
    /// Swift files, or folders of them, relative to the package's folder.
    public let sources: [String]
    /// The test targets, or single suites of them as `Target.Suite`.
    ///
    /// They should run in a few seconds, because a survivor runs all of them that reach it.
    public let tests: [String]
  }

  /// The parts; a file belongs to the first part that names it.
  public let parts: [Part]

  /// Reads a plan.
  ///
  /// - Parameter file: A JSON file.
  /// - Throws: An error of Foundation, or `DecodingError`.
  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: file))
  }

  /// Lists the files of the plan.
  ///
  /// - Parameters:
  ///   - root: The package's folder.
  ///   - prefixes: Prefixes of paths; a file must have any of them. Empty for every file.
  /// - Returns: Sorted paths relative to the package's folder, each with its tests.
  /// - Throws: `CampaignError` if a source does not exist.
  public func files(in root: URL, startingWith prefixes: [String]) throws -> [(
    path: String, tests: [String]
  )] {
    var found: [String: [String]] = [:]
    for part in parts {
      for source in part.sources {
        let place = root.appending(path: source)
        guard FileManager.default.fileExists(atPath: place.path) else {
          throw CampaignError("the plan names \(source), which does not exist")
        }
        let inside = try FileManager.default.subpathsOrNothing(of: place).map { "\(source)/\($0)" }
        for file in source.hasSuffix(".swift") ? [source] : inside where file.hasSuffix(".swift") {
          guard found[file] == nil else { continue }
          guard prefixes.isEmpty || prefixes.contains(where: file.hasPrefix) else { continue }
          found[file] = part.tests
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map { (path: $0.key, tests: $0.value) }
  }
}

/// The reason why a campaign cannot run, as a sentence.
public struct CampaignError: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension FileManager {
  /// Returns the paths inside a folder; an empty list for a file.
  func subpathsOrNothing(of place: URL) throws -> [String] {
    var isFolder: ObjCBool = false
    guard fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue else {
      return []
    }
    return try subpathsOfDirectory(atPath: place.path)
  }
}
