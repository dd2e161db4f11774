internal import ZoomGeometry

/// What a benchmark of replays does, checked.
struct ReplayBenchPlan {
  /// A script with the system that plays it.
  struct Gesture {
    let name: String
    let script: GestureScript
    let system: ZoomSystem
  }

  let subjects: [BenchPlan.Subject]
  let gestures: [Gesture]
  /// naive first.
  let sources: [String]
  /// How many times each gesture is replayed from the start.
  let repeats: Int
  let seed: UInt64

  /// naive renders only so many frames of a replay, evenly spread: it decodes the whole picture for
  /// most of them, and its frames are what the others' are compared with.
  static let naiveFrames = 30
  /// The one picture of the demo that all five systems have to shrink far.
  static let standardPictures = ["petronas"]
  static let standardSources = ["naive", "resident", "automatic"]
  static let standardGestures = ["peek", "fullscreen", "force", "double-tap", "transition"]
}
