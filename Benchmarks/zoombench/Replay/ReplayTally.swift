internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// What the frames of a replay took, summed up for the summary's lines.
struct ReplayTally {
  private var nanoseconds: [UInt64] = []
  private var work = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
  private var pixelsShown = 0
  /// How often layers were drawn in each way.
  private var ways: [String: Int] = [:]

  mutating func add(_ frame: Frame, _ elapsed: Elapsed) {
    nanoseconds.append(elapsed.wallNanoseconds)
    work = work + frame.work
    pixelsShown += frame.pixels.size.area
    for layer in frame.layers { ways[layer.kind.label, default: 0] += 1 }
  }

  /// "p50 3.1 ms, p95 5.0 ms, the first 40 ms".
  var timeLine: String {
    // The first frame reads and shrinks what later ones find in memory.
    let first = nanoseconds.first.map { Format.milliseconds(Double($0)) } ?? "-"
    guard let rest = try? Summary(nanoseconds: Array(nanoseconds.dropFirst())) else {
      return "the only frame \(first)"
    }
    let tail = rest.p95.map { ", p95 \(Format.milliseconds($0))" } ?? ""
    return "p50 \(Format.milliseconds(rest.median))\(tail) a frame, the first \(first)"
  }

  var workLine: String {
    var parts: [String] = []
    if let decoded = work.pixelsDecoded {
      let share = Double(decoded) / Double(max(1, pixelsShown))
      parts.append("\(Format.significant(share)) pixels decoded for each of the screen")
    }
    if let bytes = work.bytesRead { parts.append("\(Format.bytes(Double(bytes))) read") }
    return parts.isEmpty ? "-" : parts.joined(separator: ", ")
  }

  /// "bilinear 300 times, exact 288 times".
  var wayLine: String {
    ways.isEmpty
      ? "no part of the picture"
      : ways.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)x" }.joined(separator: ", ")
  }
}
