internal import ZoomGeometry
internal import ZoomPipeline

/// A picture of any size, painted on demand: a grid that makes its pixels distinguishable.
///
/// Counterexamples have pictures that do not exist as files; this source makes them visible.
final class PaintedSource: RegionSource {
  let size: PixelSize
  let state = SourceState.nothing
  let openingWork = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
  let explanation = "it is painted where it is looked at"

  init(_ size: PixelSize) { self.size = size }

  func forget() {}

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try request.check(pictureSize: size, file: nil)
    let step = request.reduction.rawValue
    let (region, reduced) = (
      request.region, PixelRegion(whole: request.region.size).reduced(by: step)
    )
    // 64 megapixels: a picture of any shape on the largest screens needs less.
    guard reduced.size.area <= 1 << 26 else {
      throw PipelineError(
        .overBudget, operation: "paint", file: nil,
        reason: "\(reduced.size) pixels are more than are painted at once")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(reduced.size.area * 3)
    for row in 0..<reduced.height {
      for column in 0..<reduced.width {
        paint(region.x + column * step, region.y + row * step, into: &bytes)
      }
    }
    let pixels = Pixels(rgb: reduced.size, bytes).turned(by: request.turn)
    return RegionAnswer(
      pixels: pixels,
      work: Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: pixels.size.area),
      resampling: request.reduction == .none ? .none : .stored)
  }

  /// Appends a pixel: red grows to the right, green downwards, on a checkerboard 16 squares long.
  private func paint(_ x: Int, _ y: Int, into bytes: inout [UInt8]) {
    let side = max(1, (max(size.width, size.height) + 15) / 16)
    let isLight = (x / side + y / side).isMultiple(of: 2)
    let light = isLight ? 96 : 16
    bytes.append(UInt8(light + 159 * x / size.width))
    bytes.append(UInt8(light + 159 * y / size.height))
    bytes.append(UInt8(light + 64))
  }
}
