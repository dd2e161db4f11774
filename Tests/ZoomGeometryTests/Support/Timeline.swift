import Foundation
import Testing

@testable import ZoomGeometry

/// A published behaviour of a system: events in order of time, and the states expected between them.
///
/// Each is a JSON file in `Tests/ZoomGeometryTests/Timelines`:
///
///     {
///       "name": "FZ-B1: what is published, and what is right",
///       "source": "One sentence: where and how it was published.",
///       "system": "peek",
///       "form": "original",
///       "picture": [1600, 1200],
///       "setup": {"screen": {"width": 375, "height": 667}, "maximumForce": 1},
///       "timeline": [
///         {"time": 0, "phase": "began", "touches": [{"id": 1, "x": 100, "y": 300}]},
///         {"at": 0.5, "picture": [0, 192.875, 375, 281.25], "alpha": 1, "events": ["peek"]}
///       ]
///     }
///
/// - `form`: both forms are played if it is left out. Then an expectation may name the `form` that
///   it is about.
/// - `setup`: the keys of a gesture script but for `events`.
/// - `timeline`: items with `time` are the events of a gesture script. Items with `at` are
///   expectations, with at least one key of ``fields``. Numbers are compared to a millionth.
///
/// Time passes in frames of a sixtieth of a second, and stops exactly at each item. The last item is
/// an expectation.
struct Timeline {
  /// The values of an expectation, by their keys.
  ///
  /// Lengths are in points of the viewport, a rectangle is [x, y, width, height], and a value that
  /// the state lacks is null.
  static let fields: [String: @Sendable (ZoomState) -> JSONValue] = [
    // The topmost picture layer: its frame, the part of the frame that the mask shows, the picture
    // pixels in the frame, points per picture pixel, the clockwise turn in degrees from 0 to 360.
    "picture": { .rect($0.picture.map { $0.transform.boundingBox(of: $0.size.atOrigin) }) },
    "seen": { .rect($0.picture.map { $0.transform.boundingBox(of: $0.seen) }) },
    "content": {
      .rect($0.picture.map(\.content).map { ViewRect($0.x, $0.y, $0.width, $0.height) })
    },
    "scale": {
      .number(
        $0.picture.map {
          ViewPoint($0.transform.a, $0.transform.b).length * $0.size.width / $0.content.width
        })
    },
    "turn": {
      .number(
        $0.picture.map {
          let degrees = atan2($0.transform.b, $0.transform.a) * 180 / .pi
          return degrees < -1e-6 ? degrees + 360 : degrees
        })
    },
    "alpha": { .number($0.picture?.opacity) },
    "corners": { .number($0.picture?.cornerRadius) },
    // The topmost outline, as a peek's preview frame.
    "outline": { .rect($0.previewFrame) },
    // Every area from back to front: its frame, its shade from 0 (black) to 1, its opacity.
    "fills": { .list($0.fills.map { .rect($0.transform.boundingBox(of: $0.rect)) }) },
    "shades": { .list($0.fills.map { .number($0.shade) }) },
    "fillAlphas": { .list($0.fills.map { .number($0.opacity) }) },
    // The kind of each layer from back to front: "fill", "picture" or "outline".
    "layers": { .list($0.layers.map { .text($0.kind) }) },
    "recogniser": { .text($0.recogniser.rawValue) },
    "force": { .number($0.force) },
    // The events since the expectation before.
    "events": { .list($0.events.map { .text($0.rawValue) }) },
  ]

  private enum Item {
    case event(GestureEvent)
    case expectation(time: Double, form: ZoomForm?, values: [String: JSONValue])
  }

  private let system: ZoomSystem
  private let forms: [ZoomForm]
  private let picture: PixelSize
  private let scene: ZoomScene
  private let items: [Item]

