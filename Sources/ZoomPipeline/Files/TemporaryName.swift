internal import SystemPackage

/// The names of temporary files and folders, which identify the files of a killed run.
enum TemporaryName {
  /// The start of a scratch folder's name in the folder for temporary files.
  static let scratch = "zoombench.scratch-"
  /// The mark after the target's name: `.photo.zoombench-4f0c2a91d3b8e675.png`.
  private static let mark = ".zoombench-"
  /// 64 random bits, which a user does not type by chance.
  private static let (digits, wordLength) = (Array("0123456789abcdef"), 16)

  static func word() -> String {
    String((0..<wordLength).map { _ in digits.randomElement() ?? "0" })
  }

  /// Returns a name beside a target with its suffix, because encoders choose their format by it.
  static func random(beside name: FilePath.Component) -> FilePath.Component? {
    // A long name would not leave enough room for the digits.
    let stem = String(name.stem.unicodeScalars.prefix(50))
    return FilePath.Component(".\(stem)\(mark)\(word())\(name.extension.map { ".\($0)" } ?? "")")
  }

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
