/// Has libvips decode a small file of a region's coded parts, found by the file's tables.
package struct CarvedPipeline: PicturePipeline {
  package let name = "carved"
  package let summary = "decode only the strips or tiles of the region, found by the file's tables"
  package let limits: PictureLimits

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  /// Opens a picture; throws `unsupported` if its kind of file cannot be carved.
  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    guard let format = RegionFormat.find(picture.loader, isIndexed: false) else {
      throw .refusal(
        name, picture.path, "its file lacks a table of parts that can be read alone")
    }
    return try format.open(picture, [])
  }
}
