internal import Foundation
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline
internal import zoombench

/// The folder in which a page saves scripts.
struct GestureFolder: Sendable {
  private let path: FilePath

  /// Checks that the folder exists.
  /// - Throws: `Failure` if the folder does not exist.
  init(_ path: FilePath) throws {
    guard FilePath.isFolder(path.string) else {
      throw Failure(.cannotCreate, "\(path): record to: it is not a folder (make it first)")
    }
    self.path = path
  }

  /// The most scripts saved, so that a page cannot fill the disk.
  private static let mostScripts = 1000

  /// Writes a script and returns its file name.
  ///
  /// Existing files are never overwritten, even if several sessions save at the same time.
  func save(_ script: GestureScript, as name: String) throws -> String {
    let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard isPlain, (1...64).contains(name.count) else {
      throw Failure(.usage, "a script's name has 1 to 64 letters, digits and hyphens")
    }
    let file = path.appending("\(name).json")
    let count = try FileManager.default.contentsOfDirectory(atPath: path.string).count
    guard count < Self.mostScripts else {
      throw Failure(.cannotCreate, "\(path): it has \(count) files already (tidy it first)")
    }
    guard try AtomicFile.write(Array(try Output.json(script).utf8), to: file, ifFree: true) else {
      throw Failure(.cannotCreate, "\(file): it is there already (take another name)")
    }
    return file.string
  }
}
