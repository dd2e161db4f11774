/// Words of a command line that can be pasted into a shell.
package enum ShellWord {
  /// Quotes a word.
  ///
  /// - Returns: The word itself if no shell would change it, else in single quotes.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,+@%".contains($0))
    }
    // In zsh, =ls is the path of the program ls.
    if isPlain, !word.isEmpty, word.first != "=" { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }
}
