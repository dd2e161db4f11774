internal import ArgumentParser
internal import ZoomCorpus

/// `zoombench corpus check`.
struct CorpusCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Compare made pictures with the manifest, pixel by pixel.")

  @Argument(help: "Names of pictures; all that are made without any.")
  var names: [String] = []

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  func run() throws {
    let folder = CorpusFolder(location.path, limits: limits.limits)
    let manifest = try CorpusManifest.builtIn()
    var pictures = try manifest.pictures(asked: names)
    if names.isEmpty {
      pictures = manifest.pictures.filter { folder.isMade($0) }
      guard !pictures.isEmpty else {
        throw Failure(
          .noInput, "\(location.path): no corpus picture is made (run zoombench corpus make)")
      }
    }
    var findings = 0
    for picture in pictures {
      let found = try folder.check(picture)
      findings += found.count
      let verdict = found.isEmpty ? "right" : found.joined(separator: "; ")
      try Output.write("\(picture.name): \(verdict)\n", to: nil)
    }
    if findings > 0 { throw Failure(.finding, "\(findings) findings in \(location.path)") }
  }
}
