internal import Foundation
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// The folder of the corpus pictures.
package struct CorpusFolder: Sendable {
  package let path: FilePath
  private let limits: PictureLimits

  package init(_ path: FilePath, limits: PictureLimits = .standard) {
    self.path = path
    self.limits = limits
  }

  package func file(of picture: CorpusPicture) -> FilePath { path.appending(picture.file) }

  /// Whether the picture exists and was made by the manifest's current recipe.
  package func isMade(_ picture: CorpusPicture) -> Bool {
    guard let identity = try? FileVersion(of: file(of: picture)),
      let stamp = try? String(contentsOfFile: stampFile(of: picture).string, encoding: .utf8)
    else { return false }
    return stamp == Self.stamp(of: picture, length: identity.length)
  }

  /// Makes the picture's file and checks it; a file that the current recipe has made is left alone.
  ///
  /// `workers` bounds the bands of a JPEG in memory: three per worker. `progress` is called from
  /// any thread with the part that is done, 0...1. Throws `CorpusError` if the result differs from
  /// the manifest, and `PipelineError` if it cannot be written or read.
  package func make(
    _ picture: CorpusPicture, workers: Int,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> PixelDigest {
    let target = file(of: picture)
    if let digest = picture.pixels, isMade(picture) { return digest }
    do {
      try FileManager.default.createDirectory(
        atPath: path.string, withIntermediateDirectories: true)
    } catch {
      throw PipelineError(
        .unwritable, operation: "make the folder", file: path, reason: error.systemReason,
        advice: "choose a place that can be written")
    }
    try? FileManager.default.removeItem(atPath: stampFile(of: picture).string)
    // Encoding takes most of the time; the rest is decoding for the checksum.
    let writer = PictureWriter(picture: picture)
    try await writer.write(to: target, workers: workers) { progress($0 * 0.8) }
    let made = try Picture(target, limits: limits)
    let (findings, digest) = try compare(made, with: picture)
    guard findings.isEmpty else {
      throw CorpusError("\(picture.name): made, but \(findings.joined(separator: "; "))")
    }
    try AtomicFile.write(
      Array(Self.stamp(of: picture, length: made.version.length).utf8), to: stampFile(of: picture))
    progress(1)
    return digest
  }

  /// Compares a made picture with the manifest, including its pixels; returns the differences.
  package func check(_ picture: CorpusPicture) throws(PipelineError) -> [String] {
    try compare(Picture(file(of: picture), limits: limits), with: picture).findings
  }

  private func compare(
    _ made: Picture, with picture: CorpusPicture
  ) throws(PipelineError) -> (findings: [String], digest: PixelDigest) {
    var findings: [String] = []
    func expect<Value: Equatable>(_ what: String, _ got: Value, _ wanted: Value?) {
      if let wanted, got != wanted { findings.append("\(what) is \(got), not \(wanted)") }
    }
    let wanted = picture.structure
    expect("the stored width", made.storedSize.width, wanted.width)
    expect("the stored height", made.storedSize.height, wanted.height)
    expect("the orientation", made.orientation.rawValue, wanted.orientation)
    if wanted.process != nil || wanted.sampling != nil {
      if let jpeg = made.jpegStructure {
        expect("the process", jpeg.process, wanted.process)
        expect("the sampling", jpeg.samplingName, wanted.sampling)
        expect("the restart interval", jpeg.restartInterval, wanted.restartInterval)
      } else {
        findings.append("it lacks the headers of a JPEG")
      }
    }
    if let trailing = wanted.trailingBytes {
      let end = try made.file.bytes(at: max(0, made.file.length - trailing - 2), count: 2)
      if end != [0xFF, 0xD9] {
        findings.append("no end marker stands \(trailing) bytes before the end of the file")
      }
    }
    let digest = try made.digest()
    if let expected = picture.pixels, digest != expected {
      findings.append("its pixels have digest \(digest), not \(expected) (another decoder?)")
    }
    return (findings, digest)
  }

  private func stampFile(of picture: CorpusPicture) -> FilePath {
    path.appending(".\(picture.file).stamp")
  }

  /// Returns a text that identifies a file's recipe, checksum and length.
  private static func stamp(of picture: CorpusPicture, length: Int) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let recipe = (try? encoder.encode(picture.recipe)).map { String(decoding: $0, as: UTF8.self) }
    return "\(picture.pixels?.rawValue ?? "-") \(length) \(recipe ?? "")\n"
  }
}
