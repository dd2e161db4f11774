internal import ArgumentParser
internal import ZoomPipeline

/// Opens pictures by the name of a source, as several subcommands do.
struct PictureOpener {
  private let pipelines: StandardPipelines

  init(_ pipelines: StandardPipelines) { self.pipelines = pipelines }

  /// Has a picture read by the source asked for, or by the one that is best for it.
  func open(
    _ picture: Picture, by source: String
  ) throws -> (name: String, source: any RegionSource) {
    if source == "automatic" {
      let choice = try pipelines.automatic.choose(picture)
      return (choice.name, choice.source)
    }
    guard let pipeline = pipelines.reader(named: source) else {
      throw ValidationError(
        "there is no source named \(source) (use \(pipelines.names.joined(separator: ", ")))")
    }
    return (pipeline.name, try pipeline.open(picture))
  }
}
