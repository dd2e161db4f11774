internal import ArgumentParser
internal import ZoomCorpus

/// `zoombench corpus list`.
struct CorpusListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the corpus: what each picture is and whether it is made.")

  @OptionGroup var location: CorpusLocation

  func run() throws {
    let folder = CorpusFolder(location.path)
    var table = TextTable(
      columns: [.left("name"), .right("size"), .left("made"), .left("purpose")])
    for picture in try CorpusManifest.builtIn().pictures {
      let made = folder.isMade(picture) ? "yes" : picture.isOnDemand ? "on demand" : "no"
      table.append([
        picture.name, "\(picture.structure.width)x\(picture.structure.height)", made,
        picture.purpose,
      ])
    }
    try Output.write("\(location.path)\n\n\(table.rendered())", to: nil)
  }
}
