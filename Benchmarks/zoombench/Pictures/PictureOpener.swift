internal import ArgumentParser
package import ForeignPipelines
package import ZoomPipeline

/// Opens pictures by the name of a source, for several subcommands.
package struct PictureOpener {
  private let pipelines: StandardPipelines
  private let foreign: [ForeignPipeline]
  private let colour: ColourTarget?

  /// Creates an opener; the built-in sources convert to a colour target, if there is one.
  package init(
    _ pipelines: StandardPipelines, _ foreign: [ForeignPipeline] = [], colour: ColourTarget? = nil
  ) {
    (self.pipelines, self.foreign, self.colour) = (pipelines, foreign, colour)
  }

  /// Opens a picture with a named source; `automatic` chooses the best of the built-in ones.
  package func open(
    _ picture: Picture, by source: String
  ) throws -> (name: String, source: any RegionSource) {
    if let program = foreign.first(where: { $0.name == source }) {
      return (program.name, try program.open(picture.path))
    }
    if source == "automatic" {
      let (name, source) = try pipelines.automatic.choose(picture)
      guard let colour else { return (name, source) }
      return (name, try ColourManagedSource(source, of: picture, to: colour))
    }
    guard let pipeline = pipelines.reader(named: source) else {
      throw ValidationError(
        noSourceNamed: source, among: pipelines.names + foreign.map(\.name))
    }
    return (pipeline.name, try pipeline.converting(to: colour).open(picture))
  }

  /// Opens a picture as `open(_:by:)` does, except that `automatic` prefers the first foreign program, if
  /// any.
  func openPreferringForeign(
    _ picture: Picture, by source: String
  ) throws -> (name: String, source: any RegionSource) {
    try open(picture, by: source == "automatic" ? foreign.first?.name ?? source : source)
  }
}
