package import SystemPackage
internal import ZoomGeometry

/// libvips' sequential access: decodes from the top and stops below the region.
///
/// Bounded memory, and a cost that grows with the region's distance from the top. Each request is a
/// pass of its own, as libvips cannot go back up.
package struct SequentialPipeline: Pipeline {
  package let name = "sequential"
  package let summary = "libvips sequential access, from the top to the region's foot"

  /// Makes the pipeline.
  package init() {}

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    SequentialSource(picture: try Picture(path))
  }
}

final class SequentialSource: RegionSource {
  let picture: Picture
  private let layout: CodedLayout
  let state = SourceState.nothing
  let openingWork = Work.none

  init(picture: Picture) {
    self.picture = picture
    layout = CodedLayout(of: picture)
  }

  var explanation: String {
    switch (picture.reach, picture.isInterlaced) {
    case (.regions, _): "works, but the format could be read in parts"
    case (_, true): "its passes cover the whole picture, so each peek decodes all of it"
    case (_, false): "decodes from the top to the region's foot, in little memory"
    }
  }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let stored = try picture.storedRegion(for: request.region)
    try picture.assertUnchanged()
    let (pixels, bytesRead) = try decode(stored)
    return RegionAnswer(
      pixels: try pixels.upright(from: picture.orientation),
      work: layout.workFromTheTop(of: picture, to: stored, bytesRead: bytesRead))
  }

  var size: PixelSize { picture.size }

  func forget() {}

  private func decode(
    _ stored: PixelRegion
  ) throws(PipelineError) -> (pixels: Pixels, bytesRead: Int?) {
    guard Self.readsInOrder.contains(picture.loader) else {
      let image = try Image.open(picture.path, access: .sequential)
      return (try image.read(stored, of: picture.path), nil)
    }
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(picture.path, .readOnly, options: .closeOnExec)
    } catch {
      throw PipelineError(underlying: error, operation: "open", file: picture.path)
    }
    // Reading only: closing has nothing left to report.
    defer { try? descriptor.close() }
    let image = try Image.open(descriptor, named: picture.path, access: .sequential)
    let pixels = try image.read(stored, of: picture.path)
    let position = try? descriptor.seek(offset: 0, from: .current)
    return (pixels, position.map { Int($0) })
  }

  /// Loaders that read their file once from front to back, so that the offset tells what was read.
  private static let readsInOrder: Set<String> = ["jpegload", "pngload"]
}
