internal import Foundation
internal import LiveSteps
internal import Measurement
internal import ZoomCorpus
internal import ZoomGeometry

/// Times the steps of live zoom systems: from an event or a frame to layers, without pixels.
///
/// One `LiveZoom` plays each gesture repeatedly, with the frames between its events. Buffers grow during
/// the first play; later steps should not allocate.
struct LiveBench {
  /// One system in one form.
  struct Row: Codable {
    var gesture: String
    var system: ZoomSystem
    var form: ZoomForm
    /// Steps per play.
    var steps: Int
    var nanoseconds: [UInt64]
    /// Heap allocations in one play after the first; nil where they cannot be counted.
    var blocks: Int?
  }

  /// The result with all raw samples.
  struct Report: Codable {
    var schema = "zoombench.steps/1"
    var environment: RunResult.Environment
    var rows: [Row]

    /// The corrected systems that allocate memory at every play.
    var allocating: [Row] { rows.filter { $0.form == .corrected && $0.blocks ?? 0 > 0 } }
  }

  struct Gesture {
    let name: String
    let script: GestureScript
    let system: ZoomSystem
  }

  let gestures: [Gesture]
  let plays: Int

  func run(_ bar: ProgressBar) throws -> Report {
    var rows: [Row] = []
    for (number, gesture) in gestures.enumerated() {
      bar.update(Double(number) / Double(gestures.count), gesture.name)
      for form in ZoomForm.allCases { rows.append(try measure(gesture, form)) }
    }
    return Report(environment: .current(), rows: rows)
  }

  private func measure(_ gesture: Gesture, _ form: ZoomForm) throws -> Row {
    let petronas = try PixelSize(width: 3264, height: 4896)
    var zoom = try LiveZoom(
      gesture.system, picture: petronas, scene: gesture.script.scene, form: form)
    let first = LiveSteps(gesture.script, from: 0)
    let period = (first.steps.last?.time ?? 0) + 1
    func steps(ofPlay play: Int) -> LiveSteps {
      LiveSteps(gesture.script, from: Double(play) * period)
    }
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
      gesture: gesture.name, system: gesture.system, form: form, steps: first.steps.count,
      nanoseconds: samples, blocks: count?.blocks)
  }
}

extension LiveBench.Report {
  var table: TextTable {
    var table = TextTable(columns: [
      .left("gesture"), .left("system"), .left("form"), .right("steps"), .right("p50 ns"),
      .right("p95 ns"), .right("p99 ns"), .right("blocks a play"),
    ])
    for row in rows {
      let summary = try? Summary(nanoseconds: row.nanoseconds)
      func text(_ value: Double?) -> String {
        value.map { Format.significant($0) } ?? Format.nothing
      }
      table.append([
        row.gesture, row.system.rawValue, row.form.rawValue, String(row.steps),
        text(summary?.median), text(summary?.p95), text(summary?.p99),
        row.blocks.map(String.init) ?? Format.nothing,
      ])
    }
    return table
  }

  static let footing =
    "A step is an event or a frame in, layers out; its time includes the clock's own."
    + " blocks: heap allocations in one play, after two plays of warm-up."
}