  /// Reads a file's text; a file without an expectation or with an unknown key is an error.
  init(_ text: Data) throws {
    let file = try JSONDecoder().decode([String: JSONValue].self, from: text)
    let required = ["name", "source", "system", "picture", "setup", "timeline"]
    if let unknown = file.keys.first(where: { $0 != "form" && !required.contains($0) }) {
      throw Mistake("there is no key \(unknown)")
    }
    func value<Value: Decodable>(_ key: String, _ type: Value.Type = Value.self) throws -> Value {
      guard let value = file[key] else { throw Mistake("there is no \(key)") }
      return try value.decoded()
    }
    for key in ["name", "source"] { _ = try value(key, String.self) }
    system = try value("system")
    let isOneForm = file["form"] != nil
    forms = isOneForm ? [try value("form")] : [.original, .corrected]
    let sides: [Int] = try value("picture")
    guard sides.count == 2 else { throw Mistake("picture is not [width, height]") }
    picture = try PixelSize(sides[0], sides[1])
    items = try value("timeline", [[String: JSONValue]].self).map { item in
      guard let time = try item["at"]?.decoded(Double.self) else {
        return .event(try JSONValue.object(item).decoded())
      }
      let form = try item["form"]?.decoded(ZoomForm.self)
      if isOneForm, form != nil { throw Mistake("at \(time) s: the file has a form already") }
      let values = item.filter { $0.key != "at" && $0.key != "form" }
      if let unknown = values.keys.first(where: { $0 != "sameAs" && Self.fields[$0] == nil }) {
        throw Mistake("at \(time) s: there is no key \(unknown)")
      }
      if values.isEmpty { throw Mistake("at \(time) s: nothing is expected") }
      return .expectation(time: time, form: form, values: values)
    }
    guard case .expectation? = items.last else {
      throw Mistake("the last item of the timeline is not an expectation")
    }
    // A script checks the setup and the events.
    var script: [String: JSONValue] = try value("setup")
    script["zoombench-gestures"] = .number(Double(GestureScript.version))
    script["events"] = .list(
      try value("timeline", [JSONValue].self).filter { item in
        if case .object(let keys) = item { keys["at"] == nil } else { true }
      })
    scene = try JSONValue.object(script).decoded(GestureScript.self).scene
  }

  /// Plays the forms and returns each value that is not as expected, with its time.
  func differences() throws -> [String] { try forms.flatMap(differences) }

  private func differences(_ form: ZoomForm) throws -> [String] {
    var zoom = try LiveZoom(system, picture: picture, scene: scene, form: form)
    var frame = 1.0
    var seen: [Double: [Layer]] = [:]
    var differences: [String] = []
    func pass(to time: Double) throws {
      while frame / 60 < time {
        if zoom.isMoving { try zoom.advance(to: max(frame / 60, zoom.time)) }
        frame += 1
      }
    }
    for item in items {
      switch item {
      case .event(let event):
        try pass(to: event.time)
        try zoom.handle(event)
      case .expectation(let time, let only, let values) where only == nil || only == form:
        try pass(to: time)
        try zoom.advance(to: time)
        let state = try zoom.takeState()
        seen[time] = state.layers
        for (key, expected) in values.sorted(by: { $0.key < $1.key }) {
          if let field = Self.fields[key] {
            let actual = field(state)
            if !actual.isNear(expected) {
              differences.append("\(form), at \(time) s: \(key) is \(actual), not \(expected)")
            }
          } else if try seen[expected.decoded(Double.self)] != state.layers {
            differences.append(
              "\(form), at \(time) s: the layers differ from those at \(expected) s")
          }
        }
      case .expectation: break
      }
    }
    return differences
  }

  /// A mistake in a file.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

/// A value of a JSON file.
enum JSONValue: Codable, CustomStringConvertible {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

  static func rect(_ rect: ViewRect?) -> JSONValue {
    rect.map { .list([$0.x, $0.y, $0.width, $0.height].map { .number($0) }) } ?? .null
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }

  /// Decodes another type from the value.
  func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
  }

  /// Whether two values are the same, numbers to a millionth.
  func isNear(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): near(one, other, within: 1e-6)
    case (.list(let one), .list(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isNear($1) }
    case (.text(let one), .text(let other)): one == other
    case (.flag(let one), .flag(let other)): one == other
    case (.null, .null): true
    default: false
    }
  }

  var description: String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .list(let list): "[\(list.map(\.description).joined(separator: ", "))]"
    case .object(let object): "\(object)"
    }
  }
}

extension ZoomState {
  fileprivate var fills: [FillLayer] { layers.compactMap(\.fill) }
}

extension Layer {
  fileprivate var kind: String {
    switch self {
    case .picture: "picture"
    case .fill: "fill"
    case .outline: "outline"
    }
  }
}
