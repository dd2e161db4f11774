/// Words of a command line as a person may paste them into a shell.
enum ShellWord {
  /// The word itself where no shell would change it, else in single quotes.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.allSatisfy { character in
        character.isASCII && (character.isLetter || character.isNumber)
          || "-_./,:=@+%".contains(character)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
