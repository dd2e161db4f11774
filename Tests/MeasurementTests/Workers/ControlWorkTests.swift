import Measurement
import Testing

@Suite struct ControlWorkTests {
  static func digest(_ work: inout ControlWork, round: Int, extra: Int = 0) -> String? {
    // In two steps: the digest is of what the run has left in `work`.
    let rows = work.run(round: round, extra: extra)
    return work.digest(of: rows)
  }

  @Test func `the work is frozen`() throws {
    // If this fails, the control has changed: undo that, or make it a new one with a new name.
    var work = ControlWork()
    let digests = [0, 1, 1_000_000].map { Self.digest(&work, round: $0) }
    #expect(digests == ["591b91631f95de7d", "142f3f67529d21f4", "746aa3879887d322"])
  }

  @Test(arguments: [0, 25, 1000])
  func `extra work is done in full rows and changes no answer`(extra: Int) {
    var work = ControlWork()
    let plain = Self.digest(&work, round: 5)
    let rows = work.run(round: 5, extra: extra)
    #expect(rows * 1000 == ControlWork.rows * (1000 + extra))
    #expect(work.digest(of: rows) == plain)
  }

  @Test func `each round is another input, and the same each time`() {
    var (one, other) = (ControlWork(), ControlWork())
    let digests = (0..<4).map { Self.digest(&one, round: $0) }
    #expect(Set(digests).count == 4)
    let again = (0..<4).reversed().map { Self.digest(&other, round: $0, extra: 50) }
    #expect(again == digests.reversed())
    #expect(one.counters(round: 3) == ["rows": ControlWork.rows])
  }
}
