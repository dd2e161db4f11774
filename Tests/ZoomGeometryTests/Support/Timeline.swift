import Foundation
import Testing

@testable import ZoomGeometry

/// A behaviour of a system: events in order of time, and the states expected between them.
///
/// Each is a JSON file in `Tests/ZoomGeometryTests/Timelines`:
///
///     {
///       "name": "FZ-B1: what is published, and what is right",
///       "source": "One sentence: where it was published, or why it is right.",
///       "system": "peek",
///       "form": "original",
///       "picture": [1600, 1200],
///       "setup": {"screen": {"width": 375, "height": 667}, "maximumForce": 1},
///       "timeline": [
///         {"time": 0, "phase": "began", "touches": [{"id": 1, "x": 100, "y": 300}]},
///         {"at": 0.5, "picture": [0, 192.875, 375, 281.25], "events": ["peek"]}
///       ]
///     }
///
/// - `form`: if it is left out, both forms are played, and an expectation may name the `form` to
///   which it applies.
/// - `setup`: the keys of a gesture script except `events`.
/// - `timeline`: items with `time` are the events of a gesture script. Items with `at` are
///   expectations, with at least one key of ``fields``, or with `sameAs`: the time of an earlier
///   expectation whose layers must be equal. If several expectations have that time, the first of
///   them is meant. Numbers are compared to a millionth.
///
/// Time passes in frames of a sixtieth of a second, and stops exactly at each item. The last item is
/// an expectation.
struct Timeline {
  /// The values of an expectation, by their keys.
  ///
  /// Lengths are in points of the viewport, a rectangle is [x, y, width, height], and a value that
  /// the state lacks is null.
  static let fields: [String: @Sendable (ZoomState) -> TimelineValue] = [
    // The topmost picture layer: its frame, the part of the frame that the mask shows, the picture
    // pixels in the frame, points per picture pixel, the clockwise turn in degrees from 0 to 360.
    "picture": { .numbers(of: $0.picture.map { $0.transform.boundingBox(of: $0.size.atOrigin) }) },
    "seen": { .numbers(of: $0.picture?.box) },
    "content": { .numbers(of: $0.picture?.content) },
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
    "corners": { .number($0.picture?.cornerRadius) },
    // The topmost outline, as a peek's preview frame: its rectangle, and its width and shade.
    "outline": { .numbers(of: $0.previewFrame) },
    "line": { state in
      for case .outline(let line) in state.layers.reversed() {
        return .list([.number(line.width), .number(line.shade)])
      }
      return .null
    },
    // Every area from back to front: its frame, its shade from 0 (black) to 1, its opacity.
    "fills": { .list($0.fills.map { .numbers(of: $0.transform.boundingBox(of: $0.rect)) }) },
    "shades": { .list($0.fills.map { .number($0.shade) }) },
    "fillAlphas": { .list($0.fills.map { .number($0.opacity) }) },
    // For each layer from back to front: "fill", "picture" or "outline", and the shadow as the
    // offset right and down, the radius and the opacity.
    "layers": { .list($0.layers.map { .text($0.kind) }) },
    "shadows": { .list($0.layers.map { .numbers(of: $0.shadow) }) },
    "recogniser": { .text($0.recogniser.rawValue) },
    "force": { .number($0.force) },
    // The events since the previous expectation.
    "events": { .list($0.events.map { .text($0.rawValue) }) },
  ]

  private enum Item {
    case event(GestureEvent)
    case expectation(Double, ZoomForm?, [String: TimelineValue])
  }

  private let system: ZoomSystem
  private let forms: [ZoomForm]
  private let picture: PixelSize
  private let scene: ZoomScene
  private let items: [Item]

  /// Reads a file's text; a file without an expectation or with an unknown key is an error.
  init(_ text: Data) throws {
    guard let file = try JSONSerialization.jsonObject(with: text) as? [String: Any] else {
      throw Mistake("the file is not an object")
    }
    let required = ["name", "source", "system", "picture", "setup", "timeline"]
    if let unknown = file.keys.first(where: { $0 != "form" && !required.contains($0) }) {
      throw Mistake("unknown key \(unknown)")
    }
    func value<Value: Decodable>(_ key: String, _ type: Value.Type = Value.self) throws -> Value {
      guard let value = file[key] else { throw Mistake("\(key) is missing") }
      return try Self.decoded(value)
    }
    for key in ["name", "source"] { _ = try value(key, String.self) }
    system = try value("system")
    let isOneForm = file["form"] != nil
    forms = isOneForm ? [try value("form")] : [.original, .corrected]
    let sides: [Int] = try value("picture")
    guard sides.count == 2 else { throw Mistake("picture is not [width, height]") }
    picture = try PixelSize(sides[0], sides[1])
    guard let list = file["timeline"] as? [[String: Any]],
      var script = file["setup"] as? [String: Any]
    else { throw Mistake("setup or timeline is missing") }
    items = try list.map { item in
      guard let at = item["at"] else { return .event(try Self.decoded(item)) }
      let time: Double = try Self.decoded(at)
      let form: ZoomForm? = try item["form"].map { try Self.decoded($0) }
      if isOneForm, form != nil { throw Mistake("at \(time) s: the file has a form already") }
      let values = item.filter { $0.key != "at" && $0.key != "form" }
      if let unknown = values.keys.first(where: { $0 != "sameAs" && Self.fields[$0] == nil }) {
        throw Mistake("at \(time) s: unknown key \(unknown)")
      }
      if values.isEmpty { throw Mistake("at \(time) s: nothing is expected") }
      return .expectation(time, form, try values.mapValues { try Self.decoded($0) })
    }
    guard case .expectation? = items.last else {
      throw Mistake("the last item of the timeline is not an expectation")
    }
    // A script checks the setup and the events.
    script["zoombench-gestures"] = GestureScript.version
    script["events"] = list.filter { $0["at"] == nil }
    scene = try Self.decoded(script, GestureScript.self).scene
  }

