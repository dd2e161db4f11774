package import ForeignPipelines
internal import ZoomPipeline

/// The distinct answers to each part, which are compared with the picture after the load.
///
/// A server that always gives the same answer is compared once for each part, however often it is asked.
package struct AnswerLedger: Sendable {
  private struct Answer: Hashable {
    let part: LoadPart
    let digest: UInt64
  }

  private var verdicts: [Answer: Result<AnswerFault?, Unchecked>] = [:]
  /// The digests of answers that are right for some part.
  private var right: Set<UInt64> = []
  /// The answers since the last check in the order in which they came, how often each came, and their bodies.
  private var order: [Answer] = []
  private var counts: [Answer: Int] = [:]
  private var bodies: [Answer: [UInt8]] = [:]
  /// The bytes of the bodies that are kept.
  package private(set) var keptBytes = 0
  private let mostBytes: Int

  /// Creates a ledger that keeps at most some bytes of bodies; others count as unchecked.
  package init(mostBytes: Int = 1 << 28) { self.mostBytes = mostBytes }

  package mutating func note(_ given: LoadAnswer, of part: LoadPart) {
    guard let digest = given.digest ?? given.body.map(LoadAnswer.digest) else { return }
    let answer = Answer(part: part, digest: digest)
    counts[answer, default: 0] += 1
    guard counts[answer] == 1 else { return }
    order.append(answer)
    guard given.keepsBody, verdicts[answer] == nil, let body = given.body,
      keptBytes + body.count <= mostBytes
    else { return }
    bodies[answer] = body
    keptBytes += body.count
  }

  /// The result of comparing the answers of one step.
  package struct Findings: Sendable, Hashable, Codable {
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
    // All are judged before any is called mixed up, because the other request may come later.
    for answers in Dictionary(grouping: order, by: \.part.picture).values {
      for answer in answers where verdicts[answer] == nil {
        let verdict = Result { () throws(Unchecked) in
          try subject.fault(answer.digest, body: bodies[answer], of: answer.part)
        }
        verdicts[answer] = verdict
        if case .success(nil) = verdict { right.insert(answer.digest) }
      }
      // Only one picture is decoded at a time.
      subject.endChecks()
    }
    var findings = Findings()
    for answer in order {
      let count = counts[answer] ?? 0
      switch verdicts[answer] {
      case .failure(let unchecked)?:
        findings.unchecked += count
        findings.firstUnchecked = findings.firstUnchecked ?? unchecked.reason
        // The next step may keep the body that was missing.
        verdicts[answer] = nil
        continue
      case .success(let fault?)?:
        let kind = right.contains(answer.digest) ? .mixedUp : fault.kind
        findings.faults[kind, default: 0] += count
        let region = answer.part.tile.request.region
        findings.first = findings.first ?? "\(kind.rawValue) at \(region): \(fault.reason)"
      case .success(nil)?, nil: break
      }
      findings.compared += count
    }
    (order, counts, bodies, keptBytes) = ([], [:], [:], 0)
    return findings
  }
}
