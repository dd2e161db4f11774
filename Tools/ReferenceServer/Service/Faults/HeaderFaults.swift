import ForeignPipelines

/// Faults of methods, redirects and headers.
extension ServerFaults {
  static let headers: [Fault] = [
    answered("cors-missing", "No answer has Access-Control-Allow-Origin.", "compliance 4") {
      _, answer in
      answer.headers["access-control-allow-origin"] = nil
    },
    answered(
      "cors-on-information-only", "Pictures have no Access-Control-Allow-Origin.", "compliance 4"
    ) {
      request, answer in
      if request.path != "/info.json" { answer.headers["access-control-allow-origin"] = nil }
    },
    answered(
      "cors-not-on-errors", "Errors have no Access-Control-Allow-Origin.", "specification 5.7",
      .recommendation
    ) { _, answer in
      if answer.status >= 400 { answer.headers["access-control-allow-origin"] = nil }
    },
    answered(
      "cors-of-one-site", "Access-Control-Allow-Origin names one site.", "specification 7.1",
      .recommendation
    ) {
      _, answer in answer.headers["access-control-allow-origin"] = "https://viewer.example"
    },
    answered("head-405", "HEAD is not allowed.", "specification 7", .recommendation) {
      request, answer in if request.method == .head { answer = .notAllowed }
    },
    Fault(
      "head-with-body", .protocol, "HEAD is answered with a body.", "RFC 9110, 9.3.2"
    ) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        guard request.method == .head else { return try answer(request) }
        var get = request
        get.method = .get
        return try answer(get)
      }
    },
    answered("head-without-length", "HEAD says another length than GET.", "RFC 9110, 8.6") {
      request, answer in if request.method == .head { answer.headers["content-length"] = "0" }
    },
    answered("options-405", "OPTIONS is not allowed.", "specification 7", .recommendation) {
      request, answer in if request.method == .options { answer = .notAllowed }
    },
    answered(
      "options-without-methods", "OPTIONS names no methods: GET needs none (Fetch).", "Fetch 4.8",
      .open
    ) { _, answer in answer.headers["access-control-allow-methods"] = nil },
    base("base-404", "The base URI is not found.", .breach) { _ in
      ServerAnswer(status: 404, headers: ["content-type": "text/plain"], body: Array("no".utf8))
    },
    base("base-400", "The base URI is a bad request.", .breach) { _ in
      ServerAnswer(status: 400, headers: ["content-type": "text/plain"], body: Array("no".utf8))
    },
    base("base-without-location", "The base URI redirects to nowhere.", .breach) { _ in
      ServerAnswer(status: 303)
    },
    base("base-to-picture", "The base URI redirects to the picture.", .breach) { sound in
      ServerAnswer(
        status: 303, headers: ["location": sound.settings.address + "/full/max/0/default.jpg"])
    },
    base("base-to-itself", "The base URI redirects to itself.", .breach) { sound in
      ServerAnswer(status: 303, headers: ["location": sound.settings.address])
    },
    base("base-301", "The base URI has moved for ever.", .open) { sound in
      ServerAnswer(status: 301, headers: ["location": sound.settings.address + "/info.json"])
    },
    Fault(
      "base-is-information", .protocol, "The base URI is the information, not a redirect.",
      "specification 2", .recommendation
    ) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var request = request
        if request.path.isEmpty { request.path = "/info.json" }
        return try answer(request)
      }
    },
    answered(
      "canonical-missing", "No canonical link, though canonicalLinkHeader is listed.",
      "specification 5.7"
    ) {
      _, answer in answer.keepLink { !$0.contains("canonical") }
    },
    answered(
      "profile-link-missing", "No profile link, though profileLinkHeader is listed.",
      "specification 5.7"
    ) {
      _, answer in answer.keepLink { !$0.contains("profile") }
    },
    answered("profile-link-of-level-1", "The profile link names level 1.", "specification 6") {
      _, answer in
      answer.headers["link"] = answer.headers["link"]?.replacing("level2.json", with: "level1.json")
    },
    Fault(
      "canonical-unclipped", .protocol, "The canonical link has the region as it was asked for.",
      "specification 4.8", .open
    ) { faulty, sound in
      faulty.canonical = { plan in
        var plan = plan
        plan.box = sound.geometry.requested(plan.request.region)
        return sound.canonical(plan)
      }
    },
    Fault(
      "canonical-of-turned-size", .protocol,
      "The canonical link has the sides of the turned answer.",
      "specification 4.8"
    ) { faulty, sound in
      faulty.canonical = { plan in
        var plan = plan
        let turns = plan.request.rotation.quarterTurns ?? 0
        if turns % 2 == 1 { plan.size = plan.size.transposed }
        return sound.canonical(plan)
      }
    },
    Fault(
      "canonical-without-mirror", .protocol, "The canonical link has no `!`.", "specification 4.8"
    ) { faulty, sound in
      faulty.canonical = { plan in
        var plan = plan
        plan.request.rotation.mirrored = false
        return sound.canonical(plan)
      }
    },
    Fault(
      "canonical-of-other-version", .protocol, "The canonical link has the other version's sizes.",
      "specification 4.8"
    ) { faulty, sound in
      let other = Geometry(
        picture: sound.source.size, api: sound.settings.api == .version2 ? .version3 : .version2,
        limits: sound.geometry.limits, rounding: sound.settings.rounding)
      let isColour = sound.source.isColour
      faulty.canonical = { CanonicalRequest(geometry: other, isColour: isColour).path(of: $0) }
    },
  ]

  /// Creates a fault that changes finished answers.
  private static func answered(
    _ name: String, _ summary: String, _ origin: String, _ standing: Fault.Standing = .breach,
    _ change: @escaping @Sendable (ServerRequest, inout ServerAnswer) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary, origin, standing) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var answer = try answer(request)
        change(request, &answer)
        return answer
      }
    }
  }

  private static func base(
    _ name: String, _ summary: String, _ standing: Fault.Standing,
    _ reply: @escaping @Sendable (Stages) -> ServerAnswer
  ) -> Fault {
    Fault(name, .protocol, summary, "compliance 4", standing) { faulty, sound in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var answered = try answer(request)
        guard request.path.isEmpty, request.method != .options else { return answered }
        answered = reply(sound)
        answered.headers["access-control-allow-origin"] = "*"
        return answered
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

  fileprivate mutating func keepLink(_ isKept: (String) -> Bool) {
    guard let link = headers["link"] else { return }
    let links = link.split(separator: ", ").map(String.init).filter(isKept)
    headers["link"] = links.isEmpty ? nil : links.joined(separator: ", ")
  }
}
