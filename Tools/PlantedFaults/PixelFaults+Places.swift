import PixelLaws
import ZoomLaws
import ZoomGeometry
import ZoomPipeline

extension PixelFaults {
  /// Faults with right pixels of the wrong place.
  static let places = [
    moved("off-by-one-left", "Regions begin a column too far left.", -1, 0),
    moved("off-by-one-right", "Regions begin a column too far right.", 1, 0),
    moved("off-by-one-up", "Regions begin a row too high.", 0, -1),
    moved("off-by-one-down", "Regions begin a row too low.", 0, 1),
    fault(
      "swapped-axes", "Regions begin at column y, row x.",
      .moving { request, _ in (request.region.y, request.region.x) }),
    fault(
      "snapped-to-8", "Regions begin at a multiple of 8.",
      .moving { request, _ in (request.region.x / 8 * 8, request.region.y / 8 * 8) }),
    fault(
      "snapped-to-16", "Regions wider than a coding block begin at a multiple of 16.",
      .moving { request, _ in
        let (x, y) = (request.region.x, request.region.y)
        return (request.region.width > 16 ? x / 16 * 16 : x, y)
      }),
    fault(
      "clamped", "A region that exceeds the picture is moved into it and answered.",
      .onRefusal { reading throws(PipelineError) in
        let (size, region) = (reading.source.size, reading.request.region)
        let (width, height) = (min(region.width, size.width), min(region.height, size.height))
        return try reading.source.read(
          RegionRequest(
            .checked(
              min(max(region.x, 0), size.width - width),
              min(max(region.y, 0), size.height - height), width, height)))
      }),
    fault(
      "padded-overhang", "A region that exceeds the picture is answered with the part inside.",
      .onRefusal { reading throws(PipelineError) in
        let whole = PixelRegion(whole: reading.source.size)
        guard let inside = reading.request.region.intersection(whole) else {
          return try reading.soundly()
        }
        return try reading.source.read(RegionRequest(inside))
      }),
    fault(
      "parts-of-blocks", "A reduced region with partial blocks is answered.",
      .onRefusal { reading throws(PipelineError) in
        try reading.source.read(RegionRequest(reading.request.region))
      }),
    fault(
      "beyond-unnoticed", "A region wholly beside the picture gives its first pixel.",
      .onRefusal { reading throws(PipelineError) in
        let whole = PixelRegion(whole: reading.source.size)
        guard reading.request.region.intersection(whole) == nil else {
          return try reading.soundly()
        }
        return try reading.source.read(RegionRequest(.checked(0, 0, 1, 1)))
      }),
    fault(
      "one-in-twenty", "One region in twenty begins a column too far right.",
      .moving { request, _ in
        let region = request.region
        let mixed = region.x &* 31 &+ region.y &* 17 &+ region.width &* 7 &+ region.height &* 3
        return (region.x + (mixed % 20 == 0 ? 1 : 0), region.y)
      }),
    fault(
      "doubled-seam", "Every sixteenth column of the picture repeats its neighbour.",
      .answering { answer, reading in
        guard reading.request.reduction == .none, reading.request.turn == .none else {
          return answer
        }
        let left = reading.request.region.x
        return RegionAnswer(
          pixels: answer.pixels.fetching { x, y in ((left + x) % 16 == 0 ? x - 1 : x, y) },
          work: answer.work)
      }),
    fault(
      "bands-of-rows-swapped", "In regions of 32 rows or more, two strips of 16 are swapped.",
      .altering { pixels, _ in
        guard pixels.size.height >= 32 else { return pixels }
        return pixels.fetching { x, y in (x, y < 32 ? (y + 16) % 32 : y) }
      }),
  ]

  private static func moved(_ name: String, _ summary: String, _ x: Int, _ y: Int) -> PixelFault {
    fault(name, summary, .moving { request, _ in (request.region.x + x, request.region.y + y) })
  }
}
