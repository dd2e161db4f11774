internal import ArgumentParser
internal import Foundation
package import SystemPackage
internal import ZoomGeometry

/// A point in the form `X,Y`.
struct TouchArgument: ExpressibleByArgument {
  let point: ViewPoint

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
    point = ViewPoint(x: x, y: y)
  }
}

/// A viewport in points, and the peek's picture pixels per point, in the form `WxH@K`.
struct ViewportArgument: ExpressibleByArgument {
  let size: ViewSize
  let scale: Double

  init?(argument: String) {
    let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count) else { return nil }
    let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      let scale = parts.count == 2 ? Double(parts[1]) : 1
    else { return nil }
    size = ViewSize(width: width, height: height)
    self.scale = scale
  }
}

/// The folder of the corpus, the same for every subcommand.
package struct CorpusLocation: ParsableArguments {
  @Option(
    name: .customLong("corpus-folder"),
    help: ArgumentHelp(
      "The folder of corpus pictures. Also ZOOMBENCH_CORPUS.", valueName: "folder"))
  var folder: String?

  package init() {}

  package var path: FilePath {
    FilePath(
      folder ?? ProcessInfo.processInfo.environment["ZOOMBENCH_CORPUS"] ?? ".zoombench/corpus")
  }
}

/// A duration as people write it: `90`, `90s`, `3m`.
struct DurationArgument: CustomStringConvertible {
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  /// Parses a duration.
  /// - Throws: a usage error for text that is not a duration, or longer than a week.
  init(parsing argument: String) throws {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    let unit = argument.last.flatMap { units[$0] }
    let number = Double(unit == nil ? argument[...] : argument.dropLast())
    let seconds = (number ?? .nan) * (unit ?? 1)
    // Longer than a week is probably a mistake, and the nanoseconds of a week still fit.
    guard seconds > 0, seconds <= 604_800 else {
      throw ValidationError("it must be above 0 and at most a week, such as 90, 90s, 3m or 2h")
    }
    self.seconds = seconds
  }

  var description: String {
    seconds >= 60 && seconds.truncatingRemainder(dividingBy: 60) == 0
      ? "\(Format.number(seconds / 60))m" : "\(Format.number(seconds))s"
  }
}

package struct NameList: ExpressibleByArgument, CustomStringConvertible {
  package let names: [String]

  package init(names: [String]) { self.names = names }

  package init?(argument: String) {
    names = argument.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    if names.isEmpty || names.contains("") { return nil }
  }

  package var description: String { names.joined(separator: ",") }
}

extension ValidationError {
  /// Creates the error for an unknown source; for a former source, it names the successor.
  init(noSourceNamed name: String, among names: [String]) {
    switch name {
    case "restart", "indexed", "carved":
      self.init("the source \(name) is now a part of partial (use partial)")
    case "skip":
      self.init("the source skip is gone (use partial, or sequential to read from the top)")
    case "tiled":
      self.init(
        "the source tiled is gone (make a tiled copy, which random reads by tiles:"
          + " \(TiledCopy.command(for: "photo.jpg")))")
    default: self.init(no: "source", named: name, known: names)
    }
  }

  /// Creates the error for an unknown name, which lists the known ones.
  init(no kind: String, named name: String, known: some Sequence<String>) {
    self.init("there is no \(kind) named \(name) (use \(known.joined(separator: ", ")))")
  }
}

extension FilePath {
  /// Whether the path is a folder, or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Returns the path in a form that is valid in any working folder.
  package static func absolute(_ path: String) -> FilePath {
    FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path)).withoutDots
  }

  /// The same path without its "." components; the current folder is ".".
  ///
  /// ".." is kept: after a link, it is not the folder that contains the link, so removing both would name
  /// another file.
  var withoutDots: FilePath {
    let path = FilePath(root: root, components.filter { $0.kind != .currentDirectory })
    return path.isEmpty ? "." : path
  }
}
