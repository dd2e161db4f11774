import ForeignPipelines
import ZoomPipeline

/// Faults of the handling of malformed requests, and of status codes.
extension ServerFaults {
  static let syntax: [Fault] = [
    failing("error-status-200", "Errors are texts with status 200.") { $1.status = 200 },
    failing("error-as-picture", "Errors are a plain picture, with status 200.") { _, answer in
      let picture = Pixels(
        Extent(width: 8, height: 8), bands: 1, [UInt8](repeating: 200, count: 64))
      answer = ServerAnswer(
        status: 200, headers: ["content-type": "image/png"], body: PNGEncoder.encode(picture))
    },
    status("syntax-500", "Malformed requests are internal errors.", 500).marked(.recommendation),
    status("syntax-404", "Malformed requests are not found.", 404).marked(.open),
    status("syntax-501", "Malformed requests are not implemented.", 501).marked(.recommendation),
    malformed("syntax-redirected", "Malformed requests are redirected to the whole picture.") {
      answer, address in
      answer = ServerAnswer(status: 302, headers: ["location": address + "/full/max/0/default.png"])
    }.marked(.recommendation),
    failing("error-without-body", "Errors lack a text.") { $1.body = [] }
      .marked(.recommendation, from: "specification 7.3"),
    lenient("number-with-plus", .region, \.region, "A \"+\" before a number is read.") {
      $0.replacing("+", with: "")
    },
    lenient("number-with-exponent", .rotation, \.rotation, "Exponents are read: 1e1 is 10.") {
      text in
      text.contains("e") ? Double(text).map { "\(Int(min(max($0, 0), 1000)))" } ?? text : text
    },
    lenient("number-with-spaces", .region, \.region, "Spaces around numbers are read.") {
      $0.replacing(" ", with: "")
    },
    lenient("pixels-with-fraction", .region, \.region, "Fractions of pixels are cut off.") {
      changingPixels($0) { $0.split(separator: ".").first ?? "" }
    },
    lenient("pixels-negative", .region, \.region, "Negative coordinates are read as 0.") {
      changingPixels($0) { $0.hasPrefix("-") ? "0" : $0 }
    },
    lenient(
      "region-of-three", .region, \.region, "Of three numbers the third is the height, too."
    ) { text in
      let parts = text.split(separator: ",")
      return parts.count == 3 && !text.hasSuffix(",") ? "\(text),\(parts[2])" : text
    },
    lenient("region-of-five", .region, \.region, "What follows the fourth number is ignored.") {
      $0.split(separator: ",", omittingEmptySubsequences: false).prefix(4).joined(separator: ",")
    },
    lenient(
      "region-unknown-full", .region, \.region, "A region that cannot be read is the full picture."
    ) { (try? Parameters.region($0)) == nil ? "full" : $0 },
    lenient("size-unknown-max", .size, \.size, "A size that cannot be read is `max`.") { text in
      (try? Parameters.size(text, .version3)) == nil && text != "full" ? "max" : text
    },
    lenient("size-single-number", .size, \.size, "A size without a comma is a width.") { text in
      Parameters.whole(text) == nil ? text : text + ","
    },
    lenient(
      "rotation-unknown-0", .rotation, \.rotation, "A rotation that cannot be read is 0."
    ) { (try? Parameters.rotation($0)) == nil ? "0" : $0 },
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

  /// Returns a region in pixels with each of its numbers changed; other texts are returned unchanged.
  private static func changingPixels(
    _ text: String, _ change: (Substring) -> Substring
  ) -> String {
    guard !text.hasPrefix("pct:"), text.contains(",") else { return text }
    return text.split(separator: ",", omittingEmptySubsequences: false).map(change)
      .joined(separator: ",")
  }

  /// Creates a fault that changes the answers to refused requests.
  private static func failing(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (RequestError, inout ServerAnswer) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, sound in
      faulty.failure = { error in
        var answer = sound.failure(error)
        change(error, &answer)
        return answer
      }
    }
  }

  /// Creates a fault that changes the answers to malformed requests.
  private static func malformed(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout ServerAnswer, _ address: String) -> Void
  ) -> Fault {
    Fault(name, .protocol, summary) { faulty, sound in
      let address = sound.settings.address
      faulty.failure = { error in
        var answer = sound.failure(error)
        if error.status == 400 { change(&answer, address) }
        return answer
      }
    }.marked(from: "specification 7.3")
  }

  private static func status(_ name: String, _ summary: String, _ status: Int) -> Fault {
    malformed(name, summary) { answer, _ in answer.status = status }
  }

  /// Creates a fault that accepts malformed text; the specification does not define the answer (1.1).
  private static func lenient<Form>(
    _ name: String, _ stage: Fault.Stage, _ slot: Slot<Form>, _ summary: String,
    _ change: @escaping @Sendable (String) -> String
  ) -> Fault {
    reads(name, stage, slot, summary, change).marked(.open, from: "specification 4.7")
  }
}
