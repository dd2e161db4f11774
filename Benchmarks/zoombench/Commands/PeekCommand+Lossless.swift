internal import ArgumentParser
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

extension PeekCommand {
  /// Writes the JPEG of just the peek's MCUs, and says where the peek begins in it.
  func writeWindow(
    of picture: Picture, to target: FilePath, _ opener: PictureOpener
  ) throws {
    // What reads best need not be able to hand out parts.
    let (name, opened) = try opener.open(picture, by: source == "automatic" ? "indexed" : source)
    guard let windows = opened as? any JPEGWindowSource else {
      throw ValidationError(
        "--lossless needs a source that hands out parts of a JPEG, as --source indexed does")
    }
    let (peek, description) = try peek(try setup(opened))
    let (window, elapsed) = try Stopwatch().measure { try windows.window(for: peek.region) }
    let bytes = try picture.iccProfile().map { window.bytes(withProfile: $0) } ?? window.bytes
    guard let bytes else {
      throw PipelineError(
        .unsupported, operation: "cut out", file: picture.path,
        reason: "its colour profile is too long")
    }
    try AtomicFile.write(bytes, to: target)
    let orientation = picture.orientation
    let stored =
      orientation == .up
      ? "" : ", all of it as stored: orientation \(orientation.rawValue) applies to the whole"
    Diagnostics.say(
      "\(output): the peek begins at \(window.offset.x),\(window.offset.y) and is \(window.size)"
        + " of its \(window.stored.size) pixels\(stored)")
    try Output.write(
      """
      picture   \(file) \(opened.size), cut out by \(name): \(opened.explanation)
      \(description)
      time      \(Format.milliseconds(Double(elapsed.wallNanoseconds))) \
      (first peek, file already open)
      holds     \(window.stored) of the stored picture
      written   \(output), \(Format.bytes(Double(bytes.count)))

      """, to: nil)
  }
}
