internal import ArgumentParser
internal import SystemPackage

/// Where a command writes its result, the same for every subcommand that may write to stdout.
struct OutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "A file for the result instead of stdout.")
  var output: String?

  /// Nil for stdout.
  var path: FilePath? { output.map { FilePath($0) } }

  func validate() throws { try Self.check(output, of: "-o") }

  /// Refuses an empty name, which a shell makes of a variable that is not set.
  static func check(_ name: String?, of option: String, needs: String = "a file's name") throws {
    if name?.isEmpty == true { throw ValidationError("\(option) needs \(needs)") }
  }
}

extension OutputOptions {
  /// Refuses a page, which only `report` writes, instead of writing a table under its name.
  func refusePage() throws {
    guard let name = path, ["html", "htm"].contains(name.extension?.lowercased()) else { return }
    throw ValidationError(
      "-o: pages are written by report (use --format json -o FILE.json, then zoombench report "
        + "FILE.json -o \(name))")
  }
}

/// How a result is written that has no other forms than these.
enum ResultFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
