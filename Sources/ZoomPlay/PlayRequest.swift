internal import ZoomGeometry

/// What a page asks of the server: one JSON object a message, told apart by its key.
///
/// Documentation/Play.md describes the messages for people. Keys that are not known are ignored.
enum PlayRequest: Sendable, Decodable {
  /// Begins anew with a live system.
  case live(PlayScene)
  /// What is to be drawn from now on.
  case view(PlayView)
  /// What fingers did.
  case events(PlayEvents)
  /// A frame is on the screen: the next may come.
  case shown(Int)
  /// Asks for what was done since the live system began, as a gesture script.
  case record
  /// Has it saved under a name.
  case save(String)
  /// Plays a script: one of zoombench's by its name, one that comes along, or what was recorded.
  case play(PlayScript)
  /// Shows a moment of the script that is played.
  case show(Int)
  /// Opens a counterexample.
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

/// A picture, a system, and where it begins.
struct PlayScene: Sendable, Decodable {
  /// The picture's place in the list of pictures.
  var picture: Int
  var system: ZoomSystem
  var screen: Screen
  var device: DeviceOrientation?
  var interface: InterfaceOrientation?
  var press: PressKind?
  var maximumForce: Double?
  var stage: Stage?
}

/// What is drawn of a moment.
struct PlayView: Sendable, Decodable {
  /// Panels side by side, 1 to 3.
  var panels: [Panel]
  /// Whether one more panel marks where the first two differ.
  var difference: Bool?
  /// Whether frames come as they are; otherwise as JPEG, which slow connections need.
  var lossless: Bool?

  struct Panel: Sendable, Hashable, Decodable {
    var form: ZoomForm
    /// The source that reads the picture; `automatic` for the best one.
    var source: String
  }
}

/// What fingers did since the last message.
struct PlayEvents: Sendable, Decodable {
  /// Counts the messages: a frame says which it answers.
  var number: Int
  /// When it was sent, in seconds of the page's clock; the events' times are of the same.
  var sent: Double
  var events: [GestureEvent]
}

/// A script to be played over a picture.
struct PlayScript: Sendable, Decodable {
  var picture: Int
  var system: ZoomSystem
  /// The name of one of zoombench's.
  var name: String?
  /// One that comes along.
  var script: GestureScript?
  /// Whether it is what was done since the live system began.
  var recorded: Bool?
}

/// A case of a law, as reports name it.
package struct PlayedCase: Sendable, Hashable, Codable {
  /// The law's name.
  package var law: String
  /// What breaks it: `peek original`.
  package var subject: String
  /// Names the case; nil for one that is always tried.
  package var token: String?

  /// A case.
  package init(law: String, subject: String, token: String?) {
    (self.law, self.subject, self.token) = (law, subject, token)
  }
}
