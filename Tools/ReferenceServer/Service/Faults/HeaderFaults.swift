import ForeignPipelines

/// Faults of methods, redirects and headers.
extension ServerFaults {
  static let headers: [Fault] = [
    answered("cors-missing", "No answer has Access-Control-Allow-Origin.") {
      $1.headers["access-control-allow-origin"] = nil
    }.marked(from: "compliance 4"),
    answered("cors-on-information-only", "Pictures lack Access-Control-Allow-Origin.") {
      if $0.path != "/info.json" { $1.headers["access-control-allow-origin"] = nil }
    }.marked(from: "compliance 4"),
    answered("cors-not-on-errors", "Errors lack Access-Control-Allow-Origin.") {
      if $1.status >= 400 { $1.headers["access-control-allow-origin"] = nil }
    }.marked(.recommendation, from: "specification 5.7"),
    answered("cors-of-one-site", "Access-Control-Allow-Origin names one site.") {
      $1.headers["access-control-allow-origin"] = "https://viewer.example"
    }.marked(.recommendation, from: "specification 7.1"),
    answered("head-405", "HEAD is not allowed.") { if $0.method == .head { $1 = .notAllowed } }
      .marked(.recommendation, from: "specification 7"),
    rerouted("head-with-body", "HEAD is answered with a body.") {
      if $0.method == .head { $0.method = .get }
    }.marked(from: "RFC 9110, 9.3.2"),
    answered("head-length-zero", "HEAD gives the length 0.") {
      if $0.method == .head { $1.headers["content-length"] = "0" }
    }.marked(from: "RFC 9110, 8.6"),
    answered("options-405", "OPTIONS is not allowed.") {
      if $0.method == .options { $1 = .notAllowed }
    }.marked(.recommendation, from: "specification 7"),
    base("base-404", "The base URI is not found.") { _ in
      ServerAnswer(status: 404, headers: ["content-type": "text/plain"], body: Array("no".utf8))
    },
    base("base-to-itself", "The base URI redirects to itself.") {
      ServerAnswer(status: 303, headers: ["location": $0])
    },
    rerouted("base-is-information", "The base URI is the information, not a redirect.") {
      if $0.path.isEmpty { $0.path = "/info.json" }
    }.marked(.recommendation, from: "specification 2"),
    answered("canonical-missing", "No canonical link, though canonicalLinkHeader is listed.") {
      $1.keepLink { !$0.contains("canonical") }
    }.marked(from: "specification 5.7"),
    answered("profile-link-missing", "No profile link, though profileLinkHeader is listed.") {
      $1.keepLink { !$0.contains("profile") }
    }.marked(from: "specification 5.7"),
    answered("profile-link-of-level-1", "The profile link names level 1.") {
      $1.headers["link"] = $1.headers["link"]?.replacing("level2.json", with: "level1.json")
    }.marked(from: "specification 6"),
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
      "canonical-of-other-version", .protocol, "The canonical link has the other version's sizes."
    ) { faulty, sound in
      let other = Geometry(
        picture: sound.source.extent, api: sound.settings.api.other,
        limits: sound.geometry.limits, rounding: sound.settings.rounding)
      let isColour = sound.source.isColour
      faulty.canonical = { other.canonicalPath(of: $0, isColour: isColour) }
    }.marked(from: "specification 4.8"),
  ]

  /// Creates a fault that changes finished answers.
  private static func answered(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (ServerRequest, inout ServerAnswer) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var answer = try answer(request)
        change(request, &answer)
        return answer
      }
    }
  }

  /// Creates a fault that takes a request for another one.
  private static func rerouted(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout ServerRequest) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, _ in
      faulty.exchange = { request, answer throws(ServerFailure) in
        var request = request
        change(&request)
        return try answer(request)
      }
    }
  }

  /// Creates a fault of the answer to the service's own address.
  private static func base(
    _ name: String, _ summary: String,
    _ reply: @escaping @Sendable (_ address: String) -> ServerAnswer
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, sound in
      faulty.exchange = { request, answer throws(ServerFailure) in
        guard request.path.isEmpty, request.method != .options else { return try answer(request) }
        var answered = reply(sound.settings.address)
        answered.headers["access-control-allow-origin"] = "*"
        return answered
      }
    }.marked(from: "compliance 4")
  }

  private static func canonical(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout Plan, _ sound: Stages) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, sound in
      faulty.canonical = { plan in
        var plan = plan
        change(&plan, sound)
        return sound.canonical(plan)
      }
    }.marked(from: "specification 4.8")
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
