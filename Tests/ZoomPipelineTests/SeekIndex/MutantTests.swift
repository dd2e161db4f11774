import TestSupport
import Testing

/// A little of what `ci/fuzz-jpeg` does at length.
@Suite struct MutantTests {
  @Test(arguments: 0..<4)
  func `a changed JPEG is refused, or a region has the pixels of a full decode`(
    _ part: UInt64
  ) throws {
    let folder = try TestFolder()
    let law = MutantLaw(folder: folder.path)
    var mutants = JPEGMutants()
    var counts: [MutantLaw.Outcome: Int] = [:]
    for number in part * 256..<(part + 1) * 256 {
      counts[try law.check(try mutants.mutant(number)), default: 0] += 1
    }
    // Neither are all changes harmless, nor do all take the picture away.
    #expect(counts[.agreed, default: 0] > 50, "\(counts)")
    #expect(counts[.unreadable, default: 0] > 20, "\(counts)")
  }

  @Test func `a mutant follows from its number alone`() throws {
    var (one, other) = (JPEGMutants(), JPEGMutants())
    let forwards = try (0..<200).map { try one.mutant($0).bytes }
    let backwards = try (0..<200).reversed().map { try other.mutant($0).bytes }
    #expect(forwards.elementsEqual(backwards.reversed(), by: isSame))
    #expect(Set(forwards).count > 150)
  }
}
