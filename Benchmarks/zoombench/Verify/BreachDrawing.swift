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
      throw Failure(
        .cannotCreate, "\(folder): make a folder: \(error.systemReason) (name another)")
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
    let plain = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    let path = folder.appending(String(plain) + ".png")
    try MismatchSheet(mismatch).write(to: path)
    return path.string
  }
}
