/// A source whose index grows with each peek until it is complete.
package protocol IndexCompletingSource: RegionSource {
  /// Builds the whole index, so that peeks need not build parts of it.
  /// - Throws: `PipelineError` with code `unsupported` when the coded data is irregular.
  func completeIndex() throws(PipelineError)
}

/// Decodes only the MCUs of a JPEG, or the rows of a PNG or a one-strip TIFF, that a region needs.
///
/// A seek index gives the entry points, so the cost of a peek into a JPEG depends on the region's
/// size, not on its position or the size of the picture. Peeks build the index: the first scans
/// everything above its region for restart markers or, in a file without them, decodes the Huffman
/// codes. libvips or libjpeg decodes a standard JPEG. A JPEG without entry points, such as a
/// progressive one, is read from the sequential form stored with its index.
package struct IndexedPipeline: PicturePipeline {
  package let name = "indexed"
  package let summary = "decode only the MCUs or rows of the region, found by a seek index"

  package let limits: PictureLimits
  private let stores: [SidecarStore]

  /// Creates a pipeline that looks for indexes in the stores, in order, and writes none.
  package init(stores: [SidecarStore] = [], limits: PictureLimits = .standard) {
    self.stores = stores
    self.limits = limits
  }

  /// Opens a picture; without a stored index peeks build it.
  /// - Throws: `unsupported` when it lacks entry points and its index lacks a sequential form.
  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    guard let format = RegionFormat.find(picture.loader, isIndexed: true) else {
      throw .refusal("index", picture.path, "its format lacks an index")
    }
    return try format.open(picture, stores)
  }
}
