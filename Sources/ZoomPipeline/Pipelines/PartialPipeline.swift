/// A source whose index grows with each peek until it is complete.
public protocol IndexCompletingSource: RegionSource {
  /// Builds the whole index, so that later peeks cost less.
  /// - Throws: `PipelineError` with code `unsupported` when the coded data is irregular.
  func completeIndex() throws(PipelineError)
}

/// Decodes only the coded parts of a picture that a region needs.
///
/// A table in the file gives the places of strips and tiles; a seek index gives entry points into
/// MCUs and rows. So the cost of a peek depends on the region's size alone; only a WebP is parsed
/// from the top. Without a stored index, peeks build one: the first scans everything above its
/// region for restart markers or, in a file without them, decodes the codes. A JPEG without entry
/// points, such as a progressive one, is read from the sequential form stored with its index.
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

  /// Opens a picture; an adaptive source decodes it whole as soon as parts have cost too much.
  func openParts(
    of picture: Picture, isAdaptive: Bool = false
  ) throws(PipelineError) -> any PartialSource {
    let (bytesBefore, fetchedBefore) = (picture.file.bytesRead, picture.file.fetched)
    func source(_ reader: some RegionReader) -> any PartialSource {
      PartSource(
        picture, reader, bytesBefore: bytesBefore, fetchedBefore: fetchedBefore,
        isAdaptive: isAdaptive)
    }
    return try source(reader(of: picture))
  }

  /// Returns the reader of a picture's format; to add a format, write its reader and a case here.
  private func reader(of picture: Picture) throws(PipelineError) -> any RegionReader {
    switch picture.loader {
    case Loader.jpeg.name: return try JPEGReader(picture, stores)
    case "pngload": return try PNGReader(picture, stores)
    case Loader.tiffName:
      let strips = try TIFFStrips(of: picture)
      if strips.areOneCodedStrip { return try TIFFOneStripReader(picture, strips) }
      return try TIFFStripReader(picture, strips)
    case "ppmload": return try PNMReader(picture)
    case "heifload": return try HEIFReader(picture)
    case "webpload": return try WebPReader(picture)
    default:
      throw .refusal(
        name, picture.path, "its format has neither a table of parts nor places to enter")
    }
  }
}
