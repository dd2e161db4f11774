import ForeignPipelines

/// Faults of the handling of malformed requests, and of status codes.
extension ServerFaults {
  static let syntax: [Fault] = [
    Fault(
      "error-status-200", .protocol, "Errors are told in a text, with status 200.",
      "specification 7.2"
    ) { faulty, sound in
      faulty.failure = { error in
        var answer = sound.failure(error)
        answer.status = 200
        return answer
      }
    },
    Fault(
      "error-as-picture", .protocol, "Errors are a picture that says nothing, with status 200.",
      "specification 7.2"
    ) { faulty, sound in
      let picture = Raster(
        width: 8, height: 8, bands: 1, samples: [UInt8](repeating: 200, count: 64))
      let body = PNGEncoder.encode(picture)
      faulty.failure = { _ in
        ServerAnswer(status: 200, headers: ["content-type": "image/png"], body: body)
      }
    },
    status("syntax-500", "Requests of another syntax are internal errors.", 500, .recommendation),
    status("syntax-404", "Requests of another syntax are not found.", 404, .open),
    status("syntax-501", "Requests of another syntax are not implemented.", 501, .recommendation),
    Fault(
      "syntax-redirected", .protocol, "Requests of another syntax lead to the whole picture.",
      "specification 7.3", .recommendation
    ) {
      faulty, sound in
      let address = sound.settings.address
      faulty.failure = { error in
        guard error.status == 400 else { return sound.failure(error) }
        return ServerAnswer(status: 302, headers: ["location": address + "/full/max/0/default.png"])
      }
    },
    Fault(
      "error-without-body", .protocol, "Errors have no text.", "specification 7.3", .recommendation
    ) { faulty, sound in
      faulty.failure = { error in
        var answer = sound.failure(error)
        answer.body = []
        return answer
      }
    },
    read("number-with-plus", .region, "A \"+\" before a number is read.") {
      $0.replacing("+", with: "")
    },
    read("number-with-exponent", .rotation, "Exponents are read: 1e1 is 10.") { text in
      text.contains("e") ? Double(text).map { "\(Int(min(max($0, 0), 1000)))" } ?? text : text
    },
    read("number-with-spaces", .region, "Spaces about numbers are read.") {
      $0.replacing(" ", with: "")
    },
    read("pixels-with-fraction", .region, "Fractions of pixels are cut off.") { text in
      guard !text.hasPrefix("pct:"), text.contains(",") else { return text }
      return text.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.split(separator: ".").first ?? "" }.joined(separator: ",")
    },
    read("pixels-negative", .region, "Negative coordinates are read as 0.") { text in
      guard !text.hasPrefix("pct:"), text.contains(",") else { return text }
      return text.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("-") ? "0" : $0 }.joined(separator: ",")
    },
    read("region-of-three", .region, "Of three numbers the third is the height, too.") { text in
      let parts = text.split(separator: ",")
      return parts.count == 3 && !text.hasSuffix(",") ? "\(text),\(parts[2])" : text
    },
    read("region-of-five", .region, "What follows the fourth number is ignored.") { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      return parts.count > 4 ? parts.prefix(4).joined(separator: ",") : text
    },
    read("region-unknown-full", .region, "A region that cannot be read is the full picture.") {
      text in
      (try? Parameters.region(text)) == nil ? "full" : text
    },
    read("size-unknown-max", .size, "A size that cannot be read is `max`.") { text in
      (try? Parameters.size(text, .version3)) == nil && text != "full" ? "max" : text
    },
    read("size-single-number", .size, "A size without a comma is a width.") { text in
      Parameters.whole(text) == nil ? text : text + ","
    },
    read("rotation-unknown-0", .rotation, "A rotation that cannot be read is 0.") { text in
      (try? Parameters.rotation(text)) == nil ? "0" : text
    },
    Fault(
      "rotation-fraction-refused", .rotation, "Rotations with a \".\" are refused.",
      "specification 4.3"
    ) { faulty, sound in
      faulty.rotation = { text throws(RequestError) in
        guard !text.contains(".") else { throw .syntax("rotation", text) }
        return try sound.rotation(text)
      }
    },
    Fault(
      "pct-fraction-refused", .region, "Percentages with a \".\" are refused.", "specification 4.1"
    ) { faulty, sound in
      faulty.region = { text throws(RequestError) in
        guard !text.contains(".") else { throw .syntax("region", text) }
        return try sound.region(text)
      }
    },
    Fault(
      "percent-encoding-refused", .protocol, "Percent-encoded parameters are refused.",
      "specification 9"
    ) { faulty, _ in faulty.decode = { $0.contains("%") ? nil : String($0) } },
    Fault(
      "large-numbers-500", .protocol, "Numbers beyond 32 bits are internal errors.",
      "specification 10", .recommendation
    ) { faulty, sound in
      faulty.region = { text throws(RequestError) in
        let form = try sound.region(text)
        if case .pixels(let x, let y, let width, let height) = form,
          max(x, y, width, height) >= Int(Int32.max)
        {
          throw RequestError(status: 500, "overflow")
        }
        return form
      }
    },
    Fault(
      "large-regions-empty", .region, "x + w beyond 32 bits overflows, and the region is outside.",
      "specification 4.1"
    ) { faulty, sound in
      faulty.box = { form throws(RequestError) in
        if case .pixels(let x, _, let width, _) = form, x + width > Int(Int32.max) {
          throw RequestError("the region is outside the picture")
        }
        return try sound.box(form)
      }
    },
  ]

  private static func status(
    _ name: String, _ summary: String, _ status: Int, _ standing: Fault.Standing
  ) -> Fault {
    Fault(name, .protocol, summary, "specification 7.3", standing) { faulty, sound in
      faulty.failure = { error in
        sound.failure(error.status == 400 ? RequestError(status: status, error.reason) : error)
      }
    }
  }

  /// Creates a fault that accepts malformed text; the specification does not define the answer (1.1).
  private static func read(
    _ name: String, _ stage: Fault.Stage, _ summary: String,
    _ change: @escaping @Sendable (String) -> String
  ) -> Fault {
    Fault(name, stage, summary, "specification 4.7", .open) { faulty, sound in
      switch stage {
      case .size:
        faulty.size = { text throws(RequestError) in try sound.size(change(text)) }
      case .rotation:
        faulty.rotation = { text throws(RequestError) in try sound.rotation(change(text)) }
      default: faulty.region = { text throws(RequestError) in try sound.region(change(text)) }
      }
    }
  }
}
