internal import ZoomGeometry
internal import ZoomPipeline

/// The state table of a replay, for programs: what every frame shows, in numbers, and what it took.
struct ReplayReport: Codable {
  /// Names this format; the number goes up when a reader must change.
  static let currentSchema = "zoombench.states/1"

  /// One system's state at a moment.
  struct Row: Codable {
    var form: ZoomForm
    var state: ZoomState
    /// What its frame took; nil where no frame was drawn.
    var frame: FrameFacts?
  }

  struct Moment: Codable {
    /// Seconds of the script's clock.
    var time: Double
    /// The file of the moment's frame in a folder.
    var file: String?
    var rows: [Row]
    /// The share of the frame's pixels that differ between the two forms.
    var differingShare: Double?
  }

  struct FrameFacts: Codable {
    var work: Work
    var layers: [LayerFacts]
  }

  /// How a picture layer got into a frame.
  struct LayerFacts: Codable {
    /// The layer's place in the state.
    var layer: Int
    /// The picture pixels it took.
    var region: PixelRegion
    /// How many of them a side were decoded into one.
    var reduction: Reduction
    /// "exact 0" with the turn in degrees, or the kernel.
    var drawn: String
    /// What the source made the decoded pixels with.
    var decoded: Resampling
    /// Where the pixels came from.
    var origin: DrawnLayer.Origin
  }

  var schema = ReplayReport.currentSchema
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
  /// "exact" with the turn in degrees, or the kernel's name.
  var label: String {
    switch self {
    case .exact(.none): "exact"
    case .exact(let turn): "exact, turned \(turn.rawValue * 90)°"
    case .resampled(let kernel): kernel.rawValue
    }
  }
}
