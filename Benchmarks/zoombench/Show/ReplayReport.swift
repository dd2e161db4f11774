internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomFrames
internal import ZoomGeometry
internal import ZoomPipeline

/// The state table of a replay for programs: the content and the cost of every frame.
struct ReplayReport: Codable {
  struct Row: Codable {
    var form: ZoomForm
    var state: ZoomState
    /// The cost of its frame; nil if no frame was drawn.
    var frame: FrameFacts?
  }

  struct Moment: Codable {
    /// Seconds of the script's clock.
    var time: Double
    /// The file of the moment's frame in the folder.
    var file: String?
    var rows: [Row]
    /// The share of the frame's pixels that differ between the two forms.
    var differingShare: Double?
  }

  struct FrameFacts: Codable {
    var work: Work
    var layers: [LayerFacts]
  }

  /// The drawing of a picture layer in a frame.
  struct LayerFacts: Codable {
    var layer: Int
    var region: PixelRegion
    /// The reduction: the number of pixels per side decoded into one.
    var reduction: Reduction
    /// The label of the layer's `PicturePlan.Kind`.
    var drawn: String
    var decoded: Resampling
    var origin: DrawnLayer.Origin
  }

  /// The name of this format; its number rises when readers must change.
  var schema = "zoombench.states/1"
  var script: String
  var system: ZoomSystem
  var picture: String
  var width: Int
  var height: Int
  var source: String
  var moments: [Moment]
}

extension ReplayReport.FrameFacts {
  init(_ frame: Frame) {
    work = frame.work
    layers = frame.layers.map { layer in
      ReplayReport.LayerFacts(
        layer: layer.index, region: layer.region, reduction: layer.reduction,
        drawn: layer.kind.label, decoded: layer.resampling, origin: layer.origin)
    }
  }
}

extension PicturePlan.Kind {
  /// "exact", with the turn in degrees if any, or "bilinear".
  var label: String {
    switch self {
    case .exact(.none): "exact"
    case .exact(let turn): "exact, turned \(turn.rawValue * 90)°"
    case .bilinear: "bilinear"
    }
  }
}

/// The costs of a replay's frames, for the summary's lines.
struct ReplayTally {
  private var nanoseconds: [UInt64] = []
  private var work = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
  private var pixelsShown = 0
  /// The number of layers drawn in each way.
  private var ways: [String: Int] = [:]

  mutating func add(_ frame: Frame, _ elapsed: Elapsed) {
    nanoseconds.append(elapsed.wallNanoseconds)
    work = work + frame.work
    pixelsShown += frame.pixels.size.area
    for layer in frame.layers { ways[layer.kind.label, default: 0] += 1 }
  }

  /// "p50 3.1 ms, p95 5.0 ms per frame, the first 40 ms".
  var timeLine: String {
    // The first frame reads and reduces what later frames find in the cache.
    let first = nanoseconds.first.map { Format.milliseconds(Double($0)) } ?? Format.nothing
    guard let rest = try? SortedSamples(nanoseconds: Array(nanoseconds.dropFirst())) else {
      return "the only frame \(first)"
    }
    let tail = rest.quantile(0.95).map { ", p95 \(Format.milliseconds($0))" } ?? ""
    return "p50 \(Format.milliseconds(rest.median))\(tail) per frame, the first \(first)"
  }

  var workLine: String {
    var parts: [String] = []
    if let decoded = work.pixelsDecoded {
      let share = Double(decoded) / Double(max(1, pixelsShown))
      parts.append("\(Format.significant(share)) pixels decoded per screen pixel")
    }
    if let bytes = work.bytesRead { parts.append("\(Format.bytes(Double(bytes))) read") }
    return parts.isEmpty ? Format.nothing : parts.joined(separator: ", ")
  }

  /// "bilinear 300x, exact 288x".
  var wayLine: String {
    ways.isEmpty
      ? "no part of the picture"
      : ways.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)x" }.joined(separator: ", ")
  }
}

/// The output of a replay, according to its name.
enum ReplayTarget {
  /// A folder of numbered frames: an existing folder, or a name without a suffix.
  case folder(FilePath)
  /// A sheet with some of the frames.
  case sheet(FilePath)
  case animation(FilePath)

  /// Determines the kind of output and checks that it can be written without overwriting the picture.
  ///
  /// - Throws: `Failure`, or a usage error for contradictory arguments.
  init(_ name: String, sparing picture: FilePath) throws {
    let path = FilePath(name)
    let exists = FileManager.default.fileExists(atPath: name)
    if FilePath.isFolder(name) || !exists && path.extension == nil {
      self = .folder(path)
      try Output.checkFolder(path)
      return
    }
    try Output.checkWritable(path, sparing: [picture])
    try Output.checkRegular(path)
    try Image.checkSuffix(of: path)
    switch path.extension?.lowercased() {
    case "webp", "gif": self = .animation(path)
    default: self = .sheet(path)
    }
  }
}
