internal import ArgumentParser
internal import ForeignPipelines
internal import ZoomPipeline

/// Opens pictures by the name of a source, as several subcommands do.
struct PictureOpener {
  private let pipelines: StandardPipelines
  private let foreign: [ForeignPipeline]

  init(_ pipelines: StandardPipelines, _ foreign: [ForeignPipeline] = []) {
    (self.pipelines, self.foreign) = (pipelines, foreign)
  }

  /// Has a picture read by the source asked for, or by the one that is best for it; by another program if one was named
  /// and no source.
  func open(
    _ picture: Picture, by source: String
  ) throws -> (name: String, source: any RegionSource) {
    let named = foreign.first { $0.name == source }
    if let program = named ?? (source == "automatic" ? foreign.first : nil) {
      return (program.name, try program.open(picture.path))
    }
    if source == "automatic" {
      let choice = try pipelines.automatic.choose(picture)
      return (choice.name, choice.source)
    }
    guard let pipeline = pipelines.reader(named: source) else {
      throw ValidationError(
        "there is no source named \(source) (use \((pipelines.names + foreign.map(\.name)).joined(separator: ", ")))"
      )
    }
    return (pipeline.name, try pipeline.open(picture))
  }
}
