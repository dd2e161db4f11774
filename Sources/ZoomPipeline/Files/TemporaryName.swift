internal import SystemPackage

/// The names of temporary files and folders, by which a later run finds the files of a killed one.
enum TemporaryName {
  /// The beginning of a scratch folder's name where temporary files go.
  static let scratch = "zoombench.scratch-"
  /// The mark after the target's name: `.photo.zoombench-4f0c2a91d3b8e675.png`.
  private static let mark = ".zoombench-"
  /// Digits that no one types by chance: 64 random bits.
  private static let (digits, wordLength) = (Array("0123456789abcdef"), 16)

  /// Returns a new word that follows a mark.
  static func word() -> String {
    String((0..<wordLength).map { _ in digits.randomElement() ?? "0" })
  }

  /// Returns a name for a file beside a target; it keeps the suffix, because encoders choose their format by it.
  static func random(beside name: FilePath.Component) -> FilePath.Component? {
    // The whole of a long name would leave no room for the word.
    let stem = String(name.stem.unicodeScalars.prefix(50))
    return FilePath.Component(".\(stem)\(mark)\(word())\(name.extension.map { ".\($0)" } ?? "")")
  }

  /// Whether a name is one of these.
  static func isOne(_ name: String) -> Bool {
    if name.hasPrefix(scratch) { return isWord(name.dropFirst(scratch.count)) }
    guard name.hasPrefix("."), let place = name.ranges(of: mark).last else { return false }
    let rest = name[place.upperBound...]
    return isWord(rest.prefix(wordLength))
      && (rest.count == wordLength || rest.dropFirst(wordLength).hasPrefix("."))
  }

  private static func isWord(_ word: Substring) -> Bool {
    word.utf8.count == wordLength && word.allSatisfy(digits.contains)
  }
}
