internal import Foundation
package import SystemPackage
package import ZoomCorpus

/// The corpus as tests use it: made on demand into the checkout's ignored folder, once.
package enum CorpusPictures {
  /// The folder: where `zoombench corpus make` puts pictures when run in the checkout.
  package static let folder: CorpusFolder = {
    if let named = ProcessInfo.processInfo.environment["ZOOMBENCH_CORPUS"] {
      return CorpusFolder(FilePath(named))
    }
    // This file is Tests/TestSupport/CorpusPictures.swift of the checkout.
    let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent()
    return CorpusFolder(root.appending(".zoombench").appending("corpus"))
  }()

  /// All pictures that are not on demand.
  package static func all() throws -> [CorpusPicture] {
    try CorpusManifest.builtIn().pictures(named: [])
  }

  /// The file of a corpus picture, made now if it is not there.
  package static func file(_ name: String) async throws -> FilePath {
    guard let picture = try CorpusManifest.builtIn().pictures(named: [name]).first else {
      throw CorpusError("no picture named \(name)")
    }
    _ = try await Maker.shared.make(picture, in: folder)
    return folder.file(of: picture)
  }

  /// One picture at a time, so that two tests that want the same one do not both make it.
  private actor Maker {
    static let shared = Maker()
    private var made: [String: Task<Void, any Error>] = [:]

    func make(_ picture: CorpusPicture, in folder: CorpusFolder) async throws {
      let task =
        made[picture.name]
        ?? Task { _ = try await folder.make(picture, workers: 2) }
      made[picture.name] = task
      try await task.value
    }
  }
}
