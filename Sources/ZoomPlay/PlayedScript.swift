internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// A script played in both forms, with every moment at which one of them changes.
struct PlayedScript: Sendable {
  let script: GestureScript
  let system: ZoomSystem
  let picture: PixelSize
  let title: String
  /// The law that a counterexample breaks; nil for other scripts.
  var law: PlayLibrary.BrokenLaw?

  private(set) var times: [Double] = []
  private var corrected: [ZoomState] = []
  private var original: [ZoomState] = []
  /// The index of each form's latest state, for each moment.
  private var indexes: [(corrected: Int, original: Int)] = []
  /// The reason why the published form ends early; nil if it does not.
  private(set) var failure: String?
  /// The part of the library's memory that events and states use.
  private var reservation: GrowingReservation

  /// The most moments: five minutes at the rate of recorded gestures.
  static let mostMoments = 36_000
  /// The memory of a state, in bytes, measured.
  private static let stateBytes = 1024

  /// Plays a script to its end.
  ///
  /// - Throws: `GeometryError`, or `PlayError` if the script has too many moments or exceeds `memory`.
  init(
    _ script: GestureScript, system: ZoomSystem, picture: PixelSize, title: String,
    memory: MemoryBudget
  ) throws {
    (self.script, self.system, self.picture, self.title) = (script, system, picture, title)
    reservation = GrowingReservation(memory)
    try reserve(script.events.reduce(0) { $0 + $1.recordedBytes })
    var player = try GesturePlayer(script, system: system, picture: picture)
    while let state = try player.next() {
      try reserve(Self.stateBytes)
      corrected.append(state)
      guard corrected.count <= Self.mostMoments else {
        throw PlayError("the script has more than \(Self.mostMoments) moments (cut it into parts)")
      }
    }
    do {
      var player = try GesturePlayer(script, system: system, picture: picture, form: .original)
      while original.count < Self.mostMoments, let state = try player.next() {
        try reserve(Self.stateBytes)
        original.append(state)
      }
    } catch let error as GeometryError {
      failure = "the published formulas come to numbers that cannot be shown: \(error)"
    }
    var place = (corrected: 0, original: 0)
    // Both forms start with a state at 0 s, unless the published one fails.
    times = Set(corrected.map(\.time) + original.map(\.time)).sorted()
    for time in times {
      while place.corrected + 1 < corrected.count, corrected[place.corrected + 1].time <= time {
        place.corrected += 1
      }
      while place.original + 1 < original.count, original[place.original + 1].time <= time {
        place.original += 1
      }
      indexes.append(place)
    }
  }

  private mutating func reserve(_ bytes: Int) throws {
    guard !reservation.grow(by: bytes) else { return }
    throw PlayError(
      "the script takes more memory than is left for all pages"
        + " (cut it into parts, close another page, or raise --memory)")
  }

  /// Returns the state of a form at a moment; nil if it shows nothing then.
  func state(_ form: ZoomForm, at moment: Int) -> ZoomState? {
    let index = indexes[moment]
    return form == .corrected
      ? corrected[index.corrected]
      : original.isEmpty ? nil : original[index.original]
  }

  /// The first moment to show: where the forms of a counterexample first differ, otherwise the first of all.
  var opening: Int {
    guard law != nil else { return 0 }
    return times.indices.first { moment in
      guard let one = state(.original, at: moment), let other = state(.corrected, at: moment) else {
        return true
      }
      return one.layers != other.layers || one.recogniser != other.recogniser
        || one.force != other.force
    } ?? times.count - 1
  }

  /// Returns whether no finger is down and nothing moves at a moment.
  func isAtRest(_ moment: Int) -> Bool {
    moment == times.count - 1 && script.events.fingers().isEmpty
  }
}
