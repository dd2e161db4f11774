package import PixelLaws
import Synchronization
import ZoomGeometry
import ZoomLaws
package import ZoomPipeline

extension FaultCatalogue {
  /// Returns the faults of colour, planted in a pipeline that converts to sRGB.
  package static func colours(
    of pipeline: any PicturePipeline
  ) throws(PipelineError) -> [FaultTrial] {
    let subject = try PixelSubject(pipeline.converting(to: .srgb))
    return FaultTrial.all(ColourFaults.all, in: subject, laws: subject.laws)
  }
}

package enum ColourFaults {
  /// A read by a faulty converter, with the stored pixels and those that a sound converter returns.
  private struct Conversion {
    let picture: Picture
    let reading: FaultyPipeline.FaultyRead
    let converter: ColourConverter
    let stored, sound: Pixels

    /// Returns the stored pixels converted by another profile.
    func by(_ profile: [UInt8]?) throws(PipelineError) -> Pixels {
      var other = converter
      other.profile = profile
      return try other.convert(stored)
    }
  }

  private static func converting(
    _ summary: String,
    _ convert: @escaping @Sendable (Conversion) throws(PipelineError) -> Pixels
  ) -> SeededFault<PixelSubject> {
    PixelFaults.answering(summary) { answer, reading throws(PipelineError) in
      let picture = try Picture(reading.path)
      let stored = try ResidentPipeline().open(picture).read(reading.request).pixels
      let conversion = Conversion(
        picture: picture, reading: reading, converter: try ColourConverter(picture, to: .srgb),
        stored: stored, sound: answer.pixels)
      return answer.with(try convert(conversion))
    }
  }

  private static func ignoring(
    _ summary: String, when isIgnored: @escaping @Sendable (Conversion) -> Bool
  ) -> SeededFault<PixelSubject> {
    converting(summary) { conversion throws(PipelineError) in
      try isIgnored(conversion) ? conversion.by(nil) : conversion.sound
    }
  }

  package static let all: [SeededFault<PixelSubject>] = [
    ignoring("The profile is ignored.") { _ in true },
    ignoring("The profile of a grey picture is ignored.") { $0.stored.bands == 1 },
    ignoring("Reduced answers keep their stored colours.") {
      $0.reading.request.reduction != .none
    },
    ignoring("Pictures with an orientation tag lose their profile.") {
      $0.picture.orientation != .up
    },
    converting("A profile of RGB is applied twice.") { conversion throws(PipelineError) in
      guard conversion.stored.bands >= 3, conversion.converter.profile != nil else {
        return conversion.sound
      }
      return try conversion.converter.convert(conversion.sound)
    },
    converting("Colours are converted to Display P3 instead of sRGB.") {
      conversion throws(PipelineError) in
      try ColourConverter(conversion.picture, to: .p3).convert(conversion.stored)
    },
    converting("All pictures get the profile of the one that was read first.") {
      conversion throws(PipelineError) in
      let own = conversion.converter.profile
      let first = conversion.reading.shared.content.withLock { memory in
        if memory.profiles.isEmpty { memory.profiles = [own] }
        return memory.profiles[0]
      }
      return try conversion.by(first)
    },
    converting("RGB without a profile is taken for Display P3.") {
      conversion throws(PipelineError) in
      guard conversion.converter.profile == nil, conversion.picture.interpretation != .cmyk,
        conversion.stored.bands >= 3
      else { return conversion.sound }
      return try conversion.by(try ColourTarget.p3.profile())
    },
    converting("Inks are converted as if they were light.") { conversion throws(PipelineError) in
      guard conversion.picture.interpretation == .cmyk else { return conversion.sound }
      return try conversion.converter.convert(
        conversion.stored.mappingSamples { sample, _, _, _, most in most - sample })
    },
    converting("Of 25 tiles of 8 pixels, one keeps its stored colours.") { conversion in
      let (stored, region) = (conversion.stored, conversion.reading.request.region)
      guard stored.bands == conversion.sound.bands else { return conversion.sound }
      let samples = stored.samples
      return conversion.sound.mappingSamples { sample, x, y, band, _ in
        (region.x + x) / 8 % 5 == 1 && (region.y + y) / 8 % 5 == 1
          ? samples[stored.place(x, y, band)] : sample
      }
    },
    PixelFaults.altering("Blue is multiplied by 0.85.") { pixels, _ in
      pixels.mappingSamples { sample, _, _, band, _ in band == 2 ? sample * 85 / 100 : sample }
    },
    PixelFaults.altering("16 bits are converted as 8.") { pixels, _ in
      pixels.mappingSamples { sample, _, _, _, most in most > 255 ? sample / 257 * 257 : sample }
    },
    PixelFaults.altering("Alpha is converted with the colours.") { pixels, _ in
      pixels.mappingSamples { sample, _, _, band, most in
        band == 3 ? sample * sample / most : sample
      }
    },
    PixelFaults.altering("Alpha is dropped.") { pixels, _ in
      guard pixels.bands == 4 else { return pixels }
      let sample = pixels.format.byteCount
      let bytes = (0..<pixels.size.area).flatMap { pixel in
        pixels.bytes[pixel * 4 * sample..<(pixel * 4 + 3) * sample]
      }
      return Pixels(
        size: pixels.size, bands: 3, format: pixels.format, interpretation: pixels.interpretation,
        bytes: bytes)
    },
    PixelFaults.answering("Answers do not say that they are converted.") { answer, _ in
      RegionAnswer(pixels: answer.pixels, work: answer.work, resampling: answer.resampling)
    },
  ]
}
