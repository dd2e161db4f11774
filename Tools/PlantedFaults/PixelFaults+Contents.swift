import PixelLaws
import ZoomLaws
import ZoomGeometry
import ZoomPipeline

extension PixelFaults {
  /// Faults with wrong pixels at the right place.
  static let contents = [
    fault(
      "half-pixel", "Everything is half a pixel too far left.",
      .altering { pixels, _ in pixels.averaging(dx: 1, dy: 0) }),
    fault(
      "bands-swapped", "The first and the third band are swapped.",
      .altering { pixels, _ in
        guard pixels.bands >= 3 else { return pixels }
        let all = pixels.samples
        return pixels.mappingSamples { _, x, y, band, _ in
          all[pixels.place(x, y, band == 0 ? 2 : band == 2 ? 0 : band)]
        }
      }),
    fault(
      "low-bit-cleared", "The lowest bit of every sample is cleared.",
      .sampling { sample, _, _, _, _ in sample & ~1 }),
    fault(
      "low-byte-dropped", "Samples of 16 bits lose their lower half.",
      .sampling { sample, _, _, _, most in most > 255 ? sample & 0xFF00 : sample }),
    fault(
      "padded-rows", "Rows are read as if they were a multiple of 4 bytes long.",
      .altering { pixels, _ in
        let row = pixels.rowByteCount
        let padded = (row + 3) / 4 * 4
        guard padded != row else { return pixels }
        var bytes: [UInt8] = []
        for y in 0..<pixels.size.height {
          for x in 0..<row {
            let place = y * padded + x
            bytes.append(place < pixels.bytes.count ? pixels.bytes[place] : 0)
          }
        }
        return pixels.with(pixels.size, bytes)
      }),
    fault(
      "blurred", "Every pixel is the mean of itself and its neighbours right and left.",
      .altering { pixels, _ in
        let (left, right) = (
          pixels.averaging(dx: -1, dy: 0).samples, pixels.averaging(dx: 1, dy: 0).samples
        )
        return pixels.mappingSamples { _, x, y, band, _ in
          (left[pixels.place(x, y, band)] + right[pixels.place(x, y, band)]) / 2
        }
      }),
    fault(
      "sharpened", "Differences of neighbours are enlarged by a quarter.",
      .altering { pixels, _ in
        let right = pixels.fetching { x, y in (x + 1, y) }.samples
        return pixels.mappingSamples { sample, x, y, band, _ in
          sample + (sample - right[pixels.place(x, y, band)]) / 4
        }
      }),
    fault(
      "gamma", "Middle levels are raised; black and white stay.",
      .sampling { sample, _, _, _, most in sample + sample * (most - sample) / (2 * most) }),
    fault(
      "brighter-by-one", "Every sample is a step too high, as by rounding up.",
      .sampling { sample, _, _, _, _ in sample + 1 }),
    fault(
      "one-pixel", "One pixel of a region of 400 or more is wrong by one.",
      .altering { pixels, _ in
        guard pixels.size.area >= 400 else { return pixels }
        let place = pixels.size.area * 2 / 3
        return pixels.mappingSamples { sample, x, y, band, _ in
          y * pixels.size.width + x == place && band == 0 ? sample ^ 1 : sample
        }
      }),
    fault(
      "white-clipped", "White becomes the level below.",
      .sampling { sample, _, _, _, most in min(sample, most - 1) }),
    fault(
      "premultiplied", "The fourth band is multiplied into the others.",
      .altering { pixels, _ in
        guard pixels.bands == 4 else { return pixels }
        let all = pixels.samples
        return pixels.mappingSamples { sample, x, y, band, most in
          band == 3 ? sample : sample * all[pixels.place(x, y, 3)] / most
        }
      }),
    fault(
      "nearest", "Reduced answers are every n-th pixel, without averaging.",
      .answering { answer, reading throws(PipelineError) in
        let request = reading.request
        guard request.reduction != .none else { return answer }
        let full = try reading.source.read(RegionRequest(request.region)).pixels
        let side = request.reduction.rawValue
        let size = PixelRegion(whole: request.region.size).reduced(by: side).size
        let picked = full.rearranged(size) { x, y in (x * side, y * side) }
        return answer.with(picked.turned(by: request.turn))
      }),
    fault(
      "mean-rounded-down", "Means of blocks are rounded down.",
      .answering { answer, reading throws(PipelineError) in
        let request = reading.request
        guard answer.resampling == .blockMean else { return answer }
        let full = try reading.source.read(RegionRequest(request.region)).pixels
        let side = request.reduction.rawValue
        // The exact mean rounded down; sources round it to nearest.
        let all = full.samples
        let size = PixelRegion(whole: full.size).reduced(by: side).size
        let floors = full.rearranged(size) { x, y in (x * side, y * side) }
          .mappingSamples { _, x, y, band, _ in
            var (sum, count) = (0, 0)
            for row in y * side..<min(y * side + side, full.size.height) {
              for column in x * side..<min(x * side + side, full.size.width) {
                sum += all[full.place(column, row, band)]
                count += 1
              }
            }
            return sum / count
          }
        return answer.with(floors.turned(by: request.turn))
      }),
  ]
}
