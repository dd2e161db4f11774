internal import Foundation
internal import SystemPackage
internal import ZoomPipeline

/// Where results go: a file, whole or not at all, or stdout.
enum Output {
  static func write(_ text: String, to path: FilePath?) throws {
    if let path {
      try AtomicFile.write(Array(text.utf8), to: path)
      return
    }
    do {
      try FileDescriptor.standardOutput.writeAll(Array(text.utf8))
    } catch {
      // A reader that has seen enough (`| head`) is not a failure.
      if let errno = error as? Errno, errno == .brokenPipe { return }
      throw Failure(.outputFailed, "stdout: write: \(error)")
    }
  }

  /// Fails before any work is done when the file could not be written after it.
  static func checkWritable(_ path: FilePath?) throws {
    guard let path else { return }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder),
      isFolder.boolValue
    {
      throw Failure(.cannotCreate, "\(path): write: it is a folder (name a file)")
    }
    let parent = path.removingLastComponent().string
    guard FileManager.default.isWritableFile(atPath: parent.isEmpty ? "." : parent) else {
      throw Failure(
        .cannotCreate, "\(path): write: no such folder, or it cannot be written (make it first)")
    }
  }
}

extension JSONEncoder {
  /// JSON for people and for diffs: keys in order, slashes as they are.
  static var report: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
