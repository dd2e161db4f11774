internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// An answer that came as a picture file.
enum CodedAnswer {
  /// The largest coded answer that is taken: 1 GB, more than any region of a peek needs, and less than memory.
  static let mostBytes = 1 << 30
  private static let lossyLoaders: Set<String> = [
    "jpegload", "webpload", "heifload", "jxlload", "jp2kload", "gifload",
  ]

  /// Decodes a picture file as it is stored: a program that has turned it may have left the tag.
  static func decode(
    _ file: FilePath, of picture: Picture, isLocal: Bool
  ) throws(PipelineError) -> ForeignAnswer {
    let answer: Picture
    // Commands answer in PPM, which libvips marks as untrusted: who runs a program trusts it more than its answers' format.
    // What comes from a server is read by trusted loaders alone.
    let limits = PictureLimits(
      memory: picture.limits.memory, loaders: isLocal ? .all : picture.limits.loaders)
    do { answer = try Picture(file, limits: limits) } catch {
      throw PipelineError(
        .fault, operation: "read", file: picture.path, reason: "the answer: \(error.reason)")
    }
    return ForeignAnswer(
      pixels: try answer.storedPixels(), isLossy: lossyLoaders.contains(answer.loader))
  }

  /// Decodes the bytes of a picture file.
  static func decode(
    _ bytes: [UInt8], of picture: Picture, in scratch: ScratchFolder, isLocal: Bool
  ) throws(PipelineError) -> ForeignAnswer {
    let file = scratch.path.appending("answer")
    do {
      // Nobody else reads it, so it need not be synced, which would take longer than decoding it.
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
      _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
    } catch {
      throw PipelineError(
        .unwritable, operation: "read", file: file, reason: "\(error)",
        advice: "set TMPDIR to a folder with room")
    }
    return try decode(file, of: picture, isLocal: isLocal)
  }
}