  private static func decoded<Value: Decodable>(
    _ json: Any, _ type: Value.Type = Value.self
  ) throws -> Value {
    let data = try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed)
    return try JSONDecoder().decode(type, from: data)
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
        if seen[time] == nil { seen[time] = state.layers }
        for (key, expected) in values.sorted(by: { $0.key < $1.key }) {
          if let field = Self.fields[key] {
            let actual = field(state)
            if !actual.isNear(expected) {
              differences.append("\(form), at \(time) s: \(key) is \(actual), not \(expected)")
            }
          } else if case .number(let earlier) = expected,
            !ZoomGeometryTests.near(state.layers, seen[earlier] ?? [], within: 1e-6)
          {
            differences.append(
              "\(form), at \(time) s: the layers differ from those at \(expected) s")
          }
        }
      case .expectation: break
      }
    }
    return differences
  }

  struct Mistake: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

enum TimelineValue: Decodable, CustomStringConvertible {
  case null
  case number(Double)
  case text(String)
  case list([TimelineValue])

  static func number(_ value: Double?) -> TimelineValue { value.map { .number($0) } ?? .null }

  /// Returns the numbers of a rectangle or a shadow, in the order of their declaration.
  static func numbers<Value>(of value: Value?) -> TimelineValue {
    guard let value else { return .null }
    return .list(ZoomGeometryTests.numbers(in: value).map { .number($0) })
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([TimelineValue].self))
    }
  }

  /// Returns whether two values are the same, numbers to a millionth.
  func isNear(_ other: TimelineValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): near(one, other, within: 1e-6)
    case (.list(let one), .list(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isNear($1) }
    case (.text(let one), .text(let other)): one == other
    case (.null, .null): true
    default: false
    }
  }

  var description: String {
    switch self {
    case .null: "null"
    case .number(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .list(let list): "[\(list.map(\.description).joined(separator: ", "))]"
    }
  }
}

extension ZoomState {
  fileprivate var fills: [FillLayer] {
    layers.compactMap { if case .fill(let layer) = $0 { layer } else { nil } }
  }
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

@Suite struct TimelineTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Timelines")

  /// The names of the files in the folder of timelines; every one must be a timeline.
  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.isEmpty ? ["(no file)"] : names.sorted()
  }()

  @Test(arguments: names) func `a system behaves as its timeline says`(file: String) throws {
    let text = try Data(contentsOf: Self.folder.appending(path: file))
    #expect(try Timeline(text).differences() == [], "\(file)")
  }

  /// Plays a light touch on a picture, with a change to the file.
  private func differences(replacing old: String, with new: String) throws -> [String] {
    let text = """
      {
        "name": "a light touch", "source": "made up", "system": "peek", "picture": [1600, 1200],
        "setup": {"screen": {"width": 375, "height": 667}},
        "timeline": [
          {"at": 0, "picture": [0, 192.875, 375, 281.25], "outline": null, "events": []},
          {"time": 0.1, "phase": "began", "touches": [{"id": 1, "x": 187.5, "y": 333.5}]},
          {"at": 0.5, "form": "corrected", "layers": ["picture", "outline"]},
          {"time": 0.6, "phase": "ended", "touches": [{"id": 1, "x": 187.5, "y": 333.5}]},
          {"at": 1, "sameAs": 0, "scale": 0.234375}
        ]
      }
      """
    #expect(text.contains(old))
    return try Timeline(Data(text.replacing(old, with: new).utf8)).differences()
  }

  @Test func `a wrong expectation is reported with its form and its time, a misspelt key refused`()
    throws
  {
    #expect(try differences(replacing: "made up", with: "made up") == [])
    #expect(
      try differences(replacing: "0.234375", with: "0.3")
        == ["original", "corrected"].map { "\($0), at 1.0 s: scale is 0.234375, not 0.3" })
    #expect(
      try differences(replacing: "\"sameAs\": 0", with: "\"sameAs\": 0.5").count == 2)
    for key in ["\"name\"", "\"sameAs\"", "\"height\"", "\"phase\""] {
      #expect(throws: (any Error).self) { try differences(replacing: key, with: "\"misspelt\"") }
    }
  }
}
