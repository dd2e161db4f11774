internal import Synchronization
package import SystemPackage
package import ZoomPipeline

/// The files of a page, read once, so that a run sees one version of them.
package final class PageFolder: Sendable {
  private let root: FilePath
  private let files = Mutex<[String: [UInt8]]>([:])

  /// The largest sum of the files' sizes; libraries of viewers have less than 10 MB.
  private static let mostBytes = 256 << 20

  package init(_ folder: FilePath) throws(PipelineError) {
    do throws(Errno) {
      root = try (folder.isEmpty ? "." : folder).resolved.get()
    } catch {
      throw PipelineError(
        .noSuchFile, operation: "open a page", file: folder, reason: "\(error)",
        advice: "check the name")
    }
  }

  /// Returns a file and its media type; nil if there is none.
  ///
  /// - Throws: `PipelineError`: also for a file outside the folder, to which a link may lead, and
  ///   for files that are too large.
  package func file(_ name: String) throws(PipelineError) -> TileAnswer? {
    let suffix = name.split(separator: ".").last?.lowercased() ?? ""
    let type = Self.types[suffix] ?? "application/octet-stream"
    if let known = files.withLock({ $0[name] }) { return (known, type) }
    // A file's name ends at a zero byte.
    guard !name.utf8.contains(0), let path = try? root.appending(name).resolved.get() else {
      return nil
    }
    guard path.starts(with: root) else {
      throw PipelineError(
        .unreadable, operation: "read a page", file: path, reason: "it is outside \(root)",
        advice: "copy it into the folder of the page")
    }
    let reader = try FileReader(path)
    let held = files.withLock { files in files.values.reduce(0) { $0 + $1.count } }
    guard reader.length <= Self.mostBytes - held else {
      throw PipelineError(
        .overBudget, operation: "read a page", file: path,
        reason: "the files of a page have at most 256 MB",
        advice: "serve it at an address instead")
    }
    let bytes = try reader.bytes(at: 0, count: reader.length)
    files.withLock { files -> Void in files[name] = bytes }
    return (bytes, type)
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css",
    "js": "text/javascript", "mjs": "text/javascript", "json": "application/json",
    "wasm": "application/wasm", "xml": "application/xml", "txt": "text/plain",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "woff2": "font/woff2",
  ]
}
