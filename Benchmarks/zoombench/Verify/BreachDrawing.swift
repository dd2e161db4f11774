internal import Foundation
internal import PixelLaws
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomLaws
internal import ZoomPipeline

/// Draws breaches of pixel laws into a folder: expected, got, and the difference.
struct BreachDrawing {
  private let folder: FilePath

  /// - Throws: `Failure` when the folder cannot be made.
  init(folder: FilePath) throws {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: true)
    } catch {
      throw Failure(.cannotCreate, "\(folder): make a folder: \(error.systemReason) (name another)")
    }
  }

  /// Draws one breach into a PNG file; in its name, "-" replaces unusual characters.
  ///
  /// - Returns: the file, or nil if the law is not about pixels.
  /// - Throws: `PipelineError` when the file cannot be written.
  func draw(_ breach: LawReport.Breach, as name: String) throws -> String? {
    try (breach.error as? PixelMismatch).flatMap { try draw($0, as: name) }
  }

  func draw(_ mismatch: PixelMismatch, as name: String) throws -> String? {
    let path = file(named: name)
    try MismatchSheet(mismatch).write(to: path)
    return path.string
  }

  /// Draws one breach of an item: as a film strip with an animation beside it if it is of a viewer.
  func draw(
    _ breach: LawReport.Breach, of item: VerifyPlan.Item, as name: String
  ) throws -> String? {
    guard let viewer = item.viewer else { return try draw(breach, as: name) }
    return try viewer.film(breach, to: file(named: name))
  }

  private func file(named name: String) -> FilePath {
    let plain = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return folder.appending(String(plain) + ".png")
  }
}
