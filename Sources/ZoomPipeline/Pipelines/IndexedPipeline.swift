internal import ZoomGeometry

/// A source whose index peeks make grow, unless it is made complete before.
package protocol IndexCompletingSource: RegionSource {
  /// Makes the whole index, as what earlier peeks find makes later ones cheaper.
  /// - Throws: `PipelineError` of code `unsupported` when the coded data breaks the rules.
  func completeIndex() throws(PipelineError)
}

/// Enters a picture through a seek index and decodes only what the region needs: of a JPEG its MCUs, of a PNG, or
/// a TIFF in one strip, its rows.
///
/// A peek into a JPEG costs what it shows, wherever it lies and however large the picture is. The index grows as
/// far as peeks need it: the first peek scans everything above its region for restart markers or, without
/// any, follows its Huffman codes; later ones do not. The picture's file stays as it is, and what
/// libvips or libjpeg decodes is a standard JPEG.
///
/// A JPEG that cannot be entered, such as a progressive one, is read from the sequential form that was
/// stored with its index, if there is one.
package struct IndexedPipeline: PicturePipeline {
  package let name = "indexed"
  package let summary = "decode only the MCUs or rows of the region, found by a seek index"

  package let limits: PictureLimits
  private let stores: [SidecarStore]

  /// Makes the pipeline, which looks for indexes into the stores, into the first of them first.
  ///
  /// They are those that `zoombench index` has written. Nothing is written here.
  package init(stores: [SidecarStore] = [], limits: PictureLimits = .standard) {
    self.stores = stores
    self.limits = limits
  }

  /// Opens a picture; without a stored index peeks build it.
  /// - Throws: `unsupported` when it can neither be entered nor has a sequential form with its index.
  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    let bytesBefore = picture.file.bytesRead
    if picture.loader == "pngload" {
      let png = try PNGHeaders(picture.file)
      let found = try first { store throws(PipelineError) in try store.load(for: picture.file, png)
      }
      return CarvedSource(picture, try PNGCarver(picture, png, found), bytesBefore: bytesBefore)
    }
    if let tiff = picture.tiff {
      return CarvedSource(picture, try OneStripCarver(picture, tiff), bytesBefore: bytesBefore)
    }
    let found = try index(of: picture)
    do throws(PipelineError) {
      return try IndexedSource(picture, found, bytesBefore: bytesBefore)
    } catch {
      // What was stored leads nowhere: the picture itself is there still.
      guard case .success = found, error.isRefusal else { throw error }
      return try IndexedSource(
        picture, .failure(.damaged(error.reason)), bytesBefore: bytesBefore)
    }
  }

  /// The first index that is the picture's own, or why the first that is there is not; nil where there is
  /// no place to look into.
  private func index(
    of picture: Picture
  ) throws(PipelineError) -> Result<Sidecar, SidecarRefusal>? {
    let jpeg = try picture.jpegHeaders(for: "index", otherwise: "its format has no index")
      .structure
    return try first { store throws(PipelineError) in try store.load(for: picture.file, jpeg) }
  }

  private func first<Found>(
    _ load: (SidecarStore) throws(PipelineError) -> Result<Found, SidecarRefusal>
  ) throws(PipelineError) -> Result<Found, SidecarRefusal>? {
    var refusal: SidecarRefusal?
    for store in stores {
      switch try load(store) {
      case .success(let found): return .success(found)
      case .failure(let other): if (refusal ?? .absent) == .absent { refusal = other }
      }
    }
    return refusal.map { .failure($0) }
  }
}
