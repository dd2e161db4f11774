internal import Foundation
internal import Measurement
internal import SystemPackage

/// The names of the cases over the user's pictures.
///
/// A worker names cases by the absolute paths it was given, so that builds of all versions find the same
/// files. Messages and the history use names that are the same in every clone.
struct CaseNames {
  let paths: [String]
  /// Longer paths first, since one path may be a prefix of another.
  private let pairs: [(path: String, name: String)]

  init(_ pictures: [NamedPicture]) {
    paths = pictures.map { Self.resolved($0.path) }
    let short = PictureName.names(of: pictures.map(\.path))
    // Pictures of the corpus keep their names.
    let names = zip(pictures, short).map { $0.name == $0.path.string ? $1 : $0.name }
    pairs = zip(paths, names).map { (path: $0, name: $1) }
      .sorted { $0.path.utf8.count > $1.path.utf8.count }
  }

  /// Returns the path without links and ".."; earlier workers resolve them differently.
  private static func resolved(_ path: FilePath) -> String {
    guard let found = realpath(path.string, nil) else {
      return FilePath.absolute(path.string).string
    }
    defer { free(found) }
    return String(cString: found)
  }

  /// Returns a case's name, or a message that contains such names, with the pictures' names.
  ///
  /// Commands in it keep their paths, so that they can be run by hand.
  func shown(_ text: String) -> String {
    pairs.reduce(text) { text, pair in
      ["/", ":"].reduce(text) { $0.replacing(pair.path + $1, with: pair.name + $1) }
    }
  }

  /// Returns a comparison's error with the pictures' names; other errors unchanged.
  func shown(_ error: any Error) -> any Error {
    guard error is ComparisonRunError || error is WorkerError,
      let (status, line) = Diagnostics.diagnosis(of: error)
    else { return error }
    return Failure(status, shown(line))
  }

  func shown(_ outcome: ComparisonRun.Outcome) -> ComparisonRun.Outcome {
    var result = outcome
    for index in result.cases.indices {
      result.cases[index].name = shown(result.cases[index].name)
      result.cases[index].reason = result.cases[index].reason.map(shown)
      result.cases[index].failure = result.cases[index].failure.map(shown)
    }
    result.contamination = result.contamination.map(shown)
    result.onlyInBase = result.onlyInBase.map(shown)
    result.onlyInCandidate = result.onlyInCandidate.map(shown)
    return result
  }
}
