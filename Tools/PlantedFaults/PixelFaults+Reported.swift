import Foundation
import PixelLaws
import ZoomLaws
import ZoomGeometry
import ZoomPipeline

extension PixelFaults {
  /// Faults that follow bug reports for real servers, viewers and libraries.
  static let reported: [PixelFault] = reportedPlaces + reportedEdges + reportedTroubles

  private static let reportedPlaces = [
    fault(
      "scaled-origin", "A reduced request's origin is divided by the scale once more.",
      origin: "klokantech/iiifserver#21",
      .moving { request, _ in
        let side = request.reduction.rawValue
        return (request.region.x / side, request.region.y / side)
      }),
    fault(
      "floor-and-round", "Reduced regions at odd blocks begin a block too far left.",
      origin: "openseadragon/openseadragon#2321",
      .moving { request, _ in
        let side = request.reduction.rawValue
        let isOdd = side > 1 && !(request.region.x / side).isMultiple(of: 2)
        return (request.region.x - (isOdd ? side : 0), request.region.y)
      }),
    fault(
      "half-pixel-across", "Reduced answers are half a pixel too far left.",
      origin: "libvips/libvips#504",
      .altering { pixels, request in
        request.reduction == .none ? pixels : pixels.averaging(dx: 1, dy: 0)
      }),
    fault(
      "half-pixel-down", "Reduced answers are half a pixel too high.",
      origin: "libvips/libvips#703",
      .altering { pixels, request in
        request.reduction == .none ? pixels : pixels.averaging(dx: 0, dy: 1)
      }),
    fault(
      "quarter-pixel", "Answers at a quarter are a quarter of a pixel off on both axes.",
      origin: "libvips/libvips#4841",
      .altering { pixels, request in
        guard request.reduction == .quarter else { return pixels }
        let moved = pixels.averaging(dx: 1, dy: 1).samples
        return pixels.mappingSamples { sample, x, y, band, _ in
          (sample + moved[pixels.place(x, y, band)] + 1) / 2
        }
      }),
    fault(
      "resized-shift", "Reduced answers are shifted one pixel down and right.",
      origin: "lovell/sharp#452",
      .altering { pixels, request in
        request.reduction == .none ? pixels : pixels.fetching { x, y in (x - 1, y - 1) }
      }),
    fault(
      "transposed-squares", "Rows and columns of square answers are swapped.",
      origin: "IIIF/image-validator#25",
      .altering { pixels, _ in
        pixels.size.width == pixels.size.height ? pixels.seen(through: .leftMirrored) : pixels
      }),
  ]

