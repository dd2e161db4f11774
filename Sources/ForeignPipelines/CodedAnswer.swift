internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The size limits of an answer, derived from the request.
struct AnswerLimits: Sendable {
  let picture: Picture
  /// The sides that the answer may have.
  let widths: ClosedRange<Int>
  let heights: ClosedRange<Int>

  /// The limits of an answer that has exactly some size.
  init(_ size: PixelSize, of picture: Picture) {
    self.init(size, of: picture, slack: 0)
  }

  /// The limits of an answer that may be some pixels wider and higher.
  init(_ size: PixelSize, of picture: Picture, slack: Int) {
    self.picture = picture
    widths = size.width...size.width + slack
    heights = size.height...size.height + slack
  }

  /// Programs add an alpha, and convert to 16 bits or to floating-point samples.
  var mostBands: Int { max(4, picture.bands + 1) }

  /// The most bytes that an uncompressed answer can have.
  ///
  /// One megabyte more is allowed for profiles, previews and Exif.
  var mostBytes: Int {
    let (bytes, overflow) = (widths.upperBound * heights.upperBound)
      .multipliedReportingOverflow(by: mostBands * 8)
    let most = min(overflow ? .max : bytes, picture.limits.memory.limit, CodedAnswer.mostBytes)
    return most + 1 << 20
  }

  /// Returns why an answer cannot be right; nil if it can.
  func refusal(size: PixelSize, bands: Int, format: SampleFormat) -> String? {
    guard widths.contains(size.width), heights.contains(size.height) else {
      return
        "\(size) pixels were answered for a region of \(widths.lowerBound)x\(heights.lowerBound)"
    }
    guard (1...mostBands).contains(bands), format.byteCount <= 8 else {
      return "\(bands) bands of \(format.rawValue) were answered"
    }
    let (bytes, budget) = (size.area * bands * format.byteCount, picture.limits.memory.limit)
    guard bytes <= budget else {
      return "the answer takes \(bytes) bytes, more than the memory budget of \(budget)"
    }
    return nil
  }
}

/// An answer that came as a picture file.
enum CodedAnswer {
  /// The pixel bytes of the largest coded answer that is read, whatever was requested: 1 GB.
  static let mostBytes = 1 << 30
  /// The most that a command may print while it writes its answer to a file: 16 MB.
  static let mostTalk = 1 << 24
  private static let lossyLoaders: Set<String> = [
    "jpegload", "webpload", "heifload", "jxlload", "jp2kload", "gifload",
  ]

  /// Decodes a picture file as it is stored: a program that has turned it may have left the tag.
  ///
  /// Its header is checked before a pixel is decoded. Errors call it by `name`.
  static func decode(
    _ file: FilePath, within limits: AnswerLimits, isLocal: Bool, name: String = "the answer"
  ) throws(PipelineError) -> ForeignAnswer {
    let picture = limits.picture
    do throws(PipelineError) {
      // Commands answer in PPM, whose loader libvips does not trust: a user who runs a program trusts it more than that
      // loader. Answers of servers are read by trusted loaders alone.
      let answer = try Picture(
        file,
        limits: PictureLimits(
          memory: picture.limits.memory, loaders: isLocal ? .all : picture.limits.loaders))
      if let refusal = limits.refusal(
        size: answer.storedSize, bands: answer.bands, format: answer.format)
      {
        throw PipelineError(.misbehaved, operation: "read", file: file, reason: refusal)
      }
      return ForeignAnswer(
        pixels: try answer.storedPixels(), isLossy: lossyLoaders.contains(answer.loader))
    } catch {
      // The error is about the answer, so its code must not blame the picture.
      throw PipelineError(
        .misbehaved, operation: "read", file: picture.path, reason: "\(name): \(error.reason)")
    }
  }

  /// Decodes the bytes of a picture file.
  static func decode(
    _ bytes: [UInt8], within limits: AnswerLimits, in scratch: ScratchFolder, isLocal: Bool,
    name: String = "the answer"
  ) throws(PipelineError) -> ForeignAnswer {
    let file = scratch.path.appending("answer")
    do {
      // Nobody else reads it, so it is not synced, which would take longer than decoding it.
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
      _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
    } catch {
      throw PipelineError(
        .unwritable, operation: "read", file: file, reason: "\(error)",
        advice: "set TMPDIR to a folder with room")
    }
    return try decode(file, within: limits, isLocal: isLocal, name: name)
  }
}
