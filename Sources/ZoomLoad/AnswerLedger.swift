internal import ForeignPipelines
internal import ZoomGeometry
internal import ZoomPipeline

/// The distinct answers to each part, which are compared with the picture after the load.
///
/// A server that always gives the same answer is compared once for each part, however often it is asked.
package struct AnswerLedger: Sendable {
  private struct Seen {
    var count = 0
    var body: [UInt8] = []
    /// The result of the comparison; nil before it.
    var verdict: Verdict?
  }

  private enum Verdict {
    case right
    case faulty(AnswerFault)
    case unchecked(String)
  }

  private var seen: [LoadPart: [UInt64: Seen]] = [:]
  /// The bytes of the bodies that are kept.
  package private(set) var keptBytes = 0
  /// The answers since the last check.
  private var fresh: [LoadPart: Set<UInt64>] = [:]
  private let mostBytes: Int

  /// Creates a ledger that keeps at most some bytes of bodies; others count as unchecked.
  package init(mostBytes: Int = 1 << 28) { self.mostBytes = mostBytes }

  package mutating func note(_ digest: UInt64, body: [UInt8], of part: LoadPart) {
    var answer = seen[part]?[digest] ?? Seen()
    if answer.count == 0, answer.verdict == nil, keptBytes + body.count <= mostBytes {
      answer.body = body
      keptBytes += body.count
    }
    answer.count += 1
    seen[part, default: [:]][digest] = answer
    fresh[part, default: []].insert(digest)
  }

  /// The result of comparing the answers of one step.
  package struct Findings: Sendable, Hashable {
    package var faults: [AnswerFault.Kind: Int] = [:]
    package var unchecked = 0
    package var compared = 0
    /// The first fault and the first reason why an answer was not compared.
    package var first: String?
    package var firstUnchecked: String?

    package var wrong: Int { faults.values.reduce(0, +) }
  }

  /// Compares the answers since the last check; equal answers to one part are decoded once.
  package mutating func check(by subject: any LoadSubject) -> Findings {
    // In a fixed order, so that the first fault does not depend on hashing.
    let answers = fresh.sorted { $0.key.isBefore($1.key) }.flatMap { part, digests in
      digests.sorted().map { (part: part, digest: $0) }
    }
    fresh = [:]
    // All are judged before any is called mixed up, because the other request may come later.
    for (part, digest) in answers {
      guard let answer = seen[part]?[digest], answer.verdict == nil else { continue }
      let verdict = verdict(on: digest, answer.body, of: part, by: subject)
      seen[part]?[digest]?.verdict = verdict
      seen[part]?[digest]?.body = []
      keptBytes -= answer.body.count
    }
    subject.endChecks()
    var findings = Findings()
    for (part, digest) in answers {
      guard let answer = seen[part]?[digest], let verdict = answer.verdict else { continue }
      seen[part]?[digest]?.count = 0
      switch verdict {
      case .right: findings.compared += answer.count
      case .faulty(let fault):
        let kind = isRight(digest, elsewhereThan: part) ? .mixedUp : fault.kind
        findings.compared += answer.count
        findings.faults[kind, default: 0] += answer.count
        findings.first =
          findings.first ?? "\(kind.rawValue) at \(part.tile.request.region): \(fault.reason)"
      case .unchecked(let reason):
        findings.unchecked += answer.count
        findings.firstUnchecked = findings.firstUnchecked ?? reason
        // The next step may keep the body that was missing.
        seen[part]?[digest] = nil
      }
    }
    return findings
  }

  private func verdict(
    on digest: UInt64, _ body: [UInt8], of part: LoadPart, by subject: any LoadSubject
  ) -> Verdict {
    do {
      return try subject.fault(digest, body: body, of: part).map { .faulty($0) } ?? .right
    } catch {
      return .unchecked(error.reason)
    }
  }

  /// Whether the same bytes are the right answer to another part.
  private func isRight(_ digest: UInt64, elsewhereThan part: LoadPart) -> Bool {
    seen.contains { other, answers in
      guard other != part, case .right? = answers[digest]?.verdict else { return false }
      return true
    }
  }
}

extension LoadPart {
  fileprivate func isBefore(_ other: LoadPart) -> Bool {
    let (one, two) = (tile.request, other.tile.request)
    return (picture, one.reduction.rawValue, one.region.y, one.region.x, one.region.width)
      < (other.picture, two.reduction.rawValue, two.region.y, two.region.x, two.region.width)
  }
}