  private static let reportedEdges = [
    fault(
      "cut-right-side", "Reduced answers lack their last column.", origin: "ruven/iipsrv#283",
      .altering { pixels, request in
        request.reduction == .none
          ? pixels : pixels.cropped(pixels.size.width - 1, pixels.size.height)
      }),
    fault(
      "edge-at-half-scale", "At the picture's right edge a reduced answer is at half scale.",
      origin: "ruven/iipsrv#228",
      edgeMistake { request, picture in
        request.reduction != .none && request.region.maxX == picture.width
      }),
    fault(
      "corner-at-half-scale", "At the picture's bottom right corner the tile is at half scale.",
      origin: "ruven/iipmooviewer#86",
      edgeMistake { request, picture in
        request.region.maxX == picture.width && request.region.maxY == picture.height
      }),
    fault(
      "size-rounded-down", "The sides of reduced answers are rounded down instead of up.",
      origin: "cantaloupe-project/cantaloupe#418",
      .altering { pixels, request in
        let side = request.reduction.rawValue
        let (width, height) = (request.region.width / side, request.region.height / side)
        return request.turn.swapsAxes
          ? pixels.cropped(height, width) : pixels.cropped(width, height)
      }),
    fault(
      "strip-left-over", "The last column is black for widths not divisible by 8.",
      origin: "cantaloupe-project/cantaloupe#80",
      .altering { pixels, request in
        guard !pixels.size.width.isMultiple(of: 8) else { return pixels }
        let last = pixels.size.width - 1
        return pixels.mappingSamples { sample, x, _, _, _ in x == last ? 0 : sample }
      }),
    fault(
      "overhanging-tile", "At the picture's right edge an answer is a column too wide.",
      origin: "openseadragon/openseadragon#2701",
      .answering { answer, reading in
        guard reading.request.region.maxX == reading.source.size.width else { return answer }
        let (width, height) = (answer.pixels.size.width, answer.pixels.size.height)
        let wider = PixelRegion.checked(0, 0, width + 1, height).size
        return answer.with(answer.pixels.rearranged(wider) { x, y in (min(x, width - 1), y) })
      }),
    fault(
      "black-last-row-and-column", "The last row and column of the picture are black.",
      origin: "libvips/libvips#131",
      .answering { answer, reading in
        let (request, picture) = (reading.request, reading.source.size)
        let upright = answer.pixels.turned(by: request.turn.inverse)
        let (right, bottom) = (
          request.region.maxX == picture.width, request.region.maxY == picture.height
        )
        let black = upright.mappingSamples { sample, x, y, _, _ in
          right && x == upright.size.width - 1 || bottom && y == upright.size.height - 1
            ? 0 : sample
        }
        return answer.with(black.turned(by: request.turn))
      }),
    fault(
      "two-pixels-lost", "A side of two pixels is reported as one.", origin: "libvips/libvips#4864",
      FaultyPipeline.Mistake(
        size: { size in
          PixelRegion.checked(
            0, 0, size.width == 2 ? 1 : size.width, size.height == 2 ? 1 : size.height
          ).size
        }, answer: { reading throws(PipelineError) in try reading.soundly() })),
    fault(
      "skewed-rows", "In reduced parts each row begins a pixel later than the one above.",
      origin: "libvips/libvips#4320",
      .altering { pixels, request in
        guard request.reduction != .none, request.region.x > 0 else { return pixels }
        return pixels.fetching { x, y in ((x + y) % pixels.size.width, y) }
      }),
  ]

  private static let reportedTroubles = [
    PixelFault(
      "hang", "An invalid request is never refused.", origin: "ruven/iipsrv#52"
    ) { faulty, sound in
      // It blocks for a second only, so that its threads end; the time limit is a tenth of that.
      faulty = sound.with(
        FaultyPipeline(
          sound.pipeline,
          .onRefusal { reading throws(PipelineError) in
            Thread.sleep(forTimeInterval: 1)
            return try reading.soundly()
          })
      ).with(patience: .milliseconds(100))
    },
    fault(
      "server-error", "An invalid request ends in a server error.",
      origin: "NCSU-Libraries/hymir#277",
      .onRefusal { reading throws(PipelineError) in
        throw PipelineError(
          .fault, operation: "read", file: reading.path, reason: "division by zero")
      }),
    PixelFault(
      "blind-comparator", "The comparator never finds a difference.",
      origin: "pointfreeco/swift-snapshot-testing#710"
    ) { faulty, sound in
      faulty = sound.with(
        PixelComparator(
          compare: { got, _ in
            PixelComparison(
              comparedPixels: got.size.area, differingPixels: 0, largestDifference: 0,
              meanDifference: 0)
          }, shift: { _, _, _ in nil }))
    },
  ]

  /// Returns a mistake that answers with the enlarged top left quarter if a condition holds.
  private static func edgeMistake(
    _ holds: @escaping @Sendable (RegionRequest, PixelSize) -> Bool
  ) -> FaultyPipeline.Mistake {
    .answering { answer, reading in
      holds(reading.request, reading.source.size)
        ? answer.with(answer.pixels.fetching { x, y in (x / 2, y / 2) }) : answer
    }
  }
}
