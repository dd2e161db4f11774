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

  private var verdicts: [Answer: AnswerVerdict] = [:]
  /// The answers since the last check in the order in which they came, how often each came, and their bodies.
  private var order: [Answer] = []
  private var counts: [Answer: Int] = [:]
  private var bodies: [Answer: [UInt8]] = [:]
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
    if verdicts[answer] == nil, let body = given.body, keptBytes + body.count <= mostBytes {
      bodies[answer] = body
      keptBytes += body.count
    }
  }

  /// The result of comparing the answers of one step.
  package struct Findings: Sendable, Hashable, Codable {
    package var faults: [AnswerFault: Int] = [:]
    package var unchecked = 0
    package var compared = 0
    /// The first fault and the first reason why an answer was not compared.
    package var first: String?
    package var firstUnchecked: String?

    package var wrong: Int { faults.values.reduce(0, +) }
  }

  /// Compares the answers since the last check; equal answers to one part are decoded once.
  package mutating func check(by subject: any LoadSubject) -> Findings {
    for answers in Dictionary(grouping: order, by: \.part.picture).values {
      for answer in answers where verdicts[answer] == nil {
        verdicts[answer] = subject.verdict(
          on: answer.digest, body: bodies[answer], of: answer.part)
      }
      // Only one picture is decoded at a time.
      subject.endChecks()
    }
    // All are judged before any is called mixed up, because the other request may come later.
    let right = Set(verdicts.lazy.filter { $0.value == .right }.map { $0.key.digest })
    var findings = Findings()
    for answer in order {
      let count = counts[answer] ?? 0
      switch verdicts[answer] {
      case .unchecked(let reason)?:
        findings.unchecked += count
        findings.firstUnchecked = findings.firstUnchecked ?? reason
        // The next step may keep the body that was missing.
        verdicts[answer] = nil
        continue
      case .faulty(let fault, let reason)?:
        let kind = right.contains(answer.digest) ? .mixedUp : fault
        findings.faults[kind, default: 0] += count
        let region = answer.part.tile.request.region
        findings.first = findings.first ?? "\(kind.rawValue) at \(region): \(reason)"
      case .right?, nil: break
      }
      findings.compared += count
    }
    (order, counts, bodies, keptBytes) = ([], [:], [:], 0)
    return findings
  }
}
