internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// A text message to a page: a JSON object with one key.
struct PlayAnswer: Encodable {
  var hello: Hello?
  var live: Live?
  var timeline: Timeline?
  var script: GestureScript?
  var saved: String?
  var error: String?

  struct Hello: Encodable {
    var version = 1
    var pictures: [String]
    var sources: [String]
    var systems = ZoomSystem.allCases
    var scripts: [Script]
    var canSave: Bool

    struct Script: Encodable {
      var name: String
      var system: ZoomSystem
      var title: String
    }
  }

  struct Live: Encodable {
    var picture: PixelSize
    var ticksPerSecond: Double
  }

  struct Timeline: Encodable {
    var title: String
    var system: ZoomSystem
    var picture: PixelSize
    var pictureName: String
    /// The screen at the start; events may change it.
    var screen: Screen
    var times: [Double]
    var events: [GestureEvent]
    var opening: Int
    var law: PlayLibrary.BrokenLaw?
  }
}

/// The header before the pixels of a frame.
struct FrameHeader: Encodable {
  /// The number of the frame within its session.
  var number: Int
  /// The time of the system's clock in seconds.
  var time: Double
  /// The moment of the played script; nil for a live system.
  var moment: Int?
  /// The number of the last handled message of events.
  var answers: Int
  /// The milliseconds from that message's arrival to this frame; nil if the frame answers no message.
  var serverMilliseconds: Double?
  /// The width and height of the first panel's screen in points.
  var points: [Double]
  var recogniser: RecogniserState
  var force: Double
  var events: [ZoomEvent]
  /// The laws that the state of the first panel breaks.
  var broken: [StateLaw.Breach]
  var isMoving: Bool
  var panels: [Panel]

  struct Panel: Encodable {
    /// `corrected`, `original`, or `difference`.
    var form: String
    var source: String
    /// The coding of the pixels: `rgba` or `jpeg`.
    var coding: String
    var width = 0, height = 0
    /// The part that has changed since the previous frame, and the offset and number of its bytes.
    var x = 0, y = 0, partWidth = 0, partHeight = 0, at = 0, count = 0
    /// The time that drawing took, in milliseconds.
    var milliseconds = 0.0
    /// The picture pixels decoded for it; nil if the source does not report them.
    var decoded: Int?
    /// The bytes read for it; nil if the source does not report them.
    var read: Int?
    /// The reason why the panel shows nothing, or nothing new.
    var failure: String?
    /// The corners of the topmost picture layer and of the preview frame in points, for the page's outlines.
    var outlines: [[Double]] = []
  }
}
