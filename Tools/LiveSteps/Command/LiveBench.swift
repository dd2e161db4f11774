internal import LiveSteps
internal import Measurement
internal import ZoomCorpus
internal import ZoomGeometry
internal import zoombench

/// Times the steps of live zoom systems: from an event or a frame to layers, without pixels.
///
/// One `LiveZoom` plays each gesture repeatedly, with the frames between its events. Buffers grow during
/// the first play; later steps should not allocate.
struct LiveBench {
  /// One system in one form.
  struct Row {
    let gesture: String
    let system: ZoomSystem
    let form: ZoomForm
    /// Steps per play.
    let steps: Int
    let nanoseconds: [UInt64]
    /// Heap allocations in one play after the first; nil where they cannot be counted.
    let blocks: Int?
  }

  /// The names of the gestures to play.
  let gestures: [String]
  let plays: Int

  /// Measures each gesture with the published and the corrected system; nil for an unknown gesture.
  func run() throws -> [Row]? {
    var rows: [Row] = []
    for name in gestures {
      guard let script = try CorpusGestures.named(name),
        let system = CorpusGestures.system(of: name)
      else { return nil }
      for form in ZoomForm.allCases { rows.append(try measure(name, script, system, form)) }
    }
    return rows
  }

  private func measure(
    _ gesture: String, _ script: GestureScript, _ system: ZoomSystem, _ form: ZoomForm
  ) throws -> Row {
    let petronas = try PixelSize(width: 3264, height: 4896)
    var zoom = try LiveZoom(system, picture: petronas, scene: script.scene, form: form)
    let first = LiveSteps(script, from: 0)
    let period = (first.steps.last?.time ?? 0) + 1
    func steps(ofPlay play: Int) -> LiveSteps { LiveSteps(script, from: Double(play) * period) }
    // Twice: a buffer may still grow when the second play begins from the end state of the first.
    try first.play(&zoom)
    try steps(ofPlay: 1).play(&zoom)
    var samples: [UInt64] = []
    samples.reserveCapacity(first.steps.count * plays)
    // Reading the CPU clock is a system call, which takes longer than a step.
    let stopwatch = Stopwatch(cpu: { 0 })
    for play in 2..<plays + 2 {
      for step in steps(ofPlay: play).steps {
        samples.append(try stopwatch.measure { try step.play(&zoom) }.elapsed.wallNanoseconds)
      }
    }
    let last = steps(ofPlay: plays + 2)
    let (_, count) = try AllocationCount.during { try last.play(&zoom) }
    return Row(
      gesture: gesture, system: system, form: form, steps: first.steps.count,
      nanoseconds: samples, blocks: count?.blocks)
  }

  /// Returns a table of the rows.
  static func table(_ rows: [Row]) -> String {
    var table = TextTable(columns: [
      .left("gesture"), .left("system"), .left("form"), .right("steps"), .right("p50 ns"),
      .right("p95 ns"), .right("p99 ns"), .right("blocks per play"),
    ])
    for row in rows {
      let samples = try? SortedSamples(nanoseconds: row.nanoseconds)
      func text(_ value: Double?) -> String {
        value.map { Format.significant($0) } ?? Format.nothing
      }
      table.append([
        row.gesture, row.system.rawValue, row.form.rawValue, String(row.steps),
        text(samples?.median), text(samples?.quantile(0.95)), text(samples?.quantile(0.99)),
        row.blocks.map(String.init) ?? Format.nothing,
      ])
    }
    return table.rendered()
  }
}
