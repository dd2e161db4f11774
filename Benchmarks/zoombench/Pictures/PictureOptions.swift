internal import ArgumentParser
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// The pictures that a command is to use: the user's own, and those of the corpus.
struct PictureOptions: ParsableArguments {
  @Argument(help: "Pictures: files, folders of them, or names of corpus pictures.")
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "Pictures as a comma-separated list (corpus names: zoombench corpus list).",
      valueName: "list"))
  var pictures: NameList?

  /// All that were named.
  var named: [String] { files + (pictures?.names ?? []) }

  var isEmpty: Bool { named.isEmpty }

  /// The names as paths, for a check that no output overwrites a picture.
  var paths: [FilePath] { named.map { FilePath($0) } }

  /// Finds the pictures, or the standard ones of the corpus where none was named.
  func find(
    standard: [String], in location: CorpusLocation, _ limits: PictureLimits, isQuiet: Bool,
    opensNamed: Bool = false
  ) async throws -> [BenchPlan.Subject] {
    try await Self.find(
      isEmpty ? standard : named, in: location, limits, isQuiet: isQuiet, opensNamed: opensNamed)
  }

  /// Finds pictures by file, folder or corpus name, and makes those of the corpus that are missing.
  ///
  /// A name of the corpus means its picture, `./NAME` a file. Of several named files one may turn
  /// out to be no picture, unless `opensNamed` asks for all to be opened.
  static func find(
    _ named: [String], in location: CorpusLocation, _ limits: PictureLimits, isQuiet: Bool,
    opensNamed: Bool = false
  ) async throws -> [BenchPlan.Subject] {
    let manifest = try CorpusManifest.builtIn()
    let known = Set(manifest.pictures.map(\.name))
    for name in named where !known.contains(name) && NameGuess.isWord(name) {
      let guess = NameGuess(name, among: known.sorted() + Zoombench.subcommandNames)
      let what = "\(name) is no file, folder, corpus picture or subcommand"
      guard guess.isEmpty else { throw ValidationError(what + guess.sentence) }
      throw Failure(
        .noInput, "\(what) (zoombench --help lists subcommands, zoombench corpus list pictures)")
    }
    let own = named.filter { !known.contains($0) }
    let wanted = manifest.pictures.filter { named.contains($0.name) }
    let folder = CorpusFolder(location.path, limits: limits)
    if !wanted.isEmpty { _ = try await CorpusSetUp(folder: folder, isQuiet: isQuiet).make(wanted) }
    return try PictureFinder.find(own, limits, opensNamed: opensNamed || own.count == 1)
      + wanted.map { BenchPlan.Subject(name: $0.name, path: folder.file(of: $0)) }
  }
}

/// What a mistyped word was probably meant to be.
struct NameGuess {
  private let guess: String?

  /// The nearest of the names, if one is near.
  init(_ word: String, among names: [String]) {
    let near = names.map { ($0, Self.distance(word, $0)) }.min { $0.1 < $1.1 }
    // A third of the letters may be wrong, as in git.
    guess = near.flatMap { $0.1 <= max(1, word.count / 3) ? $0.0 : nil }
  }

  /// Whether no name is near.
  var isEmpty: Bool { guess == nil }

  /// " (did you mean verify?)", or nothing.
  var sentence: String { guess.map { " (did you mean \($0)?)" } ?? "" }

  /// Whether a name could be mistyped: no file is there, and it looks like no path.
  static func isWord(_ name: String) -> Bool {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      && (try? FileVersion(of: FilePath(name))) == nil && !FilePath.isFolder(name)
  }

  /// How many letters have to be put in, taken out, replaced or swapped with their neighbour.
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
