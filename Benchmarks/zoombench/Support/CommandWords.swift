internal import ArgumentParser

/// The names of subcommands, for guesses at a misspelt one.
enum CommandNames {
  /// Returns the subcommands that the help of a command lists.
  static func listed(under command: any ParsableCommand.Type) -> [String] {
    // Closures, because Swift 6.3.1 crashes on key paths of metatypes.
    command.configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
      .compactMap { $0.commandName }
  }
}

/// The words of the command line before ArgumentParser parses them.
struct CommandWords {
  private let words: [String]

  init(_ words: some Sequence<String>) { self.words = Array(words) }

  /// The same command line with negative numbers joined to their options.
  ///
  /// ArgumentParser parses `-5` as an option, so for `--rounds -5` it reports a missing value. As
  /// `--rounds=-5`, the number reaches the check of its range.
  var parsable: [String] {
    var result: [String] = []
    for (index, word) in words.enumerated() {
      if word == "--" { return result + words[index...] }
      if let option = result.last, Self.isNegative(word), Self.mayTakeValue(option) {
        result[result.count - 1] = "\(option)=\(word)"
      } else {
        result.append(word)
      }
    }
    return result
  }

  private static func isNegative(_ word: String) -> Bool {
    word.hasPrefix("-") && word.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
  }

  private static func mayTakeValue(_ option: String) -> Bool {
    option.hasPrefix("--") && option.count > 2 && !option.contains("=")
  }

  /// Throws a usage error for the help of a subcommand that does not exist.
  ///
  /// ArgumentParser would show the parent command's help and succeed.
  func checkHelp(root: any ParsableCommand.Type) throws {
    guard words.first == "help" else { return }
    var (command, path) = (root, "zoombench")
    // Help itself has help.
    for word in words.dropFirst() where !word.hasPrefix("-") && word != "help" {
      let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
      guard let next else {
        let guess = NameGuess(word, among: CommandNames.listed(under: command))
        throw ValidationError("\(word) is not a subcommand of \(path)\(guess.sentence)")
      }
      (command, path) = (next, "\(path) \(word)")
    }
  }
}
