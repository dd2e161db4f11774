/// A fault planted in the reference server to test whether a verifier finds it.
package struct ServerFault: Sendable {
  /// The part at fault; `protocol` covers status codes, headers, info.json, caches and concurrency.
  package enum Stage: String, Sendable, CaseIterable {
    case region, size, rotation, quality, format, `protocol`
  }

  /// The strength of the requirement that a fault breaks.
  package enum Standing: String, Sendable, CaseIterable {
    /// Breaks a MUST, a definition, or the claimed level.
    case breach
    /// Breaks a SHOULD or a recommendation.
    case recommendation
    /// Left to the server: a verifier may report it but must not call it wrong.
    case open
    /// Changes no answer.
    case equivalent
  }

  /// A condition that must be met for a fault to show.
  package enum Need: String, Sendable, CaseIterable {
    case alpha
    case colour
    case grey
    /// Limits below the picture's size.
    case limits
    /// Several requests at the same time.
    case concurrency
    /// A second request; for some faults, a related one.
    case history
  }

  /// Words with hyphens, unique among the faults.
  package let name: String
  package let stage: Stage
  package let summary: String
  /// The real bug that it imitates, as `project#number`, or the section of the specification that it breaks.
  package let origin: String
  package let standing: Standing
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

  /// Returns the stages with the fault planted, with fresh state.
  func planted(in sound: Stages) -> Stages {
    var faulty = sound
    change(&faulty, sound)
    return faulty
  }
}

extension ServerFault: CustomStringConvertible {
  package var description: String { name }
}

package enum ServerFaults {
  package static let all: [ServerFault] =
    regions + percentages + overhangs + sizes + sizeLimits + scaling + rotations + qualities
    + formats
    + syntax + headers + documents + states

  package static func named(_ name: String) -> ServerFault? { all.first { $0.name == name } }

  typealias Fault = ServerFault
}
