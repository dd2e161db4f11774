internal import ZoomGeometry
internal import ZoomLaws

/// A script played in both forms: every moment at which one of them shows something.
struct PlayedScript: Sendable {
  let script: GestureScript
  let system: ZoomSystem
  let picture: PixelSize
  let title: String
  /// What a counterexample is of; nil for other scripts.
  var found: PlayLibrary.FoundCase?
  var law: String?

  private(set) var times: [Double] = []
  private var corrected: [ZoomState] = []
  private var original: [ZoomState] = []
  /// For each moment the last state of each form until then.
  private var indexes: [(corrected: Int, original: Int)] = []
  /// Why the published form ends before the script does.
  private(set) var failure: String?

  /// Five minutes at the rate at which gestures are recorded; a state takes about a kilobyte, and each
  /// form has its own.
  static let mostMoments = 36_000

  /// Plays a script to its end.
  ///
  /// - Throws: `GeometryError`, or `PlayError` for a script of too many moments.
  init(_ script: GestureScript, system: ZoomSystem, picture: PixelSize, title: String) throws {
    (self.script, self.system, self.picture, self.title) = (script, system, picture, title)
    var player = try GesturePlayer(script, system: system, picture: picture)
    while let state = try player.next() {
      corrected.append(state)
      guard corrected.count <= Self.mostMoments else {
        throw PlayError("the script has more than \(Self.mostMoments) moments (cut it into parts)")
      }
    }
    do {
      var player = try GesturePlayer(script, system: system, picture: picture, form: .original)
      while original.count < Self.mostMoments, let state = try player.next() {
        original.append(state)
      }
    } catch { failure = "the published formulas come to numbers that cannot be shown: \(error)" }
    var place = (corrected: 0, original: 0)
    // A state at 0 s is the first of each form that comes to one.
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

  /// What a form shows at a moment; nil where it shows nothing.
  func state(_ form: ZoomForm, at moment: Int) -> ZoomState? {
    let index = indexes[moment]
    return form == .corrected
      ? corrected[index.corrected]
      : original.isEmpty ? nil : original[index.original]
  }

  /// The moment to open at: of a counterexample the first at which the published system shows
  /// something else than the corrected one; of other scripts the first.
  var opening: Int {
    guard found != nil else { return 0 }
    return times.indices.first { moment in
      guard let one = state(.original, at: moment), let other = state(.corrected, at: moment) else {
        return true
      }
      return one.layers != other.layers || one.recogniser != other.recogniser
        || one.force != other.force
    } ?? times.count - 1
  }

  /// Whether at a moment no finger is down and nothing moves.
  func isAtRest(_ moment: Int) -> Bool {
    moment == times.count - 1 && script.events.fingers().isEmpty
  }
}
