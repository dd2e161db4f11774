internal import Foundation
internal import SystemPackage
internal import ZoomCorpus

/// The folder `.zoombench` of builds and the history, which git ignores.
///
/// A committed history would change with each run, so that all later runs would be dirty.
enum HiddenFolder {
  /// Makes the folder, if it is missing, with a file that makes git ignore it.
  static func make(_ folder: FilePath) throws {
    guard isNamed(folder), !FileManager.default.fileExists(atPath: folder.string) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: true)
    } catch {
      throw Failure(.cannotCreate, "\(folder): write: \(error.systemReason)")
    }
    try hide(folder)
  }

  /// Makes git ignore the folder unless it is missing or contains a `.gitignore`.
  static func hide(_ folder: FilePath) throws {
    let rules = folder.appending(".gitignore")
    guard isNamed(folder), FilePath.isFolder(folder.string),
      !FileManager.default.fileExists(atPath: rules.string)
    else { return }
    do {
      try Data("*\n".utf8).write(to: URL(filePath: rules.string))
    } catch {
      throw Failure(.cannotCreate, "\(rules): write: \(error.systemReason)")
    }
  }

  private static func isNamed(_ folder: FilePath) -> Bool {
    folder.lastComponent?.string == ".zoombench"
  }
}
