internal import Synchronization
package import SystemPackage
internal import ZoomGeometry

/// libvips' random access: what an engineer gets who opens a picture and crops.
///
/// For formats coded from the top down libvips decodes the whole picture at the first read and keeps
/// the raster: in memory, or past 100 MB in a temporary file. Tiled formats are read tile by tile.
package struct RandomPipeline: Pipeline {
  package let name = "random"
  package let summary = "libvips random access"

  /// Makes the pipeline.
  package init() {}

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    RandomSource(picture: try Picture(path))
  }
}

final class RandomSource: StoredSource {
  let picture: Picture
  private let layout: CodedLayout
  private let kept = Mutex<Image?>(nil)
  let openingWork = Work.none

  init(picture: Picture) {
    self.picture = picture
    layout = CodedLayout(of: picture)
  }

  var state: SourceState {
    guard kept.withLock({ $0 != nil }) else { return .nothing }
    return picture.reach == .regions ? .openFile : .raster
  }

  var explanation: String {
    switch picture.reach {
    case .regions: "the format is stored in parts that libvips reads alone"
    case .fromTheTop: "libvips decodes the whole picture at the first peek and keeps it"
    }
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    let (image, isFirst) = try opened()
    do {
      let pixels = try image.read(stored, of: picture.path)
      return RegionAnswer(pixels: pixels, work: work(stored, isFirst: isFirst))
    } catch {
      // A failed decode must not be kept: libvips would hand out its unwritten rest later.
      forget()
      throw error
    }
  }

  func forget() { kept.withLock { $0 = nil } }

  private func opened() throws(PipelineError) -> (image: Image, isFirst: Bool) {
    if let image = kept.withLock({ $0 }) { return (image, false) }
    let image = try Image.open(picture.path, access: .random)
    // Two threads may both open; one of the two images is kept, both are right.
    kept.withLock { $0 = image }
    return (image, true)
  }

  private func work(_ stored: PixelRegion, isFirst: Bool) -> Work {
    if picture.reach == .regions {
      if case .tiles(let tiles) = layout { return tiles.work(for: stored) }
      return Work(bytesRead: nil, pixelsDecoded: stored.area, pixelsDelivered: stored.area)
    }
    return isFirst
      ? layout.wholeWork(of: picture, delivering: stored.area)
      : .fromMemory(delivering: stored.area)
  }
}
