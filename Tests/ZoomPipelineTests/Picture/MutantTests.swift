import TestSupport
import Testing

/// A short version of `ci/fuzz-open`.
@Suite struct MutantTests {
  @Test(arguments: MutantFormat.allCases.filter { [.jpeg, .png, .tiff, .webp, .gif].contains($0) })
  func `a changed picture is refused, or a region has the pixels of a full decode`(
    _ format: MutantFormat
  ) throws {
    let folder = try TestFolder()
    // Much more than the fuzzer allows: this build is not optimised, and concurrent tests count.
    let law = MutantLaw(folder: folder.path, mostSeconds: 60)
    var mutants = Mutants([format])
    var counts: [MutantLaw.Outcome: Int] = [:]
    let (count, full) = format == .jpeg ? (256, 1024) : (32, 96)
    for number in 0..<UInt64(Thoroughness.pick(count, full: full)) {
      counts[try law.check(try mutants.mutant(number)), default: 0] += 1
    }
    // Some changes are harmless, and some make the picture unreadable.
    let least = Thoroughness.pick(count, full: full) / 13
    #expect(
      counts[.agreed, default: 0] > least && counts[.unreadable, default: 0] > least, "\(counts)")
  }

  @Test func `a mutant follows from its number alone`() throws {
    let formats: [MutantFormat] = [.jpeg, .png, .tiff, .gif]
    var (one, other) = (Mutants(formats), Mutants(formats))
    let forwards = try (0..<200).map { try one.mutant($0).bytes }
    let backwards = try (0..<200).reversed().map { try other.mutant($0).bytes }
    #expect(forwards.elementsEqual(backwards.reversed(), by: isSame))
    #expect(Set(forwards).count > 150)
  }
}
