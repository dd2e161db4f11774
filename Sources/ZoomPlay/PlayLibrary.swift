internal import Synchronization
package import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// The pictures that can be pressed on, the sources that read them, and the scripts to play: what all
/// pages of a server share.
package final class PlayLibrary: Sendable {
  /// A picture by the name that is shown.
  package struct Entry: Sendable {
    package var name: String
    /// Opens it by a source's name.
    package var open: @Sendable (_ source: String) throws -> any RegionSource

    /// A picture.
    package init(
      name: String, open: @escaping @Sendable (_ source: String) throws -> any RegionSource
    ) {
      (self.name, self.open) = (name, open)
    }
  }

  /// A script by its name, for a system.
  package struct Script: Sendable {
    package var name: String
    package var system: ZoomSystem
    package var script: GestureScript

    /// A script.
    package init(name: String, system: ZoomSystem, script: GestureScript) {
      (self.name, self.system, self.script) = (name, system, script)
    }
  }

  /// A counterexample, tried again.
  package struct FoundCase: Sendable {
    package var statement: String
    package var input: String
    package var complaint: String
    package var system: ZoomSystem
    package var form: ZoomForm
    package var gesture: GestureCase

    /// A counterexample.
    package init(
      statement: String, input: String, complaint: String, system: ZoomSystem, form: ZoomForm,
      gesture: GestureCase
    ) {
      (self.statement, self.input, self.complaint) = (statement, input, complaint)
      (self.system, self.form, self.gesture) = (system, form, gesture)
    }
  }

  /// The pictures, at least one.
  package let pictures: [Entry]
  /// The names of the sources, the one to begin with first.
  package let sources: [String]
  /// The scripts.
  package let scripts: [Script]
  /// Finds a counterexample; throws what says why there is none.
  package let findCase: @Sendable (PlayedCase) async throws -> FoundCase
  /// Saves a script under a name and returns where it is; nil where nothing is to be saved.
  package let save: (@Sendable (GestureScript, String) throws -> String)?

  /// The sources that were opened, the one not asked for the longest first.
  private let opened = Mutex<[(key: String, source: any RegionSource)]>([])

  /// Each may hold a raster; eight are more than two pages switch between.
  private static let mostOpened = 8

  /// Puts a library together.
  package init(
    pictures: [Entry], sources: [String], scripts: [Script],
    findCase: @escaping @Sendable (PlayedCase) async throws -> FoundCase,
    save: (@Sendable (GestureScript, String) throws -> String)?
  ) {
    precondition(!pictures.isEmpty && !sources.isEmpty, "there is nothing to press on")
    self.pictures = pictures
    self.sources = sources
    self.scripts = scripts
    self.findCase = findCase
    self.save = save
  }

  /// The picture at a place of the list, read by a source.
  func source(_ name: String, of picture: Int) throws -> any RegionSource {
    guard pictures.indices.contains(picture) else {
      throw PlayError("there is no picture \(picture)")
    }
    guard sources.contains(name) else {
      throw PlayError("there is no source named \(name) (use \(sources.joined(separator: ", ")))")
    }
    let key = "\(picture) \(name)"
    // Under the lock, so that two pages do not open a picture twice; opening reads a header.
    return try opened.withLock { opened in
      if let index = opened.firstIndex(where: { $0.key == key }) {
        let found = opened.remove(at: index)
        opened.append(found)
        return found.source
      }
      let source = try pictures[picture].open(name)
      opened.append((key, source))
      if opened.count > Self.mostOpened { opened.removeFirst() }
      return source
    }
  }
}

/// What a page asked for and cannot have, in a sentence for people.
struct PlayError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
