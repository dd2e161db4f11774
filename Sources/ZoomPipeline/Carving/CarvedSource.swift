internal import ZoomGeometry

final class CarvedSource: StoredSource, IndexCompletingSource {
  let picture: Picture
  private let carver: any Carver
  let openingWork: Work
  private let fallback: SequentialSource

  /// Creates a source; `bytesBefore` counts the bytes read of the file before the carver was made.
  init(_ picture: Picture, _ carver: any Carver, bytesBefore: Int) {
    self.picture = picture
    self.carver = carver
    fallback = SequentialSource(picture: picture)
    openingWork =
      picture.openingWork + Work(opening: picture.file.bytesRead - bytesBefore)
  }

  var state: SourceState { carver.state }

  var explanation: String { carver.explanation }

  func cost(of stored: PixelRegion) -> PeekCost? { carver.cost(of: stored) }

  func completeIndex() throws(PipelineError) { try carver.completeIndex() }

  func forget() { carver.forget() }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    if let answer = try carved(stored) { return answer }
    return try fallback.readStored(stored)
  }

  /// Checks that the file is still the one whose offsets are known, by its time of change too.
  func assertUnchanged() throws(PipelineError) {
    do throws(PipelineError) {
      try picture.file.assertUntouched()
    } catch {
      carver.forget()
      throw error
    }
  }

  private func carved(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer? {
    try read(stored, from: carver.bands(of: stored)) { band throws(PipelineError) in
      try carver.carve(band)
    }
  }

  func files(for stored: PixelRegion) throws(PipelineError) -> [CarvedFile]? {
    var files: [CarvedFile] = []
    for band in carver.bands(of: stored) {
      guard let file = try carver.carve(band) else { return nil }
      files.append(file)
    }
    return files
  }

  /// Joins the bands of a region.
  ///
  /// Their files are made one at a time, so that only one is in memory. Returns nil if one cannot
  /// be made, or if libvips decodes it as another kind of picture.
  func read<Band>(
    _ stored: PixelRegion, from bands: [Band],
    _ file: (Band) throws(PipelineError) -> CarvedFile?
  ) throws(PipelineError) -> RegionAnswer? {
    var bytes: [UInt8] = []
    var work = Work.none
    for band in bands {
      guard let file = try file(band), let pixels = decoded(file) else { return nil }
      work = work + file.work
      if bands.count == 1 {
        bytes = pixels.bytes
      } else {
        if bytes.isEmpty {
          bytes.reserveCapacity(stored.area * picture.bands * picture.format.byteCount)
        }
        bytes += pixels.bytes
      }
    }
    work.pixelsDelivered = stored.area
    return RegionAnswer(
      pixels: Pixels(
        size: stored.size, bands: picture.bands, format: picture.format,
        interpretation: picture.interpretation, bytes: bytes),
      work: work)
  }

  /// Returns the region's pixels of a carved file; nil if libvips cannot decode it as the same kind
  /// of picture, so that the whole file must be decoded.
  private func decoded(_ file: CarvedFile) -> Pixels? {
    guard let image = try? Image.open(carved: file.bytes, from: picture),
      let pixels = try? image.read(file.region, of: picture.path),
      pixels.bands == picture.bands, pixels.format == picture.format,
      pixels.interpretation == picture.interpretation
    else { return nil }
    return pixels
  }
}
