import ForeignPipelines
import ZoomPipeline

/// Faults of the handling of malformed requests, and of status codes.
extension ServerFaults {
  static let syntax: [Fault] = [
    failing("error-status-200", "Errors are texts with status 200.") { answer, _, _ in
      answer.status = 200
    },
    failing("error-as-picture", "Errors are a plain picture, with status 200.") { answer, _, _ in
      let picture = Pixels(
        Extent(width: 8, height: 8), bands: 1, [UInt8](repeating: 200, count: 64))
      answer = ServerAnswer(
        status: 200, headers: ["content-type": "image/png"], body: PNGEncoder.encode(picture))
    },
    malformed("syntax-500", "Malformed requests are internal errors.") { answer, _ in
      answer.status = 500
    },
    malformed("syntax-501", "Malformed requests are not implemented.") { answer, _ in
      answer.status = 501
    },
    malformed("syntax-redirected", "Malformed requests are redirected to the whole picture.") {
      answer, address in
      answer = ServerAnswer(status: 302, headers: ["location": address + "/full/max/0/default.png"])
    },
    failing("error-without-body", "Errors lack a text.") { answer, _, _ in answer.body = [] }
      .marked(.recommendation, from: "specification 7.3"),
    // The specification leaves open what a malformed request is answered with (1.1).
    reads("region-unknown-full", .region, \.region, "A malformed region is the full picture.") {
      (try? Parameters.region($0)) == nil ? "full" : $0
    }.marked(.open, from: "specification 4.7"),
    refuses(
      "rotation-fraction-refused", .rotation, \.rotation, "Rotations with a \".\" are refused."
    ) { text, _ in text.contains(".") },
    refuses("pct-fraction-refused", .region, \.region, "Percentages with a \".\" are refused.") {
      text, _ in text.contains(".")
    },
    Fault("percent-encoding-refused", .protocol, "Percent-encoded parameters are refused.") {
      faulty, _ in faulty.decode = { $0.contains("%") ? nil : String($0) }
    }.marked(from: "specification 9"),
    refuses(
      "large-numbers-500", .protocol, \.region, "Numbers beyond 32 bits are internal errors.",
      with: 500
    ) { _, form in
      guard case .pixels(let x, let y, let width, let height) = form else { return false }
      return max(x, y, width, height) >= Int(Int32.max)
    }.marked(.recommendation, from: "specification 10"),
    refuses(
      "large-regions-empty", .region, \.region,
      "x + w beyond 32 bits overflows, and the region is outside."
    ) { _, form in
      guard case .pixels(let x, _, let width, _) = form else { return false }
      return x + width > Int(Int32.max)
    },
  ]

  /// Creates a fault that changes the answers to refused requests.
  private static func failing(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout ServerAnswer, RequestError, _ address: String) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, sound in
      faulty.failure = { error in
        var answer = sound.failure(error)
        change(&answer, error, sound.settings.address)
        return answer
      }
    }
  }

  /// Creates a fault that changes the answers with status 400.
  private static func malformed(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout ServerAnswer, _ address: String) -> Void
  ) -> Fault {
    failing(name, summary) { answer, error, address in
      if error.status == 400 { change(&answer, address) }
    }.marked(.recommendation, from: "specification 7.3")
  }
}
