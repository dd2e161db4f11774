internal import Dispatch
internal import Synchronization
package import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// The pictures, the sources that read them, and the scripts to play, shared by all pages of a server.
package final class PlayLibrary: Sendable {
  package struct Entry: Sendable {
    package var name: String
    /// Returns the current version of its file; nil if the file is missing or unreadable.
    package var version: @Sendable () -> FileVersion?
    package var open: @Sendable (_ source: String) throws -> any RegionSource

    package init(
      name: String, version: @escaping @Sendable () -> FileVersion? = { nil },
      open: @escaping @Sendable (_ source: String) throws -> any RegionSource
    ) {
      (self.name, self.version, self.open) = (name, version, open)
    }
  }

  package typealias Script = (name: String, system: ZoomSystem, script: GestureScript)

  /// A law, and the input for which a subject breaks it.
  package struct BrokenLaw: Sendable, Encodable {
    package var name, statement, subject, input, complaint: String

    package init(
      _ name: String, statement: String, subject: String, input: String, complaint: String
    ) {
      (self.name, self.statement, self.subject) = (name, statement, subject)
      (self.input, self.complaint) = (input, complaint)
    }
  }

  /// A counterexample, reproduced.
  package typealias FoundCase = (law: BrokenLaw, system: ZoomSystem, gesture: GestureCase)

  /// The pictures, at least one.
  package let pictures: [Entry]
  /// The names of the sources, the default first.
  package let sources: [String]
  package let scripts: [Script]
  /// Finds a counterexample, until the task is cancelled; throws the reason if there is none.
  package let findCase: @Sendable (PlayedCase) async throws -> FoundCase
  /// Saves a script under a name and returns its path; nil if saving is off.
  package let save: (@Sendable (GestureScript, String) throws -> String)?

  /// The memory for frames, scripts and recordings of all sessions, and for rasters that sources keep.
  package let memory: MemoryBudget
  /// The sources that read in other processes.
  private let foreign: Set<String>

  /// The slots in the order of their last requests, the latest last.
  private let slots = Mutex<[SourceSlot]>([])

  /// Serialises the sources of this process: each read may use all the memory and all cores.
  private let turn = Turn()

  /// The most slots: each may hold a raster, and pages rarely switch among this many pictures and
  /// sources.
  ///
  /// While more pictures than these are being opened there are more slots, at most one per session.
  private static let mostOpened = 8

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

  /// Returns the picture at an index of the list, read by a source.
  ///
  /// Waits for another session that opens it only while `isWanted` returns true.
  func source(
    _ name: String, of picture: Int, isWanted: () -> Bool = { true }
  ) throws -> any RegionSource {
    guard pictures.indices.contains(picture) else {
      throw PlayError("there is no picture \(picture)")
    }
    guard sources.contains(name) else {
      throw PlayError("there is no source named \(name) (use \(sources.joined(separator: ", ")))")
    }
    let slot = slots.withLock { slots in
      let index = slots.firstIndex { $0.picture == picture && $0.source == name }
      let slot = index.map { slots.remove(at: $0) } ?? SourceSlot(picture, name)
      slots.append(slot)
      slot.requests.add(1, ordering: .relaxed)
      // If a slot in use were removed, the next request would open the picture a second time.
      while slots.count > Self.mostOpened,
        let unused = slots.firstIndex(where: { $0.requests.load(ordering: .relaxed) == 0 })
      {
        slots.remove(at: unused)
      }
      return slot
    }
    defer { slot.requests.subtract(1, ordering: .relaxed) }
    // The version is read first, so that a picture replaced while it is opened is opened again.
    return try slot.opened(pictures[picture].version(), isWanted: isWanted) {
      let source = try pictures[picture].open(name)
      return foreign.contains(name) ? source : SourceInTurn(source: source, turn: turn)
    }
  }
}

/// A picture read by one source: opened at the first request and shared by all sessions.
///
/// Requests during an attempt to open it receive the result of that attempt, also an error, so that a hanging
/// program is waited for only once. The first request after a failure tries again.
private final class SourceSlot: Sendable {
  let picture: Int
  let source: String
  private let latest = Mutex<Attempt?>(nil)
  /// The number of requests in progress.
  let requests = Atomic<Int>(0)

  init(_ picture: Int, _ source: String) { (self.picture, self.source) = (picture, source) }

  /// Returns the source; opens it unless that version of the file is open already.
  ///
  /// Waits for the attempt of another thread only while `isWanted` returns true.
  func opened(
    _ version: FileVersion?, isWanted: () -> Bool, by open: () throws -> any RegionSource
  ) throws -> any RegionSource {
    let (attempt, isOwn) = latest.withLock { latest in
      if let latest, latest.version == version, !latest.hasFailed { return (latest, false) }
      let attempt = Attempt(version)
      latest = attempt
      return (attempt, true)
    }
    if isOwn { attempt.end(Result { try open() }) }
    return try attempt.source(isWanted)
  }

  private final class Attempt: Sendable {
    let version: FileVersion?
    private let result = Mutex<Result<any RegionSource, any Error>?>(nil)
    private let running = DispatchGroup()

    init(_ version: FileVersion?) {
      self.version = version
      running.enter()
    }

    var hasFailed: Bool { result.withLock { if case .failure = $0 { true } else { false } } }

    func end(_ result: Result<any RegionSource, any Error>) {
      self.result.withLock { $0 = result }
      running.leave()
    }

    func source(_ isWanted: () -> Bool) throws -> any RegionSource {
      while running.wait(timeout: .now() + .milliseconds(50)) == .timedOut && isWanted() {}
      guard let result = result.withLock({ $0 }) else { throw PlayError("it is no longer wanted") }
      return try result.get()
    }
  }
}

/// A lock that several sources share.
private final class Turn: Sendable {
  let lock = Mutex(())
}

/// A source whose reads wait for those of other sources with the same turn.
private final class SourceInTurn: RegionSource {
  private let source: any RegionSource
  private let turn: Turn

  init(source: any RegionSource, turn: Turn) { (self.source, self.turn) = (source, turn) }

  var size: PixelSize { source.size }
  var state: SourceState { source.state }
  var openingWork: Work { source.openingWork }
  var explanation: String { source.explanation }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try turn.lock.withLock { _ throws(PipelineError) in try source.read(request) }
  }

  func storedReductions() throws(PipelineError) -> [Reduction] {
    try turn.lock.withLock { _ throws(PipelineError) in try source.storedReductions() }
  }

  func forget() { source.forget() }
}

/// The error of a page's request, in a sentence for people.
struct PlayError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
