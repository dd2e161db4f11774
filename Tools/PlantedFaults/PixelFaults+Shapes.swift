import PixelLaws
import ZoomLaws
import ZoomGeometry
import ZoomPipeline

extension PixelFaults {
  /// Faults of turns, orientation tags and pixel formats.
  static let shapes = [
    fault(
      "mirrored", "Answers are mirrored left to right.",
      .altering { pixels, _ in pixels.seen(through: .upMirrored) }),
    fault(
      "turned-the-other-way", "Quarter turns go counterclockwise.",
      .altering { pixels, request in request.turn.swapsAxes ? pixels.turned(by: .half) : pixels }),
    fault(
      "half-turn-mirrored", "A half turn mirrors top to bottom instead.",
      .altering { pixels, request in
        request.turn == .half ? pixels.seen(through: .upMirrored) : pixels
      }),
    fault(
      "turned-before-cut", "A turned answer has the sides of the upright one.",
      .altering { pixels, request in
        request.turn.swapsAxes ? pixels.with(pixels.size.transposed, pixels.bytes) : pixels
      }),
    tagFault(
      "tag-6-as-8", "A picture tagged for a clockwise turn is turned the other way.",
      { $0.swapsAxes }, .down),
    tagFault(
      "mirroring-tags-ignored", "Mirroring tags only turn.", { $0.mirrorsHorizontally },
      .upMirrored),
    tagFault("tag-3-ignored", "A picture stored upside down stays so.", { $0 == .down }, .down),
    fault(
      "fourth-band-dropped", "Only three of four bands are returned.",
      .altering { pixels, _ in
        guard pixels.bands == 4 else { return pixels }
        let pixel = 4 * pixels.format.byteCount
        let kept = pixels.bytes.indices.filter { $0 % pixel < pixel / 4 * 3 }
        return Pixels(
          size: pixels.size, bands: 3, format: pixels.format,
          interpretation: pixels.interpretation, bytes: kept.map { pixels.bytes[$0] })
      }),
    fault(
      "grey-as-colour", "One band is returned as three.",
      .altering { pixels, _ in
        guard pixels.bands == 1 else { return pixels }
        let length = pixels.format.byteCount
        var tripled: [UInt8] = []
        for start in stride(from: 0, to: pixels.bytes.count, by: length) {
          for _ in 0..<3 { tripled += pixels.bytes[start..<start + length] }
        }
        return Pixels(
          size: pixels.size, bands: 3, format: pixels.format, interpretation: .srgb, bytes: tripled)
      }),
    fault(
      "wrong-colours", "The reported colour space is wrong.",
      .altering { pixels, _ in
        Pixels(
          size: pixels.size, bands: pixels.bands, format: pixels.format, interpretation: .cmyk,
          bytes: pixels.bytes)
      }),
  ]

  /// Returns a fault that reads some orientation tags as others: with an additional turn or mirroring.
  private static func tagFault(
    _ name: String, _ summary: String, _ concerns: @escaping @Sendable (Orientation) -> Bool,
    _ more: Orientation
  ) -> PixelFault {
    fault(
      name, summary,
      FaultyPipeline.Mistake { reading throws(PipelineError) in
        let (request, size) = (reading.request, reading.source.size)
        try request.check(pictureSize: size, file: reading.path)
        guard concerns(try Picture(reading.path).orientation) else { return try reading.soundly() }
        // Half turns and mirrorings are their own inverses and keep the size.
        let there = request.region.seen(through: more, of: size)
        let answer = try reading.source.read(RegionRequest(there))
        let pixels = answer.pixels.seen(through: more).reduced(by: request.reduction)
          .turned(by: request.turn)
        var work = answer.work
        work.pixelsDelivered = pixels.size.area
        return RegionAnswer(
          pixels: pixels, work: work, resampling: request.reduction == .none ? .none : .blockMean)
      })
  }
}
