internal import ArgumentParser
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// `zoombench explain`: which source reads a picture best, and why.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say how a picture is coded, which sources can read it and which is best.")

  @Argument(help: "The picture.")
  var file: String

  func run() throws {
    let path = FilePath(file)
    let picture = try Picture(path)
    let choice = try AutomaticPipeline().choose(path)
    let pipelines = StandardPipelines()
    var table = TextTable(columns: [.left("source"), .left("can it"), .left("why")])
    for pipeline in pipelines.all where pipeline.name != "automatic" {
      let mark = pipeline.name == choice.name ? "* " : "  "
      do {
        table.append([mark + pipeline.name, "yes", try pipeline.assess(path)])
      } catch {
        guard error.isRefusal else { throw error }
        table.append([mark + pipeline.name, "no", error.reason])
      }
    }
    try Output.write(
      """
      \(file): \(Self.facts(of: picture).joined(separator: ", "))
      automatic picks \(choice.name): \(choice.reason)

      \(table.rendered())
      """, to: nil)
  }

  /// What the headers say, in the order in which an engineer asks for it.
  static func facts(of picture: Picture) -> [String] {
    var facts = ["\(picture.size)"]
    if let jpeg = try? JPEGStructure(of: picture.path) {
      facts.append("JPEG \(jpeg.process.rawValue) \(jpeg.samplingName)")
      facts.append(
        jpeg.restartInterval == 0
          ? "no restart markers"
          : "a restart marker every \(jpeg.restartInterval) MCUs (a row has \(jpeg.mcusPerRow))")
    } else {
      facts.append(
        picture.loader + (picture.isInterlaced ? " interlaced" : "")
          + (picture.reach == .regions ? " readable in parts" : ""))
    }
    facts.append("\(picture.bands) x \(picture.format.rawValue) \(picture.interpretation.rawValue)")
    if picture.orientation != .up {
      facts.append("EXIF orientation \(picture.orientation.rawValue)")
    }
    if picture.profileLength > 0 { facts.append("ICC profile of \(picture.profileLength) bytes") }
    facts.append(Format.bytes(Double(picture.identity.length)))
    return facts
  }
}
