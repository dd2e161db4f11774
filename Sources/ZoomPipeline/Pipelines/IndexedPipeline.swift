internal import ZoomGeometry

/// Enters a JPEG at any place through a seek index and decodes only what the region needs.
///
/// A peek costs what it shows, wherever it lies and however large the picture is. The index grows as
/// far as peeks need it: the first peek scans everything above its region for restart markers or, without
/// any, follows its Huffman codes; later ones do not. The picture's file stays as it is, and what
/// libvips or libjpeg decodes is a standard JPEG.
///
/// A JPEG that cannot be entered, such as a progressive one, is read from the sequential form that was
/// stored with its index, if there is one.
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
    /// What had been read of the file before the picture was entered.
    let bytesBefore: Int
    /// Whether there was any place to look into.
    let wasLookedFor: Bool
  }

  /// Opens a picture; without a stored index peeks build it.
  /// - Throws: `unsupported` when it can neither be entered nor has a sequential form with its index.
  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    let entry = try entry(to: picture, try OpenedJPEG(picture, for: "index"))
    guard case .success = entry.found else { return try IndexedSource(entry) }
    do throws(PipelineError) {
      return try IndexedSource(entry)
    } catch {
      // What was stored leads nowhere: the picture itself is there still.
      guard error.isRefusal else { throw error }
      return try IndexedSource(
        Entry(
          picture: entry.picture, opened: entry.opened,
          found: .failure(.damaged(error.reason)), bytesBefore: entry.bytesBefore,
          wasLookedFor: true))
    }
  }

  /// Finds the first index that is the picture's own, or why the first that is there is not.
  private func entry(
    to picture: Picture, _ opened: OpenedJPEG
  ) throws(PipelineError) -> Entry {
    let bytesBefore = opened.file.bytesRead
    var refusal = SidecarRefusal.absent
    for store in stores {
      switch try store.load(for: opened.file, opened.jpeg) {
      case .success(let sidecar):
        return Entry(
          picture: picture, opened: opened, found: .success(sidecar), bytesBefore: bytesBefore,
          wasLookedFor: true)
      case .failure(let other): if refusal == .absent { refusal = other }
      }
    }
    return Entry(
      picture: picture, opened: opened, found: .failure(refusal), bytesBefore: bytesBefore,
      wasLookedFor: !stores.isEmpty)
  }
}
