internal import Synchronization
package import SystemPackage
internal import ZoomGeometry

/// Decodes the picture once and answers from the raster in memory, within a byte budget.
package struct ResidentPipeline: Pipeline {
  package let name = "resident"
  package let summary = "decode once, keep the raster in memory"
  private let budget: RasterBudget

  /// Makes the pipeline.
  /// - Parameter budget: the bytes that all its rasters may take together.
  package init(budget: RasterBudget = RasterBudget(limit: RasterBudget.standardLimit)) {
    self.budget = budget
  }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    let picture = try Picture(path)
    // Refuse before decoding, and again when the raster is made: others may have used the budget.
    _ = try budget.reserve(picture.rasterByteCount, for: path)
    return ResidentSource(picture: picture, budget: budget)
  }
}

final class ResidentSource: StoredSource {
  private struct Raster {
    let image: Image
    let reservation: RasterBudget.Reservation
  }

  let picture: Picture
  private let layout: CodedLayout
  private let budget: RasterBudget
  private let kept = Mutex<Raster?>(nil)
  let openingWork = Work.none

  init(picture: Picture, budget: RasterBudget) {
    self.picture = picture
    self.budget = budget
    layout = CodedLayout(of: picture)
  }

  var state: SourceState { kept.withLock { $0 == nil ? .nothing : .raster } }

  var explanation: String {
    "its raster of \(picture.rasterByteCount.megabytes) fits the budget of \(budget.limit.megabytes)"
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    // The lock is held while decoding: a second thread must wait for the raster, not make another.
    let (image, isFirst) = try kept.withLock { raster throws(PipelineError) in
      if let raster { return (raster.image, false) }
      let reservation = try budget.reserve(picture.rasterByteCount, for: picture.path)
      let image = try Image.open(picture.path, access: .sequential)
        .decodedIntoMemory(picture.path)
      raster = Raster(image: image, reservation: reservation)
      return (image, true)
    }
    return RegionAnswer(
      pixels: try image.read(stored, of: picture.path),
      work: isFirst
        ? layout.wholeWork(of: picture, delivering: stored.area)
        : .fromMemory(delivering: stored.area))
  }

  func forget() { kept.withLock { $0 = nil } }
}
