internal import Foundation
internal import SystemPackage
internal import ZoomLaws
internal import ZoomPipeline

/// Draws broken laws of pixels into a folder: expected, got, and what differs.
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
        .cannotCreate, "\(folder): make a folder: \(error.localizedDescription) (name another)")
    }
  }

  /// Draws one breach.
  ///
  /// - Returns: the file, or nil where the law is not one of pixels.
  /// - Throws: `PipelineError` when the file cannot be written.
  func draw(_ report: LawReport, _ breach: LawReport.Breach) throws -> String? {
    guard let mismatch = breach.error as? PixelMismatch else { return nil }
    let number = report.breaches.firstIndex { "\($0.input)" == "\(breach.input)" } ?? 0
    let name = "\(report.law)-\(report.subject)-\(number + 1).png"
    let path = folder.appending(
      name.replacing("/", with: "-").replacing(" ", with: "-"))
    try MismatchSheet(mismatch).write(to: path)
    return path.string
  }
}
