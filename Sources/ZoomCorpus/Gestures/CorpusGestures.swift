internal import Foundation
package import ZoomGeometry

/// The gesture scripts embedded in zoombench from `Corpus/gestures`.
package enum CorpusGestures {
  /// The names of the scripts, which are the names of their files.
  package static let names = [
    "peek", "peek-presses", "fullscreen", "force", "force-button", "force-animation", "double-tap",
    "transition",
  ]

  /// Returns the script of a name; nil if there is none.
  package static func named(_ name: String) throws(CorpusError) -> GestureScript? {
    guard let json = json(of: name) else { return nil }
    do {
      return try JSONDecoder().decode(GestureScript.self, from: Data(json))
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

  private static func json(of name: String) -> [UInt8]? {
    switch name {
    case "peek": PackageResources.peek_json
    case "peek-presses": PackageResources.peek_presses_json
    case "fullscreen": PackageResources.fullscreen_json
    case "force": PackageResources.force_json
    case "force-button": PackageResources.force_button_json
    case "force-animation": PackageResources.force_animation_json
    case "double-tap": PackageResources.double_tap_json
    case "transition": PackageResources.transition_json
    default: nil
    }
  }
}
