import ForeignPipelines

/// Faults of methods, redirects and headers.
extension ServerFaults {
  static let headers: [Fault] = [
    answered("cors-missing", "No answer has Access-Control-Allow-Origin.", from: "compliance 4") {
      $1.headers["access-control-allow-origin"] = nil
    },
    answered(
      "cors-on-information-only", "Pictures lack Access-Control-Allow-Origin.",
      from: "compliance 4"
    ) { if $0.path != "/info.json" { $1.headers["access-control-allow-origin"] = nil } },
    answered(
      "cors-not-on-errors", "Errors lack Access-Control-Allow-Origin.", .recommendation,
      from: "specification 5.7"
    ) { if $1.status >= 400 { $1.headers["access-control-allow-origin"] = nil } },
    answered(
      "cors-of-one-site", "Access-Control-Allow-Origin names one site.", .recommendation,
      from: "specification 7.1"
    ) { $1.headers["access-control-allow-origin"] = "https://viewer.example" },
    answered("head-405", "HEAD is not allowed.", .recommendation, from: "specification 7") {
      if $0.method == .head { $1 = .notAllowed }
    },
    rerouted("head-with-body", "HEAD is answered with a body.", from: "RFC 9110, 9.3.2") {
      if $0.method == .head { $0.method = .get }
    },
    answered("head-without-length", "HEAD says another length than GET.", from: "RFC 9110, 8.6") {
      if $0.method == .head { $1.headers["content-length"] = "0" }
    },
    answered("options-405", "OPTIONS is not allowed.", .recommendation, from: "specification 7") {
      if $0.method == .options { $1 = .notAllowed }
    },
    answered(
      "options-without-methods", "OPTIONS names no methods: GET needs none (Fetch).", .open,
      from: "Fetch 4.8"
    ) { $1.headers["access-control-allow-methods"] = nil },
    base("base-404", "The base URI is not found.") { _ in .text(404) },
    base("base-400", "The base URI is a bad request.") { _ in .text(400) },
    base("base-without-location", "The base URI redirects to nowhere.") { _ in
      ServerAnswer(status: 303)
    },
    base("base-to-picture", "The base URI redirects to the picture.") {
      ServerAnswer(status: 303, headers: ["location": $0 + "/full/max/0/default.jpg"])
    },
    base("base-to-itself", "The base URI redirects to itself.") {
      ServerAnswer(status: 303, headers: ["location": $0])
    },
    base("base-301", "The base URI has moved for ever.", .open) {
      ServerAnswer(status: 301, headers: ["location": $0 + "/info.json"])
    },
    rerouted(
      "base-is-information", "The base URI is the information, not a redirect.", .recommendation,
      from: "specification 2"
    ) { if $0.path.isEmpty { $0.path = "/info.json" } },
    answered(
      "canonical-missing", "No canonical link, though canonicalLinkHeader is listed.",
      from: "specification 5.7"
    ) { $1.keepLink { !$0.contains("canonical") } },
    answered(
      "profile-link-missing", "No profile link, though profileLinkHeader is listed.",
      from: "specification 5.7"
    ) { $1.keepLink { !$0.contains("profile") } },
    answered(
      "profile-link-of-level-1", "The profile link names level 1.", from: "specification 6"
    ) {
      $1.headers["link"] = $1.headers["link"]?.replacing("level2.json", with: "level1.json")
    },
    canonical(
      "canonical-unclipped", "The canonical link has the region as it was asked for.", .open
    ) { plan, sound in plan.box = sound.geometry.requested(plan.request.region) },
    canonical(
      "canonical-of-turned-size", "The canonical link has the sides of the turned answer."
    ) { plan, _ in
      let turns = plan.request.rotation.quarterTurns ?? 0
      if turns % 2 == 1 { plan.size = plan.size.transposed }
    },
    canonical("canonical-without-mirror", "The canonical link has no `!`.") { plan, _ in
      plan.request.rotation.mirrored = false
    },
    Fault(
      "canonical-of-other-version", .protocol, "The canonical link has the other version's sizes.",
      from: "specification 4.8"
    ) { faulty, sound in
      let other = Geometry(
        picture: sound.source.extent, api: sound.settings.api.other,
        limits: sound.geometry.limits, rounding: sound.settings.rounding)
      let isColour = sound.source.isColour
      faulty.canonical = { CanonicalRequest(geometry: other, isColour: isColour).path(of: $0) }
    },
  ]

  /// Creates a fault that changes finished answers.
  private static func answered(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach, from origin: String,
    _ change: @escaping @Sendable (ServerRequest, inout ServerAnswer) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary, standing, from: origin) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var answer = try answer(request)
        change(request, &answer)
        return answer
      }
    }
  }

  /// Creates a fault that takes a request for another one.
  private static func rerouted(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach, from origin: String,
    _ change: @escaping @Sendable (inout ServerRequest) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary, standing, from: origin) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var request = request
        change(&request)
        return try answer(request)
      }
    }
  }

  /// Creates a fault of the answer to the service's own address.
  private static func base(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach,
    _ reply: @escaping @Sendable (_ address: String) -> ServerAnswer
  ) -> Fault {
    Fault(name, .protocol, summary, standing, from: "compliance 4") { faulty, sound in
      faulty.exchange = { request, answer throws(ServerFailure) in
        guard request.path.isEmpty, request.method != .options else { return try answer(request) }
        var answered = reply(sound.settings.address)
        answered.headers["access-control-allow-origin"] = "*"
        return answered
      }
    }
  }

  private static func canonical(
    _ name: String, _ summary: String, _ standing: Fault.Standing = .breach,
    _ change: @escaping @Sendable (inout Plan, _ sound: Stages) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary, standing, from: "specification 4.8") { faulty, sound in
      faulty.canonical = { plan in
        var plan = plan
        change(&plan, sound)
        return sound.canonical(plan)
      }
    }
  }
}

extension ServerAnswer {
  fileprivate static var notAllowed: ServerAnswer {
    ServerAnswer(
      status: 405,
      headers: ["allow": "GET", "access-control-allow-origin": "*", "content-length": "0"])
  }

  fileprivate static func text(_ status: Int) -> ServerAnswer {
    ServerAnswer(status: status, headers: ["content-type": "text/plain"], body: Array("no".utf8))
  }

  fileprivate mutating func keepLink(_ isKept: (String) -> Bool) {
    guard let link = headers["link"] else { return }
    let links = link.split(separator: ", ").map(String.init).filter(isKept)
    headers["link"] = links.isEmpty ? nil : links.joined(separator: ", ")
  }
}
