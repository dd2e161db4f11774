internal import Foundation
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// What the server tells a page in text: one JSON object a message, told apart by its key.
struct PlayAnswer: Encodable {
  var hello: Hello?
  var live: Live?
  var timeline: Timeline?
  var script: GestureScript?
  var saved: String?
  var error: String?

  /// What there is to choose from.
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

  /// A live system has begun.
  struct Live: Encodable {
    var picture: PixelSize
    var ticksPerSecond: Double
  }

  /// The moments of a script.
  struct Timeline: Encodable {
    var title: String
    var system: ZoomSystem
    var picture: PixelSize
    var pictureName: String
    /// The screen at the beginning; events may change it.
    var screen: Screen
    /// The time of each moment in seconds.
    var times: [Double]
    /// What fingers and the device do, in words, each with its time.
    var events: [GestureEvent]
    /// The moment to open at.
    var opening: Int
    /// What a counterexample is of.
    var law: Law?

    struct Law: Encodable {
      var name: String
      var statement: String
      var subject: String
      var input: String
      var complaint: String
    }
  }

  func json() throws -> Data { try Self.encoder.encode(self) }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return encoder
  }()
}

/// What stands before the pixels of a frame.
struct FrameHeader: Encodable {
  /// Counts the frames of a session.
  var number: Int
  /// Seconds of the system's clock.
  var time: Double
  /// The moment of the script that is played; nil for a live system.
  var moment: Int?
  /// The last message of events that was taken.
  var answers: Int
  /// From that message's arrival until the frame could be sent, in milliseconds; nil for a frame that
  /// answers none.
  var serverMilliseconds: Double?
  /// The width and height of the first panel's screen in points.
  var points: [Double]
  var recogniser: RecogniserState
  var force: Double
  var events: [ZoomEvent]
  /// Laws that the state of the first panel breaks.
  var broken: [Broken]
  var isMoving: Bool
  var panels: [Panel]

  struct Broken: Encodable {
    var law: String
    var statement: String
    var complaint: String
  }

  struct Panel: Encodable {
    /// `corrected`, `original`, or `difference`.
    var form: String
    var source: String
    /// The screen's size in pixels.
    var width, height: Int
    /// The part that has changed since the frame before, where its pixels begin, and how many bytes.
    var x, y, partWidth, partHeight, at, count: Int
    /// `rgba` or `jpeg`.
    var coding: String
    /// How long drawing took, in milliseconds.
    var milliseconds: Double
    /// Picture pixels decoded for it; nil where the source does not say.
    var decoded: Int?
    /// Bytes read for it; nil where the source does not say.
    var read: Int?
    /// What the panel cannot show, and why.
    var failure: String?
    /// Corners of the topmost picture layer and of the preview frame, in points: what is drawn over
    /// the other panel to show what was expected.
    var outlines: [[Double]]
  }
}
