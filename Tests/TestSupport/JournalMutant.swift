package import PropertyTesting
internal import ZoomPipeline

/// The lines of a journal, changed at random and sealed with a correct checksum.
package struct JournalMutant {
  package var lines: [JSONTree]

  /// Parses a journal.
  /// - Throws: Foundation's error for a line that is not JSON.
  package init(_ bytes: [UInt8]) throws {
    lines = try String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .map { try JSONTree(parsing: String($0)) }
  }

  /// Changes fields and lines at random.
  package mutating func change(_ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...3, using: &random) where !lines.isEmpty {
      // Half of the changes hit the first line, which has the most fields.
      let place = Bool.random(using: &random) ? 0 : Int.random(in: lines.indices, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: lines.remove(at: place)
      case 1: lines.insert(lines[place], at: place)
      case 2: lines.swapAt(place, Int.random(in: lines.indices, using: &random))
      default: lines[place].mutate(&random)
      }
    }
  }

  /// Returns the journal with a correct checksum of all lines.
  package func sealed() -> [UInt8] {
    var text = lines.dropLast().map { $0.text + "\n" }.joined()
    if var last = lines.last {
      if var end = last["end"], end["sha256"] != nil {
        end["sha256"] = .token(
          "\"\(SHA256.hexadecimal(SHA256.digest(of: Array(text.utf8))))\"")
        last["end"] = end
      }
      text += last.text + "\n"
    }
    return Array(text.utf8)
  }
}
