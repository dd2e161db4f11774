internal import ZoomGeometry

/// A request of a page: a JSON object with one known key.
///
/// Documentation/Play.md describes the messages. Unknown keys are ignored.
enum PlayRequest: Sendable, Decodable {
  /// Starts a new live system.
  case live(PlayScene)
  /// Sets the panels to draw.
  case view(PlayView)
  case events(PlayEvents)
  /// Reports that a frame is on the screen, so that the next may be sent.
  case shown(Int)
  /// Requests the recording of the live system as a gesture script.
  case record
  case save(String)
  /// Plays a script: a built-in one by its name, one in the message, or the recording.
  case play(PlayScript)
  case show(Int)
  case counterexample(PlayedCase)

  private enum CodingKeys: String, CodingKey {
    case live, view, events, shown, record, save, play, show, counterexample
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard let key = values.allKeys.first, values.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "a message has one key that says what it asks for"))
    }
    self =
      switch key {
      case .live: .live(try values.decode(PlayScene.self, forKey: key))
      case .view: .view(try values.decode(PlayView.self, forKey: key))
      case .events: .events(try values.decode(PlayEvents.self, forKey: key))
      case .shown: .shown(try values.decode(Int.self, forKey: key))
      case .record: .record
      case .save: .save(try values.decode(String.self, forKey: key))
      case .play: .play(try values.decode(PlayScript.self, forKey: key))
      case .show: .show(try values.decode(Int.self, forKey: key))
      case .counterexample: .counterexample(try values.decode(PlayedCase.self, forKey: key))
      }
  }
}

struct PlayScene: Sendable, Decodable {
  /// The index of the picture in the list.
  var picture: Int
  var system: ZoomSystem
  var screen: Screen
  var device: DeviceOrientation?
  var interface: InterfaceOrientation?
  var press: PressKind?
  var maximumForce: Double?
  var stage: Stage?
  /// The clock by which the system moves; nil for the server's.
  var clock: Clock?

  enum Clock: String, Sendable, Decodable {
    /// The system moves on its own.
    case server
    /// Only messages of events move the system: each to the time at which the page has sent it, and at least by a tick.
    ///
    /// They may be without events. A frame follows, which may show several. Equal messages lead to equal states,
    /// whenever they arrive.
    case page
  }
}

struct PlayView: Sendable, Decodable {
  /// The panels side by side, 1 to 3.
  var panels: [Panel]
  /// Whether another panel marks the differences between the first two.
  var difference: Bool?
  /// Whether frames are sent uncompressed; otherwise as JPEG, which slow connections need.
  var lossless: Bool?

  struct Panel: Sendable, Hashable, Decodable {
    var form: ZoomForm
    /// The source that reads the picture; `automatic` for the best one.
    var source: String
  }
}

/// The actions of fingers since the last message.
struct PlayEvents: Sendable, Decodable {
  /// The number of the message; a frame states which message it answers.
  var number: Int
  /// The time of sending, in seconds of the page's clock; event times use the same clock.
  var sent: Double
  var events: [GestureEvent]
}

struct PlayScript: Sendable, Decodable {
  var picture: Int
  var system: ZoomSystem
  /// The name of a built-in script.
  var name: String?
  /// A script that the message contains.
  var script: GestureScript?
  /// Whether to play the recording of the live system.
  var recorded: Bool?
}

/// A case of a law, as reports name it.
package struct PlayedCase: Sendable, Hashable, Codable {
  package var law: String
  /// The system and form that break it: `peek original`.
  package var subject: String
  /// The token of a random case; nil for one that is always tried.
  package var token: String?

  package init(law: String, subject: String, token: String?) {
    (self.law, self.subject, self.token) = (law, subject, token)
  }
}
