package import SystemPackage
package import ZoomPipeline

extension StandardPipelines {
  /// The names of the pipelines that read every picture.
  private static let general: Set = [
    "naive", "random", "sequential", "tiled", "resident", "automatic",
  ]

  /// Returns the pipelines that must serve a corpus picture, by its suffix.
  package static func serving(_ path: FilePath) -> Set<String> {
    switch path.extension {
    case "jpg", "png", "webp": general.union(["partial"])
    default: general
    }
  }

  /// Opens a picture with every pipeline that serves it.
  ///
  /// A test that tries every opened source must not pass because none opened. So only refusals are
  /// skipped, except those of the pipelines named in `required`: the result is never empty.
  /// - Throws: `PipelineError` if a pipeline fails, or refuses a picture that it must serve.
  package func opened(
    _ path: FilePath, requiring required: Set<String> = general
  ) throws -> [(pipeline: any PicturePipeline, source: any RegionSource)] {
    try pictureReaders.compactMap { pipeline in
      do throws(PipelineError) {
        return (pipeline, try pipeline.open(path))
      } catch {
        guard error.code == .unsupported, !required.contains(pipeline.name) else { throw error }
        return nil
      }
    }
  }
}
