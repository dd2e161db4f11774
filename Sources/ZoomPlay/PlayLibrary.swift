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
    /// The version of its file now; nil for what is no file, or cannot be read.
    package var version: @Sendable () -> FileVersion?
    /// Opens it by a source's name.
    package var open: @Sendable (_ source: String) throws -> any RegionSource

    /// A picture.
    package init(
      name: String, version: @escaping @Sendable () -> FileVersion? = { nil },
      open: @escaping @Sendable (_ source: String) throws -> any RegionSource
    ) {
      (self.name, self.version, self.open) = (name, version, open)
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

  /// What the frames of all sessions take together, beside the rasters that sources keep.
  package let memory: MemoryBudget
  /// The sources that read in other processes.
  private let foreign: Set<String>

  /// A source of a picture, opened by the first that asks for it; others wait for that one alone.
  private final class Slot: Sendable {
    let (picture, source): (Int, String)
    let opened = Mutex<(version: FileVersion?, source: any RegionSource)?>(nil)

    init(_ picture: Int, _ source: String) { (self.picture, self.source) = (picture, source) }
  }

  /// The slots, the one not asked for the longest first.
  private let slots = Mutex<[Slot]>([])

  /// Sources of this process read one after the other: each may take all the memory and all the cores.
  private let turn = Turn()

  /// Each may hold a raster; eight are more than two pages switch between.
  private static let mostOpened = 8

  /// Puts a library together.
  package init(
    pictures: [Entry], sources: [String], foreign: Set<String> = [], scripts: [Script],
    memory: MemoryBudget = MemoryBudget(),
    findCase: @escaping @Sendable (PlayedCase) async throws -> FoundCase,
    save: (@Sendable (GestureScript, String) throws -> String)?
  ) {
    precondition(!pictures.isEmpty && !sources.isEmpty, "there is nothing to press on")
    self.pictures = pictures
    self.sources = sources
    self.foreign = foreign
    self.memory = memory
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
    let slot = slots.withLock { slots in
      let index = slots.firstIndex { $0.picture == picture && $0.source == name }
      let slot = index.map { slots.remove(at: $0) } ?? Slot(picture, name)
      slots.append(slot)
      if slots.count > Self.mostOpened { slots.removeFirst() }
      return slot
    }
    // Opening may take long: another program's may never end. Pages that show something else go on.
    return try slot.opened.withLock { opened in
      // Taken first: a picture that is replaced while it is opened is opened once more.
      let version = pictures[picture].version()
      if let opened, opened.version == version { return opened.source }
      let source = try pictures[picture].open(name)
      let shared: any RegionSource =
        foreign.contains(name) ? source : SourceInTurn(source: source, turn: turn)
      opened = (version, shared)
      return shared
    }
  }
}

/// Lets one through at a time.
private final class Turn: Sendable {
  private let lock = Mutex(())

  func take<Result>(_ body: () throws(PipelineError) -> Result) throws(PipelineError) -> Result {
    try lock.withLock { _ throws(PipelineError) in try body() }
  }
}

/// A source that reads while no other of the same turn does.
private final class SourceInTurn: RegionSource {
  private let source: any RegionSource
  private let turn: Turn

  init(source: any RegionSource, turn: Turn) { (self.source, self.turn) = (source, turn) }

  var size: PixelSize { source.size }
  var state: SourceState { source.state }
  var openingWork: Work { source.openingWork }
  var explanation: String { source.explanation }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try turn.take { () throws(PipelineError) in try source.read(request) }
  }

  func forget() { source.forget() }
}

/// What a page asked for and cannot have, in a sentence for people.
struct PlayError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
