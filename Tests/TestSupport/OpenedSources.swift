package import SystemPackage
package import ZoomPipeline

extension StandardPipelines {
  /// Opens a picture with every pipeline that serves it.
  ///
  /// A test that tries every opened source must not pass because none opened. So a pipeline may
  /// refuse a picture only if it is not in `required`, by default those that read every picture.
  package func opened(
    _ path: FilePath,
    requiring required: Set<String> = ["naive", "random", "sequential", "resident", "automatic"]
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
