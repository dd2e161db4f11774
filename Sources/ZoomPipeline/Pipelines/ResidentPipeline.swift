internal import Synchronization
internal import ZoomGeometry

/// Decodes the picture once and answers from the raster in memory, within a byte budget.
package struct ResidentPipeline: PicturePipeline {
  package let name = "resident"
  package let summary = "decode once, keep the raster in memory"
  package let limits: PictureLimits

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    let source = ResidentSource(picture: picture)
    // Check before decoding, and again when the raster is made: other sources may use the budget.
    _ = try source.reserve()
    return source
  }
}

final class ResidentSource: StoredSource {
  let picture: Picture
  private let kept = Mutex<(image: Image, reservation: MemoryBudget.Reservation)?>(nil)

  init(picture: Picture) { self.picture = picture }

  fileprivate func reserve() throws(PipelineError) -> MemoryBudget.Reservation {
    try picture.assertPassFits("resident", keepsRaster: true)
    return try picture.limits.memory.reserve(
      picture.rasterByteCount, operation: "resident", picture.path)
  }

  var state: SourceState { kept.withLock { $0 == nil ? .nothing : .raster } }

  var explanation: String {
    "its raster of \(picture.rasterByteCount.megabytes) fits the budget of"
      + " \(picture.limits.memory.limit.megabytes)"
  }

  func cost(of stored: PixelRegion) -> PeekCost? {
    PeekCost(first: picture.storedSize.area, later: 0)
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    // The lock is held while decoding, so that a second thread waits for the raster.
    let (image, decoded) = try kept.withLock { raster throws(PipelineError) in
      if let raster { return (raster.image, nil as Image?) }
      let reservation = try reserve()
      let file = try Image.open(picture, access: .sequential)
      let image = try file.decodedIntoMemory(picture.path)
      raster = (image, reservation)
      return (image, file)
    }
    var work = Work.fromMemory(delivering: stored.area)
    if let decoded {
      work.bytesRead = decoded.bytesRead
      work.pixelsDecoded = picture.storedSize.area
    }
    return RegionAnswer(pixels: try image.read(stored, of: picture.path), work: work)
  }

  func forget() { kept.withLock { $0 = nil } }
}
