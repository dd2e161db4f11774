internal import Foundation
package import SystemPackage
package import ZoomPipeline

/// A folder for a test's files, removed with its contents when it is released.
///
/// Its name lacks the prefix "zoombench." of the pipelines' scratch folders, which tests count.
package final class TestFolder: Sendable {
  package let path: FilePath

  /// Configures libvips as the command does.
  ///
  /// With more threads it sometimes loses the error of a truncated file (`VipsLibrary.configure`).
  private static let settings: Void = VipsLibrary.configure()

  package init() throws {
    Self.settings
    path = FilePath(
      FileManager.default.temporaryDirectory.appendingPathComponent("zoomtest.\(UUID())").path)
    try FileManager.default.createDirectory(
      atPath: path.string, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  @discardableResult
  package func write(_ bytes: [UInt8], as name: String) throws -> FilePath {
    let file = path.appending(name)
    try Data(bytes).write(to: URL(fileURLWithPath: file.string))
    return file
  }

  /// Returns all names in the folder in order, including hidden ones.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path.string).sorted()
  }
}

package func bytes(of path: FilePath) throws -> [UInt8] {
  try [UInt8](Data(contentsOf: URL(fileURLWithPath: path.string)))
}

/// Whether byte arrays are equal; `#expect` would compute a difference in quadratic time.
package func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }

package func setModified(_ path: FilePath, to time: FileVersion.Moment) throws {
  let times = [timespec](
    repeating: timespec(tv_sec: time.seconds, tv_nsec: time.nanoseconds), count: 2)
  guard utimensat(AT_FDCWD, path.string, times, 0) == 0 else { throw Errno(rawValue: errno) }
}

extension SidecarStore {
  /// Creates a store whose sidecars and key are in a test's folder.
  package init(in folder: FilePath) {
    self.init(.folder(folder.appending("index")), key: SidecarKeyFile(folder.appending("key")))
  }
}
