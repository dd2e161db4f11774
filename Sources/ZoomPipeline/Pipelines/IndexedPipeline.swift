internal import ZoomGeometry

/// Enters a JPEG at any place through a seek index and decodes only what the region needs.
///
/// A peek costs what it shows, wherever it lies and however large the picture is. The index grows as
/// far as peeks ask for it: the first one passes over what lies above it, later ones do not. The
/// picture's file stays as it is, and what libvips or libjpeg decodes is a standard JPEG.
///
/// A JPEG that cannot be entered, such as a progressive one, is read where an index with its sequential
/// form is found, and out of that.
package struct IndexedPipeline: PicturePipeline {
  package let name = "indexed"
  package let summary = "decode only the MCUs of the region, found by a seek index"

  package let limits: PictureLimits
  private let stores: [SidecarStore]

  /// Makes the pipeline.
  /// - Parameters:
  ///   - stores: where to look for indexes that `zoombench index` has written, the first to be looked
  ///     into first. Nothing is ever written.
  ///   - limits: those of pictures that it opens.
  package init(stores: [SidecarStore] = [], limits: PictureLimits = .standard) {
    self.stores = stores
    self.limits = limits
  }

  /// What a picture is entered with: its open file, and its index or why there is none.
  struct Entry {
    let picture: Picture
    let opened: OpenedJPEG
    let found: Result<Sidecar, SidecarRefusal>
    /// Whether there was any place to look into.
    let wasLookedFor: Bool
  }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try open(try entry(to: picture, try OpenedJPEG(picture, for: "index")))
  }

  /// Opens a picture's file and looks for its index.
  /// - Parameter picture: a picture in any format.
  /// - Returns: nil for what is no JPEG, or has headers that can be read in two ways.
  /// - Throws: `PipelineError` when the picture cannot be read.
  func entry(to picture: Picture) throws(PipelineError) -> Entry? {
    guard picture.loader == "jpegload" else { return nil }
    do throws(PipelineError) {
      return try entry(to: picture, try OpenedJPEG(picture, for: "index"))
    } catch {
      guard error.isRefusal else { throw error }
      return nil
    }
  }

  /// Finds the first index that is the picture's own, or why the first that is there is not.
  private func entry(
    to picture: Picture, _ opened: OpenedJPEG
  ) throws(PipelineError) -> Entry {
    var refusal = SidecarRefusal.absent
    for store in stores {
      switch try store.load(for: opened.file, opened.jpeg) {
      case .success(let sidecar):
        return Entry(picture: picture, opened: opened, found: .success(sidecar), wasLookedFor: true)
      case .failure(let other): if refusal == .absent { refusal = other }
      }
    }
    return Entry(
      picture: picture, opened: opened, found: .failure(refusal),
      wasLookedFor: !stores.isEmpty)
  }

  /// Opens a picture; without an index peeks lay it down.
  /// - Throws: `unsupported` when it can neither be entered nor has a sequential form with its index.
  func open(_ entry: Entry) throws(PipelineError) -> any RegionSource { try IndexedSource(entry) }

  /// Opens a picture if its index was made before.
  /// - Returns: nil where no index of the picture stands, or it leads nowhere.
  /// - Throws: `PipelineError` when the picture cannot be read.
  func openStored(_ entry: Entry) throws(PipelineError) -> (any RegionSource)? {
    guard case .success = entry.found else { return nil }
    do throws(PipelineError) {
      return try open(entry)
    } catch {
      guard error.isRefusal else { throw error }
      return nil
    }
  }
}
