internal import ArgumentParser
internal import Synchronization
package import ZoomPipeline

/// The addresses on the command line, which may hold passwords and signatures.
///
/// They are replaced by their names before anything reads the arguments. So results, histories and messages
/// contain only names, and `RemoteAccess` finds the addresses in the book.
package enum GivenAddresses {
  package static let book = RemoteAddressBook()

  /// The commands that read pictures on servers; other commands' addresses stay as they are.
  private static let readers: Set<String> = ["bench", "verify", "peek", "inspect", "index"]

  /// Options whose values are not pictures; an address among them stays as it is.
  private static let others: Set<String> = ["-o", "--output", "--commit", "--history"]

  /// The replacement of an address that cannot be parsed, so that no message shows its secrets.
  static let invalid = "https://(not an address)"

  /// The number of lines of lists that look like addresses, but cannot be parsed.
  private static let refusedLines = Mutex(0)

  /// The arguments of this process, its own name included, with names in place of addresses.
  package static let arguments = named(CommandLine.arguments)

  static func named(_ arguments: [String]) -> [String] {
    guard readsAddresses(arguments.dropFirst().first) else { return arguments }
    return zip([""] + arguments, arguments).map { option, argument in
      if others.contains(option) { return argument }
      if isPictures(option, argument) {
        return hasAddress(argument) ? "--pictures=\(invalid)" : argument
      }
      return RemoteAddress.isMeant(by: argument) ? book.add(argument) ?? invalid : argument
    }
  }

  /// Throws a usage error, without the text, for an argument that cannot be used as an address.
  static func check(_ arguments: [String] = CommandLine.arguments) throws {
    for (number, argument) in named(arguments).enumerated() {
      if argument == "--pictures=\(invalid)" {
        throw ValidationError("--pictures does not take addresses (give them as arguments)")
      }
      if argument == invalid {
        throw ValidationError(
          "argument \(number) is not an address of HTTP (write it as https://host/photo.jpg)")
      }
    }
  }

  /// Whether the first word is such a command, or no command: bench is the default.
  private static func readsAddresses(_ word: String?) -> Bool {
    guard let word else { return false }
    let commands = Zoombench.configuration.subcommands.map { $0.configuration.commandName }
    return readers.contains(word) || word != "help" && !commands.contains(word)
  }

  /// Whether an argument is a list of names of the corpus.
  private static func isPictures(_ option: String, _ argument: String) -> Bool {
    option == "--pictures" || argument.hasPrefix("--pictures=")
  }

  private static func hasAddress(_ list: String) -> Bool {
    let names = list.hasPrefix("--pictures=") ? list.dropFirst("--pictures=".count) : list[...]
    return names.split(separator: ",").contains { RemoteAddress.isMeant(by: $0) }
  }

  /// Returns the name for a line of a list: an address is kept, and other text stays as it is.
  ///
  /// An address of a server that is not among `servers` is refused; nil allows all.
  static func name(ofLine line: String, among servers: Set<String>?) -> String {
    guard RemoteAddress.isMeant(by: line) else { return line }
    if let servers, RemoteAddress(line).map({ servers.contains($0.server) }) != true {
      return invalid
    }
    if let name = book.add(line) { return name }
    refusedLines.withLock { $0 += 1 }
    return invalid
  }

  /// Throws if a line of a list looked like an address, but could not be parsed.
  static func checkLines(of list: String) throws {
    guard refusedLines.withLock({ $0 }) == 0 else {
      throw Failure(
        .badInput, "\(list): a line is not an address of HTTP (write it as https://host/photo.jpg)")
    }
  }
}
