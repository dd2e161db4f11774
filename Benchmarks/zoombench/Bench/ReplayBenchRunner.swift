internal import Measurement
internal import SystemPackage
internal import ZoomFrames
internal import ZoomGeometry
internal import ZoomPipeline

/// The work of a benchmark of replays; all names in it have been checked.
struct ReplayBenchPlan {
  struct Gesture {
    let name: String
    let script: GestureScript
    let system: ZoomSystem
  }

  let subjects: [BenchPlan.Subject]
  let gestures: [Gesture]
  /// The sources; naive comes first.
  let sources: [String]
  let repeats: Int
  let seed: UInt64

  /// The number of frames per replay that naive renders, evenly spread, to compare the others with.
  ///
  /// naive decodes the whole picture for most frames.
  static let naiveFrames = 30
  /// The one picture of the demo that all five systems must reduce strongly.
  static let standardPictures = ["petronas"]
  static let standardSources = ["naive", "resident", "automatic"]
  static let standardGestures = ["peek", "fullscreen", "force", "double-tap", "transition"]
}

/// Replays gestures over pictures with every source, frame by frame in shuffled order.
struct ReplayBenchRunner {
  let plan: ReplayBenchPlan
  let bar: ProgressBar
  let pipelines: StandardPipelines

  /// A source in a replay with its results so far.
  private struct Contender {
    let pipeline: any Pipeline
    var renderer: FrameRenderer
    var arm: ReplayBenchReport.Arm
  }

  func run() throws -> (pictures: [BenchReport.PictureFacts], groups: [ReplayBenchReport.Group]) {
    var pictures: [BenchReport.PictureFacts] = []
    var groups: [ReplayBenchReport.Group] = []
    for (number, subject) in plan.subjects.enumerated() {
      let picture = try Picture(subject.path, limits: pipelines.limits)
      pictures.append(
        BenchReport.PictureFacts(
          name: subject.name, path: subject.path.string, width: picture.size.width,
          height: picture.size.height, byteCount: picture.version.length,
          facts: InspectCommand.facts(of: picture)))
      for (step, gesture) in plan.gestures.enumerated() {
        let cases = Double(plan.subjects.count * plan.gestures.count)
        bar.update(
          Double(number * plan.gestures.count + step) / cases, "\(subject.name): \(gesture.name)")
        groups.append(try replay(gesture, over: picture, named: subject.name))
      }
    }
    return (pictures, groups)
  }

  private func replay(
    _ gesture: ReplayBenchPlan.Gesture, over picture: Picture, named name: String
  ) throws -> ReplayBenchReport.Group {
    let timeline = try ReplayTimeline(
      gesture.script, system: gesture.system, picture: picture.size, forms: [.corrected])
    let states = timeline.moments.compactMap(\.states.first)
    let sampled = timeline.sample(ReplayBenchPlan.naiveFrames)
    var (contenders, refusals) = try open(picture)
    let orders = ShuffledRounds(
      arms: contenders.count,
      seed: SeededRandom.derivedSeed(from: plan.seed, label: "\(name) \(gesture.name)"))
    for repetition in 0..<plan.repeats {
      for (number, state) in states.enumerated() {
        let isSampled = repetition == 0 && sampled.contains(number)
        var frames = [Frame?](repeating: nil, count: contenders.count)
        for index in orders.order(round: repetition * states.count + number)
        where isSampled || contenders[index].pipeline.name != "naive" {
          frames[index] = try render(state, with: &contenders[index], picture, isFirst: number == 0)
        }
        if isSampled { compare(frames, &contenders) }
      }
    }
    return ReplayBenchReport.Group(
      picture: name, gesture: gesture.name, system: gesture.system, screen: gesture.script.screen,
      frames: states.count, repeats: plan.repeats, sampledFrames: sampled,
      arms: contenders.map(\.arm), refusals: refusals)
  }

  private func open(
    _ picture: Picture
  ) throws -> (contenders: [Contender], refusals: [BenchReport.Refusal]) {
    var contenders: [Contender] = []
    var refusals: [BenchReport.Refusal] = []
    for name in plan.sources {
      guard let pipeline = pipelines.reader(named: name) else { continue }
      do {
        let source = try pipeline.open(picture)
        let arm = ReplayBenchReport.Arm(
          source: name, firstWallNanoseconds: [], wallNanoseconds: [], cpuNanoseconds: [],
          work: Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0), pixelsShown: 0)
        contenders.append(
          Contender(pipeline: pipeline, renderer: FrameRenderer(source: source), arm: arm))
      } catch {
        guard error.isRefusal, name != "naive" else { throw error }
        refusals.append(BenchReport.Refusal(source: name, reason: error.reason))
      }
    }
    return (contenders, refusals)
  }

  /// Times one frame; the first frame of a replay includes opening the picture, as in a viewer.
  private func render(
    _ state: ZoomState, with contender: inout Contender, _ picture: Picture, isFirst: Bool
  ) throws -> Frame {
    let pipeline = contender.pipeline
    var renderer = contender.renderer
    let (frame, elapsed) = try Stopwatch().measure { () throws(PipelineError) in
      if isFirst { renderer = FrameRenderer(source: try pipeline.open(picture.path)) }
      return try renderer.render(state)
    }
    contender.renderer = renderer
    if isFirst {
      contender.arm.firstWallNanoseconds.append(elapsed.wallNanoseconds)
    } else {
      contender.arm.wallNanoseconds.append(elapsed.wallNanoseconds)
      contender.arm.cpuNanoseconds.append(elapsed.cpuNanoseconds)
    }
    contender.arm.work = contender.arm.work + frame.work
    contender.arm.pixelsShown += frame.pixels.size.area
    return frame
  }

  /// Compares the frames with those of naive, the first contender.
  private func compare(_ frames: [Frame?], _ contenders: inout [Contender]) {
    guard let reference = frames[0]?.pixels else { return }
    for index in contenders.indices.dropFirst() {
      guard let pixels = frames[index]?.pixels else { continue }
      let difference = Self.meanDifference(reference, pixels)
      let worst = contenders[index].arm.largestMeanDifference ?? 0
      contenders[index].arm.largestMeanDifference = max(worst, difference)
    }
  }

  /// Returns the mean absolute difference of two frames' samples, in steps of 255.
  private static func meanDifference(_ one: Pixels, _ other: Pixels) -> Double {
    var sum = 0
    for (left, right) in zip(one.bytes, other.bytes) { sum += abs(Int(left) - Int(right)) }
    return Double(sum) / Double(max(1, one.bytes.count))
  }
}
