internal import ZoomGeometry

/// A picture whose regions are carved out of its file.
final class CarvedSource: StoredSource {
  let picture: Picture
  private let carver: any Carver
  let openingWork: Work
  /// What reads the picture where it cannot be carved after all.
  private let fallback: SequentialSource

  /// Takes a picture and what carves it; `bytesBefore` had been read of the file before that was made.
  init(_ picture: Picture, _ carver: any Carver, bytesBefore: Int) {
    self.picture = picture
    self.carver = carver
    fallback = SequentialSource(picture: picture)
    openingWork =
      picture.openingWork + Work(opening: picture.file.bytesRead - bytesBefore)
  }

  var state: SourceState { carver.state }

  var explanation: String { carver.explanation }

  func forget() { carver.forget() }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    if let answer = try carved(stored) { return answer }
    return try fallback.readStored(stored)
  }

  /// Sees that the file is still the one whose places are known, to the last change.
  func assertUnchanged() throws(PipelineError) {
    do throws(PipelineError) {
      try picture.file.assertUntouched()
    } catch {
      carver.forget()
      throw error
    }
  }

  /// Reads a region band by band; nil where a band cannot be carved or decoded.
  private func carved(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer? {
    let bands = carver.bands(of: stored)
    var bytes: [UInt8] = []
    var work = Work.none
    for band in bands {
      guard let file = try carver.carve(band), let pixels = decoded(file) else { return nil }
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

  /// The region's pixels of a carved file; nil where libvips cannot decode it, or decodes another kind of
  /// picture: then the whole file has the last word.
  private func decoded(_ file: CarvedFile) -> Pixels? {
    guard let image = try? Image.open(carved: file.bytes, from: picture),
      let pixels = try? image.read(file.region, of: picture.path),
      pixels.bands == picture.bands, pixels.format == picture.format,
      pixels.interpretation == picture.interpretation
    else { return nil }
    return pixels
  }
}
