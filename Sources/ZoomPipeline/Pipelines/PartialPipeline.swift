/// A source whose index grows with each peek until it is complete.
package protocol IndexCompletingSource: RegionSource {
  /// Builds the whole index, so that peeks need not build parts of it.
  /// - Throws: `PipelineError` with code `unsupported` when the coded data is irregular.
  func completeIndex() throws(PipelineError)
}

/// Decodes only the coded parts of a picture that a region needs, as `RegionFormat` lists them.
///
/// A table in the file gives the places of strips and tiles; a seek index gives entry points into
/// MCUs and rows. So the cost of a peek depends on the region's size, not on its position or the
/// size of the picture. Without a stored index, peeks build one: the first scans everything above
/// its region for restart markers or, in a file without them, decodes the codes. A JPEG without
/// entry points, such as a progressive one, is read from the sequential form stored with its index.
package struct PartialPipeline: PicturePipeline {
  package let name = "partial"
  package let summary = "decode only the coded parts that the region needs"

  package let limits: PictureLimits
  private let stores: [SidecarStore]

  /// Creates a pipeline that looks for indexes in the stores, in order, and writes none.
  package init(stores: [SidecarStore] = [], limits: PictureLimits = .standard) {
    self.stores = stores
    self.limits = limits
  }

  /// Opens a picture; throws `unsupported` if its parts cannot be read alone.
  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try openParts(of: picture)
  }

  func openParts(of picture: Picture) throws(PipelineError) -> any PartialSource {
    guard let format = RegionFormat.all.first(where: { $0.loader == picture.loader }) else {
      throw .refusal(
        name, picture.path, "its format has neither a table of parts nor places to enter")
    }
    return try format.open(picture, stores)
  }
}
