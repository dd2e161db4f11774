package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// The size limits of an answer, derived from the request.
struct AnswerLimits: Sendable {
  let picture: Picture
  let widths: ClosedRange<Int>
  let heights: ClosedRange<Int>

  /// Creates the limits of an answer that may be up to `slack` pixels wider and higher.
  init(_ size: PixelSize, of picture: Picture, slack: Int = 0) {
    self.picture = picture
    widths = size.width...size.width + slack
    heights = size.height...size.height + slack
  }

  /// The most bands of an answer: programs may add alpha and convert grey to RGB.
  var mostBands: Int { max(4, picture.bands + 1) }

  /// The most bytes of an uncompressed answer: 8 per sample, as programs convert to wider formats, and a
  /// megabyte for profiles, previews and Exif.
  var mostBytes: Int {
    let (bytes, overflow) = (widths.upperBound * heights.upperBound)
      .multipliedReportingOverflow(by: mostBands * 8)
    let most = min(overflow ? .max : bytes, picture.limits.memory.limit, CodedAnswer.mostBytes)
    return most + 1 << 20
  }

  /// Returns the reason why an answer cannot be right; nil if it may be.
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

/// Decoding of answers that are picture files.
enum CodedAnswer {
  /// The most pixel bytes of a coded answer, whatever was requested: 1 GB.
  static let mostBytes = 1 << 30
  /// The most bytes that a command may print while it writes its answer to a file: 16 MB.
  static let mostTalk = 1 << 24
  private static let lossyLoaders: Set<String> = [
    "jpegload", "webpload", "heifload", "jxlload", "jp2kload", "gifload",
  ]

  /// Decodes a picture file as stored: a program that turned the pixels may have kept the orientation tag.
  ///
  /// The header is checked before any pixel is decoded. Error messages call the file `name`.
  static func decode(
    _ file: FilePath, within limits: AnswerLimits, isLocal: Bool, name: String = "the answer"
  ) throws(PipelineError) -> ForeignAnswer {
    let picture = limits.picture
    do throws(PipelineError) {
      // Commands answer in PPM, and libvips marks its PPM loader as untrusted. A user who runs a program
      // already trusts it more than that loader. Answers of servers are read by trusted loaders only.
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

  static func decode(
    _ bytes: [UInt8], within limits: AnswerLimits, in scratch: ScratchFolder, isLocal: Bool,
    name: String = "the answer"
  ) throws(PipelineError) -> ForeignAnswer {
    let file: FilePath
    do { file = try scratch.write(bytes) } catch {
      throw PipelineError(
        .unwritable, operation: "read", file: scratch.path.appending("answer"), reason: "\(error)",
        advice: "set TMPDIR to a folder with room")
    }
    return try decode(file, within: limits, isLocal: isLocal, name: name)
  }
}

extension ScratchFolder {
  /// Writes an answer to a file, which the next one replaces.
  ///
  /// Only this process reads the file, so it is not synced: that would take longer than the decode.
  package func write(_ bytes: [UInt8]) throws -> FilePath {
    let file = path.appending("answer")
    let descriptor = try FileDescriptor.open(
      file, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
    return file
  }
}
