internal import Foundation
package import SystemPackage
package import ZoomCorpus

/// The corpus for tests, made once, on demand, in the checkout's ignored folder.
package enum CorpusPictures {
  /// The folder named by ZOOMBENCH_CORPUS, or that of `zoombench corpus make` in the checkout.
  package static let folder: CorpusFolder = {
    if let named = ProcessInfo.processInfo.environment["ZOOMBENCH_CORPUS"] {
      return CorpusFolder(FilePath(named))
    }
    // This file is Tests/TestSupport/CorpusPictures.swift of the checkout.
    let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent()
    return CorpusFolder(root.appending(".zoombench").appending("corpus"))
  }()

  /// Returns all pictures that are not on demand.
  package static func all() throws -> [CorpusPicture] {
    try CorpusManifest.builtIn().pictures(named: [])
  }

  /// Returns the file of a corpus picture; makes it unless the current recipe has made it.
  package static func file(_ name: String) async throws -> FilePath {
    guard let picture = try CorpusManifest.builtIn().pictures(named: [name]).first else {
      throw CorpusError("no picture named \(name)")
    }
    _ = try await Maker.shared.make(picture, in: folder)
    return folder.file(of: picture)
  }

  /// Makes each picture once, however many tests ask for it.
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
