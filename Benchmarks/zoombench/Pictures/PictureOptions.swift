internal import ArgumentParser
internal import SystemPackage
internal import ZoomCorpus
package import ZoomPipeline

/// The pictures for a command: the user's own and corpus pictures.
package struct PictureOptions: ParsableArguments {
  @Argument(help: "Pictures: files, folders of them, or names of corpus pictures.")
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "Pictures as a comma-separated list (corpus names: zoombench corpus list).",
      valueName: "list"))
  var pictures: NameList?

  package init() {}

  var named: [String] { files + (pictures?.names ?? []) }

  var isEmpty: Bool { named.isEmpty }

  /// The names as paths, for a check that no output overwrites a picture.
  var paths: [FilePath] { named.map { FilePath($0) } }

  /// Finds the named pictures, or the standard ones of the corpus if none was named.
  package func find(
    standard: [String], in location: CorpusLocation, _ limits: PictureLimits, isQuiet: Bool,
    opensNamed: Bool = false
  ) async throws -> [NamedPicture] {
    try await Self.find(
      isEmpty ? standard : named, in: location, limits, isQuiet: isQuiet, opensNamed: opensNamed)
  }

  /// Finds pictures by file, folder or corpus name, and makes missing corpus pictures.
  ///
  /// A corpus name takes precedence over a file of that name; `./NAME` is always a file. A named file must
  /// be a picture if it is the only one or `opensNamed` is true; otherwise it need only exist.
  static func find(
    _ named: [String], in location: CorpusLocation, _ limits: PictureLimits, isQuiet: Bool,
    opensNamed: Bool = false
  ) async throws -> [NamedPicture] {
    let manifest = try CorpusManifest.builtIn()
    let known = Set(manifest.pictures.map(\.name))
    for name in named where !known.contains(name) && NameGuess.isWord(name) {
      let guess = NameGuess(
        name, among: known.sorted() + CommandNames.listed(under: Zoombench.self))
      let what = "\(name) is not a file, folder, corpus picture or subcommand"
      guard guess.isEmpty else { throw ValidationError(what + guess.sentence) }
      throw Failure(
        .noInput, "\(what) (zoombench --help lists subcommands, zoombench corpus list pictures)")
    }
    let own = named.filter { !known.contains($0) }
    let wanted = manifest.pictures.filter { named.contains($0.name) }
    let folder = CorpusFolder(location.path, limits: limits)
    if !wanted.isEmpty { try await CorpusSetUp(folder: folder, isQuiet: isQuiet).make(wanted) }
    return try PictureFinder.find(own, limits, opensNamed: opensNamed || own.count == 1)
      + wanted.map { NamedPicture(name: $0.name, path: folder.file(of: $0)) }
  }
}

/// A guess at the intended word for a misspelt one.
struct NameGuess {
  private let guess: String?

  /// Finds the nearest name, if one is near enough.
  init(_ word: String, among names: [String]) {
    let near = names.map { ($0, Self.distance(word, $0)) }.min { $0.1 < $1.1 }
    // A third of the letters may differ, as in git.
    guess = near.flatMap { $0.1 <= max(1, word.count / 3) ? $0.0 : nil }
  }

  var isEmpty: Bool { guess == nil }

  /// " (did you mean verify?)", or an empty string.
  var sentence: String { guess.map { " (did you mean \($0)?)" } ?? "" }

  /// Whether a name could be misspelt: it names no existing file and does not look like a path.
  static func isWord(_ name: String) -> Bool {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      && (try? FileVersion(of: FilePath(name))) == nil && !FilePath.isFolder(name)
  }

  /// Returns the number of letters to insert, delete, replace or swap with their neighbour.
  static func distance(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one), Array(other))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
