internal import SystemPackage

/// The names of temporary files and folders, by which a later run finds those of a killed one.
enum TemporaryName {
  /// Where temporary files go, a scratch folder's name begins with this.
  static let scratch = "zoombench.scratch-"
  /// Beside a target, it follows the target's name: `.photo.zoombench-4f0c2a.png`.
  private static let mark = ".zoombench-"
  /// As many characters as `mkdtemp` replaces.
  private static let wordLength = 6

  /// The pattern for `mkdtemp` of a folder beside a target.
  static func template(beside name: String) -> String { ".\(name)\(mark)XXXXXX" }

  /// A name for a file beside a target; it keeps the suffix, by which encoders choose their format.
  static func random(beside name: FilePath.Component) -> FilePath.Component? {
    let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz")
    let word = String((0..<wordLength).map { _ in letters.randomElement() ?? "0" })
    return FilePath.Component(".\(name.stem)\(mark)\(word)\(name.extension.map { ".\($0)" } ?? "")")
  }

  /// Whether a name is one of these.
  static func isOne(_ name: String) -> Bool {
    if name.hasPrefix(scratch) { return isWord(name.dropFirst(scratch.count)) }
    guard name.hasPrefix("."), let place = name.lastRange(of: mark) else { return false }
    let rest = name[place.upperBound...]
    let word = rest.prefix(wordLength)
    return isWord(word) && (rest.count == wordLength || rest.dropFirst(wordLength).hasPrefix("."))
  }

  private static func isWord(_ word: Substring) -> Bool {
    word.utf8.count == wordLength && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}

extension String {
  /// The last place of a text in this.
  fileprivate func lastRange(of text: String) -> Range<Index>? {
    ranges(of: text).last
  }
}
