package import ZoomPipeline

/// The addresses on the command line, which may hold passwords and signatures.
///
/// They are replaced by their names before anything reads the arguments. So results, histories and messages
/// contain only names, and `RemoteAccess` finds the addresses in the book.
package enum GivenAddresses {
  package static let book = RemoteAddressBook()

  /// Options with an address that is not one of a picture and goes into a page as it is.
  private static let others: Set<String> = ["--picture-address"]

  /// The arguments of this process, its own name included, with names in place of addresses.
  package static let arguments = named(CommandLine.arguments)

  static func named(_ arguments: [String]) -> [String] {
    zip([""] + arguments, arguments).map { others.contains($0) ? $1 : name(of: $1) }
  }

  /// Returns the name of an address, which is kept; other text as it is.
  static func name(of argument: String) -> String { book.add(argument) ?? argument }
}
