/// A fault planted in the reference viewer to test whether a law finds it.
package struct ViewerFault: Sendable {
  /// The part at fault.
  package enum Stage: String, Sendable, CaseIterable {
    case pixels, gestures, requests, time
  }

  /// Words with hyphens, unique among the faults.
  package let name: String
  package let stage: Stage
  package let summary: String
  /// The thread about a real viewer that has this fault or a similar one, as
  /// `owner/repository#number`, or `invented`.
  package let origin: String
  /// The law that is expected to find the fault.
  package let law: String
  /// The text that the fault replaces.
  ///
  /// It occurs exactly once in the reference viewer.
  package let find: String
  package let replace: String

  init(
    _ name: String, _ stage: Stage, _ law: String, _ summary: String,
    from origin: String = "invented", replacing find: String, with replace: String
  ) {
    (self.name, self.stage, self.law, self.summary) = (name, stage, law, summary)
    (self.origin, self.find, self.replace) = (origin, find, replace)
  }

  /// Returns the page with the fault planted, or nil if the text to replace does not occur exactly
  /// once.
  package func planted(in page: String) -> String? {
    let parts = page.split(separator: find, omittingEmptySubsequences: false)
    return parts.count == 2 ? "\(parts[0])\(replace)\(parts[1])" : nil
  }
}

extension ViewerFault: CustomStringConvertible {
  package var description: String { name }
}

package enum ViewerFaults {
  package static let all: [ViewerFault] = [
    edges, levels, places, colours, pinches, drags, wheels, taps, motions, viewports, requests,
    deliveries,
  ].flatMap { $0 }

  package static func named(_ name: String) -> ViewerFault? { all.first { $0.name == name } }
}
