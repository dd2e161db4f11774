public import Foundation

/// What is mutated and which tests are to notice.
public struct Plan: Sendable, Codable {
  /// Some sources and their tests.
  public struct Part: Sendable, Codable {
    /// Files, or folders whose Swift files are all meant, from the package's folder.
    public let sources: [String]
    /// The test targets, or single suites of them as `Target.Suite`.
    ///
    /// What is named should run in a few seconds: a survivor goes through all that reach it.
    public let tests: [String]
  }

  /// The parts; a file belongs to the first that names it.
  public let parts: [Part]

  /// Reads a plan.
  ///
  /// - Parameter file: A JSON file.
  /// - Throws: What Foundation throws, or `DecodingError`.
  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: file))
  }

  /// Lists the files of the plan.
  ///
  /// - Parameters:
  ///   - root: The package's folder.
  ///   - prefixes: Beginnings of paths, one of which a file must have; none for every file.
  /// - Returns: Paths from the package's folder in order, each with its tests.
  /// - Throws: `CampaignError` if a source is not there.
  public func files(in root: URL, startingWith prefixes: [String]) throws -> [(
    path: String, tests: [String]
  )] {
    var found: [String: [String]] = [:]
    for part in parts {
      for source in part.sources {
        let place = root.appending(path: source)
        guard FileManager.default.fileExists(atPath: place.path) else {
          throw CampaignError("the plan names \(source), which is not there")
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

/// Why a campaign could not be run, in a sentence for people.
public struct CampaignError: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension FileManager {
  /// The paths of all that is in a folder; of a file, none.
  func subpathsOrNothing(of place: URL) throws -> [String] {
    var isFolder: ObjCBool = false
    guard fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue else {
      return []
    }
    return try subpathsOfDirectory(atPath: place.path)
  }
}
