internal import ArgumentParser
internal import SystemPackage
internal import ZoomPipeline

/// Opens pictures by the name of a source, as several subcommands do.
struct PictureOpener {
  private let pipelines: StandardPipelines

  init(_ pipelines: StandardPipelines) { self.pipelines = pipelines }

  /// Opens a picture by the source asked for, or by the one that is best for it.
  func open(
    _ path: FilePath, by source: String
  ) throws -> (name: String, source: any RegionSource) {
    if source == "automatic" {
      let choice = try pipelines.automatic.choose(path)
      return (choice.name, choice.source)
    }
    guard let pipeline = pipelines.named(source) else {
      throw ValidationError(
        "there is no source named \(source) (use \(pipelines.names.joined(separator: ", ")))")
    }
    return (pipeline.name, try pipeline.open(path))
  }
}
