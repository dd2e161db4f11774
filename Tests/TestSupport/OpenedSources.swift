package import SystemPackage
package import ZoomPipeline

extension StandardPipelines {
  /// The names of the pipelines that read every picture.
  private static let general: Set = ["naive", "random", "tiled", "resident", "automatic"]

  /// Opens a picture by every pipeline that serves it.
  ///
  /// A test that tries whatever opens must not pass because nothing opens. So only a refusal is passed over, and
  /// not of a pipeline that reads every picture: the result is never empty.
  /// - Parameters:
  ///   - path: The picture.
  ///   - name: The name of a pipeline to leave out.
  /// - Returns: The pipelines and their sources.
  /// - Throws: `PipelineError` if a pipeline fails, or refuses a picture that it should serve.
  package func opened(
    _ path: FilePath, besides name: String? = nil
  ) throws -> [(pipeline: any PicturePipeline, source: any RegionSource)] {
    try pictureReaders.filter { $0.name != name }.compactMap { pipeline in
      do throws(PipelineError) {
        return (pipeline, try pipeline.open(path))
      } catch {
        guard error.code == .unsupported, !Self.general.contains(pipeline.name) else { throw error }
        return nil
      }
    }
  }
}
