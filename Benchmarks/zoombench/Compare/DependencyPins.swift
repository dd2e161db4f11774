internal import Foundation
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// The content of Package.resolved: the versions of a package's dependencies.
///
/// A revision that has this file in git is built with it. Another one is built with the file of the user's
/// work tree, or with the versions that the first build resolved: if each build resolved its own, two
/// revisions could differ only in their dependencies.
struct DependencyPins {
  static let file: FilePath.Component = "Package.resolved"

  let content: Data

  /// A digest of the content, used in folder names.
  var digest: String { String(RunRecord.id(ofText: content).prefix(8)) }

  /// The versions by package; empty if the file cannot be parsed, which SwiftPM reports.
  var versions: [String: String] {
    struct Pins: Decodable {
      struct Pin: Decodable {
        struct State: Decodable {
          var version: String?
          var branch: String?
          var revision: String?
        }
        var identity: String
        var state: State
      }
      var pins: [Pin]
    }
    guard let read = try? JSONDecoder().decode(Pins.self, from: content) else { return [:] }
    let pairs = read.pins.map { ($0.identity, $0.state.version ?? $0.state.revision ?? "?") }
    return Dictionary(pairs) { first, _ in first }
  }

  init(_ content: Data) { self.content = content }

  init?(in package: FilePath) {
    let path = package.appending(Self.file).string
    guard let content = FileManager.default.contents(atPath: path) else { return nil }
    self.content = content
  }

  /// Writes the file into a folder, created if missing, unless the same file exists.
  func write(in package: FilePath) throws {
    if DependencyPins(in: package)?.content == content { return }
    do {
      try FileManager.default.createDirectory(
        atPath: package.string, withIntermediateDirectories: true)
    } catch {
      throw Failure(.cannotCreate, "\(package): make the folder: \(error.systemReason)")
    }
    try AtomicFile.write(Array(content), to: package.appending(Self.file))
  }
}
