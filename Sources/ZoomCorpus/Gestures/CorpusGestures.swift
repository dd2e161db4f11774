internal import Foundation
package import ZoomGeometry

/// The gesture scripts embedded in zoombench from `Corpus/gestures`.
package enum CorpusGestures {
  /// The names of the scripts, which are the names of their files.
  package static let names = scripts.map(\.name)

  private static let scripts: [(name: String, json: [UInt8])] = [
    ("peek", PackageResources.peek_json),
    ("peek-presses", PackageResources.peek_presses_json),
    ("fullscreen", PackageResources.fullscreen_json),
    ("force", PackageResources.force_json),
    ("force-button", PackageResources.force_button_json),
    ("force-animation", PackageResources.force_animation_json),
    ("double-tap", PackageResources.double_tap_json),
    ("transition", PackageResources.transition_json),
  ]

  /// Returns the script of a name; nil if there is none.
  package static func named(_ name: String) throws(CorpusError) -> GestureScript? {
    guard let script = scripts.first(where: { $0.name == name }) else { return nil }
    do {
      return try JSONDecoder().decode(GestureScript.self, from: Data(script.json))
    } catch {
      throw CorpusError("the gesture script \(name) cannot be read: \(error)")
    }
  }

  /// Returns the system that a script was written for; other systems can play it too.
  package static func system(of name: String) -> ZoomSystem? {
    ZoomSystem.allCases.filter { name.hasPrefix($0.rawValue) }.max {
      $0.rawValue.count < $1.rawValue.count
    }
  }
}
