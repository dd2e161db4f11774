internal import Foundation
internal import SystemPackage
internal import ZoomPipeline

/// What a replay writes, by the name of its output.
enum ReplayTarget {
  /// A folder of numbered frames: a folder that is there, or a name without a suffix.
  case folder(FilePath)
  /// Some of the frames in one picture.
  case sheet(FilePath)
  /// All frames, one after the other.
  case animation(FilePath)

  /// Sees what is to be written, and that it can be, before any work is done.
  /// - Parameters:
  ///   - name: the output's.
  ///   - picture: what is shown, and must not be written over.
  /// - Throws: `Failure`, or what says that the arguments contradict each other.
  init(_ name: String, sparing picture: FilePath) throws {
    let path = FilePath(name)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
    if exists && isFolder.boolValue || !exists && path.extension == nil {
      self = .folder(path)
      try Output.checkFolder(path)
      return
    }
    try Output.checkWritable(path, sparing: [picture])
    try Output.checkRegular(path)
    try Image.checkSuffix(of: path)
    switch path.extension?.lowercased() {
    case "webp", "gif": self = .animation(path)
    default: self = .sheet(path)
    }
  }
}
