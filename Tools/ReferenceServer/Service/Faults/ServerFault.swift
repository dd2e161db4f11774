import ZoomPipeline

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
  }

  /// A condition that must be met for a fault to show.
  package enum Need: String, Sendable, CaseIterable {
    /// A picture in grey.
    case grey
    /// Limits below the picture's size.
    case limits
    /// Several requests at the same time.
    case concurrency
  }

  /// Words with hyphens, unique among the faults.
  package let name: String
  package let stage: Stage
  package let summary: String
  /// The real bug that it imitates, as `project#number`, a command that behaves so, or the section
  /// of the specification that it breaks.
  package private(set) var origin: String
  package private(set) var standing = Standing.breach
  package private(set) var versions = Set(ReferenceAPI.allCases)
  package private(set) var needs: Set<Need> = []
  private let change: @Sendable (_ faulty: inout Stages, _ sound: Stages) -> Void

  /// The sections of the specification that define the parameters; 7.2 is about errors.
  private static let sections: [Stage: String] = [
    .region: "4.1", .size: "4.2", .rotation: "4.3", .quality: "4.4", .format: "4.5",
  ]

  /// Creates a breach of the section that defines its stage, in both versions.
  init(
    _ name: String, _ stage: Stage, _ summary: String,
    plant change: @escaping @Sendable (_ faulty: inout Stages, _ sound: Stages) -> Void
  ) {
    (self.name, self.stage, self.summary) = (name, stage, summary)
    origin = "specification \(Self.sections[stage, default: "7.2"])"
    self.change = change
  }

  /// Returns the fault with the given properties changed.
  func marked(
    _ standing: Standing? = nil, from origin: String? = nil, only version: ReferenceAPI? = nil,
    needs: Set<Need>? = nil
  ) -> ServerFault {
    var marked = self
    if let standing { marked.standing = standing }
    if let origin { marked.origin = origin }
    if let version { marked.versions = [version] }
    if let needs { marked.needs = needs }
    return marked
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
    + formats + syntax + headers + documents + states

  package static func named(_ name: String) -> ServerFault? { all.first { $0.name == name } }

  typealias Fault = ServerFault
  /// The parser of one parameter.
  typealias Slot<Form> = any WritableKeyPath<Stages, Parser<Form>> & Sendable
  /// A faulty stage that makes pixels from pixels; `sound` has the correct one.
  typealias Drawing = @Sendable (_ raster: Pixels, _ plan: Plan, _ sound: Stages) -> Pixels

  /// Creates a fault that reads another text than it is sent.
  static func reads<Form>(
    _ name: String, _ stage: Fault.Stage, _ slot: Slot<Form>, _ summary: String,
    _ change: @escaping @Sendable (String) -> String
  ) -> Fault {
    Fault(name, stage, summary) { faulty, sound in
      faulty[keyPath: slot] = { text throws(RequestError) in
        try sound[keyPath: slot](change(text))
      }
    }
  }

  /// Creates a fault that changes what it has read, or refuses it.
  static func misreads<Form>(
    _ name: String, _ stage: Fault.Stage, _ slot: Slot<Form>, _ summary: String,
    _ change: @escaping @Sendable (inout Form, String) throws(RequestError) -> Void
  ) -> Fault {
    Fault(name, stage, summary) { faulty, sound in
      faulty[keyPath: slot] = { text throws(RequestError) in
        var form = try sound[keyPath: slot](text)
        try change(&form, text)
        return form
      }
    }
  }

  /// Creates a fault that refuses some valid texts.
  static func refuses<Form>(
    _ name: String, _ stage: Fault.Stage, _ slot: Slot<Form>, _ summary: String,
    with status: Int = 400, _ isRefused: @escaping @Sendable (String, Form) -> Bool
  ) -> Fault {
    misreads(name, stage, slot, summary) { form, text throws(RequestError) in
      if isRefused(text, form) { throw RequestError(status: status, "\(text) is not supported") }
    }
  }
}
