import Foundation
import PixelLaws
import Synchronization
import ZoomLaws
import ZoomGeometry
import ZoomPipeline

extension PixelFaults {
  /// Faults that follow bug reports for real servers, viewers and libraries.
  static let reported: [PixelFault] = [
    moving(
      "A reduced request's origin is divided by the scale once more.",
      origin: "klokantech/iiifserver#21"
    ) { request in
      let side = request.reduction.rawValue
      return (request.region.x / side, request.region.y / side)
    },
    moving(
      "Reduced regions in odd columns of blocks begin a block too far left.",
      origin: "openseadragon/openseadragon#2321"
    ) { request in
      let side = request.reduction.rawValue
      let isOdd = side > 1 && !(request.region.x / side).isMultiple(of: 2)
      return (request.region.x - (isOdd ? side : 0), request.region.y)
    },
    altering("Reduced answers are half a pixel too far left.", origin: "libvips/libvips#504") {
      pixels, request in request.reduction == .none ? pixels : pixels.averaging(dx: 1, dy: 0)
    },
    altering("Reduced answers are shifted one pixel down and right.", origin: "lovell/sharp#452") {
      pixels, request in
      request.reduction == .none ? pixels : pixels.fetching { x, y in (x - 1, y - 1) }
    },
    altering("Rows and columns of square answers are swapped.", origin: "IIIF/image-validator#25") {
      pixels, _ in
      pixels.size.width == pixels.size.height ? pixels.seen(through: .leftMirrored) : pixels
    },
    altering("Reduced answers lack their last column.", origin: "ruven/iipsrv#283") {
      pixels, request in
      request.reduction == .none
        ? pixels : pixels.cropped(pixels.size.width - 1, pixels.size.height)
    },
    answering(
      "An answer at the bottom right corner shows its top left quarter enlarged twice.",
      origin: "ruven/iipmooviewer#86"
    ) { answer, reading in
      let (region, size) = (reading.request.region, reading.source.size)
      guard region.maxX == size.width, region.maxY == size.height else { return answer }
      return answer.with(answer.pixels.fetching { x, y in (x / 2, y / 2) })
    },
    altering(
      "The sides of reduced answers are rounded down instead of up.",
      origin: "cantaloupe-project/cantaloupe#418"
    ) { pixels, request in
      let side = request.reduction.rawValue
      let (width, height) = (request.region.width / side, request.region.height / side)
      return request.turn.swapsAxes ? pixels.cropped(height, width) : pixels.cropped(width, height)
    },
    altering(
      "The last column is black for widths not divisible by 8.",
      origin: "cantaloupe-project/cantaloupe#80"
    ) { pixels, request in
      guard !pixels.size.width.isMultiple(of: 8) else { return pixels }
      let last = pixels.size.width - 1
      return pixels.mappingSamples { sample, x, _, _, _ in x == last ? 0 : sample }
    },
    answering(
      "At the picture's right edge an answer is a column too wide.",
      origin: "openseadragon/openseadragon#2701"
    ) { answer, reading in
      guard reading.request.region.maxX == reading.source.size.width else { return answer }
      let (width, height) = (answer.pixels.size.width, answer.pixels.size.height)
      let wider = PixelRegion.checked(0, 0, width + 1, height).size
      return answer.with(answer.pixels.rearranged(wider) { x, y in (min(x, width - 1), y) })
    },
    answering("The last row and column of the picture are black.", origin: "libvips/libvips#131") {
      answer, reading in
      let (request, picture) = (reading.request, reading.source.size)
      let upright = answer.pixels.turned(by: request.turn.inverse)
      let (right, bottom) = (
        request.region.maxX == picture.width, request.region.maxY == picture.height
      )
      let black = upright.mappingSamples { sample, x, y, _, _ in
        right && x == upright.size.width - 1 || bottom && y == upright.size.height - 1 ? 0 : sample
      }
      return answer.with(black.turned(by: request.turn))
    },
    reading(
      "A picture tagged for a quarter turn is turned the other way.", origin: "aheckmann/gm#91"
    ) { reading throws(PipelineError) in
      let (request, size) = (reading.request, reading.source.size)
      try request.check(pictureSize: size, file: reading.path)
      guard try Picture(reading.path).orientation.swapsAxes else { return try reading.soundly() }
      let there = request.region.seen(through: .down, of: size)
      let answer = try reading.source.read(RegionRequest(there))
      return answer.made(of: answer.pixels.seen(through: .down), for: request)
    },
    altering("Quarter turns go the other way.", origin: "inveniosoftware/flask-iiif#72") {
      pixels, request in request.turn.swapsAxes ? pixels.seen(through: .down) : pixels
    },
    reading(
      "If the first two rows are equal, the first is dropped and regions are a row too low.",
      origin: "emcconville/wand#472"
    ) { reading throws(PipelineError) in
      let (region, size) = (reading.request.region, reading.source.size)
      guard reading.isValid, size.height > 1 else { return try reading.soundly() }
      let rows = try [0, 1].map { y throws(PipelineError) in
        try reading.source.read(RegionRequest(.checked(0, y, size.width, 1))).pixels.bytes
      }
      guard rows[0] == rows[1] else { return try reading.soundly() }
      return try reading.reading(region.x, region.y + 1, of: region.size)
    },
    answering(
      "A request repeated after a different one gets an answer with a wrong first sample.",
      origin: "geosolutions-it/imageio-ext#221"
    ) { answer, reading in
      let isStale = reading.own.content.withLock { memory in
        defer { memory.request = reading.request }
        let isNew = memory.answers.updateValue(answer, forKey: reading.request) == nil
        return !isNew && memory.request != reading.request
      }
      guard isStale else { return answer }
      return answer.with(
        answer.pixels.mappingSamples { sample, x, y, _, _ in x == 0 && y == 0 ? sample ^ 1 : sample
        })
    },
    reading("A source is closed when its file is opened again.", origin: "girder/large_image#1283")
    {
      reading throws(PipelineError) in
      let isClosed = reading.shared.content.withLock { memory in
        memory.path == reading.path && memory.opened !== reading.source
      }
      guard isClosed else { return try reading.soundly() }
      throw PipelineError(.fault, operation: "read", file: reading.path, reason: "it is closed")
    },
    PixelFault("An invalid request is never refused.", origin: "ruven/iipsrv#52") { faulty, sound in
      let slow = FaultyPipeline.Mistake { reading throws(PipelineError) in
        // The read ends after a second, so that no thread remains; the time limit is a tenth of a second.
        if !reading.isValid { Thread.sleep(forTimeInterval: 1) }
        return try reading.soundly()
      }
      faulty = sound.with(FaultyPipeline(sound.pipeline, slow))
      faulty.patience = .milliseconds(100)
    },
    reading("An invalid request ends in a server error.", origin: "NCSU-Libraries/hymir#277") {
      reading throws(PipelineError) in
      if reading.isValid { return try reading.soundly() }
      throw PipelineError(.fault, operation: "read", file: reading.path, reason: "division by zero")
    },
    PixelFault(
      "After its first test the comparator never finds a difference.",
      origin: "pointfreeco/swift-snapshot-testing#710"
    ) { faulty, sound in
      // The comparator is tested when it is set, and laws refuse a defective one. So the defect begins afterwards.
      let isBlind = Mutex(false)
      let comparator = sound.comparator
      faulty.comparator = PixelComparator(
        compare: { got, expected in
          comparator.compare(got, isBlind.withLock { $0 } ? got : expected)
        }, shift: comparator.shift)
      isBlind.withLock { $0 = true }
    },
  ]
}
