internal import ArgumentParser
package import SystemPackage

package struct OutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "A file for the result instead of stdout.")
  var output: String?

  package init() {}

  /// The file; nil for stdout.
  package var path: FilePath? { output.map { FilePath($0) } }

  package func validate() throws { try Self.check(output, of: "-o") }

  /// Refuses an empty name, which results from an unset shell variable.
  package static func check(
    _ name: String?, of option: String, needs: String = "a file's name"
  ) throws {
    if name?.isEmpty == true { throw ValidationError("\(option) needs \(needs)") }
  }
}

extension OutputOptions {
  /// Refuses an HTML file, because only `report` writes pages.
  func refusePage() throws {
    guard let name = path, ["html", "htm"].contains(name.extension?.lowercased()) else { return }
    throw ValidationError(
      "-o: pages are written by report (use --format json -o FILE.json, then zoombench report "
        + "FILE.json -o \(name))")
  }
}

/// The formats of results that exist only as a table or JSON.
package enum ResultFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
