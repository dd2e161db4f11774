/// A mistake that is built into the reference server on purpose, to see whether a verifier finds it.
package struct ServerFault: Sendable {
  /// The part of a server that is wrong; `protocol` is status codes, headers, info.json, caches and
  /// requests at the same time.
  package enum Stage: String, Sendable, CaseIterable {
    case region, size, rotation, quality, format, `protocol`
  }

  /// What the specification says of it.
  package enum Standing: String, Sendable, CaseIterable {
    /// Against a MUST, a definition, or the level that is claimed.
    case breach
    /// Against a SHOULD or a recommendation.
    case recommendation
    /// Left to the server: a verifier may tell of it and must not call it wrong.
    case open
    /// No answer changes.
    case equivalent
  }

  /// Without which a fault does not show.
  package enum Need: String, Sendable, CaseIterable {
    /// A picture with alpha.
    case alpha
    /// A picture with colours.
    case colour
    /// A picture in grey.
    case grey
    /// Limits below the picture's size.
    case limits
    /// Several requests at a time.
    case concurrency
    /// A second request; of some, a related one.
    case history
  }

  /// Words with hyphens, unique.
  package let name: String
  package let stage: Stage
  /// What goes wrong, in one sentence.
  package let summary: String
  /// The real bug it follows, as `project#number`, or the part of the specification that it breaks.
  package let origin: String
  package let standing: Standing
  /// The versions in which it can show.
  package let versions: Set<ReferenceAPI>
  package let needs: Set<Need>
  private let change: @Sendable (_ faulty: inout Stages, _ sound: Stages) -> Void

  init(
    _ name: String, _ stage: Stage, _ summary: String, _ origin: String,
    _ standing: Standing = .breach, only version: ReferenceAPI? = nil, needs: Set<Need> = [],
    plant change: @escaping @Sendable (_ faulty: inout Stages, _ sound: Stages) -> Void
  ) {
    self.name = name
    self.stage = stage
    self.summary = summary
    self.origin = origin
    self.standing = standing
    versions = version.map { [$0] } ?? Set(ReferenceAPI.allCases)
    self.needs = needs
    self.change = change
  }

  /// The stages with the fault; its state, if it keeps any, is new.
  func planted(in sound: Stages) -> Stages {
    var faulty = sound
    change(&faulty, sound)
    return faulty
  }
}

extension ServerFault: CustomStringConvertible {
  package var description: String { name }
}

/// Every fault of the reference server.
package enum ServerFaults {
  package static let all: [ServerFault] =
    regions + percentages + overhangs + sizes + sizeLimits + scaling + rotations + qualities
    + formats
    + syntax + headers + documents + states

  /// The fault of a name; nil when there is none.
  package static func named(_ name: String) -> ServerFault? { all.first { $0.name == name } }

  typealias Fault = ServerFault
}
