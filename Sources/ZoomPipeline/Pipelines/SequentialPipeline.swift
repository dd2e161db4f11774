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

final class SequentialSource: StoredSource {
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

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    guard Self.readsInOrder.contains(picture.loader) else {
      let image = try Image.open(picture.path, access: .sequential)
      return RegionAnswer(
        pixels: try image.read(stored, of: picture.path),
        work: layout.workFromTheTop(of: picture, to: stored, bytesRead: nil))
    }
    let (pixels, bytesRead) = try readingInOrder { descriptor throws(PipelineError) in
      try Image.open(descriptor, named: picture.path, access: .sequential)
        .read(stored, of: picture.path)
    }
    return RegionAnswer(
      pixels: pixels, work: layout.workFromTheTop(of: picture, to: stored, bytesRead: bytesRead))
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard case .jpeg(let jpeg) = layout, jpeg.size == picture.storedSize else { return nil }
    let part = stored.reduced(by: reduction.rawValue)
    let (pixels, bytesRead) = try readingInOrder { descriptor throws(PipelineError) in
      try Image.open(descriptor, named: picture.path, jpeg: jpeg, reduction: reduction)?
        .read(part, of: picture.path)
    }
    guard let pixels else { return nil }
    return RegionAnswer(
      pixels: pixels,
      work: layout.workFromTheTop(
        of: picture, to: part, reduction: reduction, bytesRead: bytesRead),
      resampling: .decoder)
  }

  func forget() {}

  /// Lends the open file to a decoder that goes through it once, and tells how far it came.
  private func readingInOrder<Result>(
    _ decode: (FileDescriptor) throws(PipelineError) -> Result
  ) throws(PipelineError) -> (result: Result, bytesRead: Int?) {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(picture.path, .readOnly, options: .closeOnExec)
    } catch {
      throw PipelineError(underlying: error, operation: "open", file: picture.path)
    }
    // Reading only: closing has nothing left to report.
    defer { try? descriptor.close() }
    let result = try decode(descriptor)
    let position = try? descriptor.seek(offset: 0, from: .current)
    return (result, position.map { Int($0) })
  }

  /// Loaders that read their file once from front to back, so that the offset tells what was read.
  private static let readsInOrder: Set<String> = ["jpegload", "pngload"]
}
