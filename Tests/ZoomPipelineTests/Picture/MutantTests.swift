import TestSupport
import Testing

/// A short version of `ci/fuzz-open`.
@Suite struct MutantTests {
  @Test(arguments: 0..<4)
  func `a changed JPEG is refused, or a region has the pixels of a full decode`(
    _ part: UInt64
  ) throws {
    let folder = try TestFolder()
    // Much more than the fuzzer allows: this build is not optimised, and concurrent tests count.
    let law = MutantLaw(folder: folder.path, mostSeconds: 60)
    var mutants = Mutants([.jpeg])
    var (unchanged, changed) = ([MutantLaw.Outcome: Int](), [MutantLaw.Outcome: Int]())
    let count = Thoroughness.pick(64, full: 256) as UInt64
    for number in part * count..<(part + 1) * count {
      let mutant = try mutants.mutant(number)
      let outcome = try law.check(mutant)
      if mutant.changeCount == 0 {
        unchanged[outcome, default: 0] += 1
      } else {
        changed[outcome, default: 0] += 1
      }
    }
    // Some changes are harmless, and some make the picture unreadable.
    #expect(changed[.agreed, default: 0] > Int(count) / 7, "\(changed)")
    #expect(changed[.unreadable, default: 0] > Int(count) / 13, "\(changed)")
    // One in eight is unchanged.
    #expect(unchanged[.agreed, default: 0] > Int(count) / 20, "\(unchanged)")
  }

  @Test(arguments: MutantFormat.allCases.filter { [.png, .tiff, .webp, .gif].contains($0) })
  func `a changed picture of another format is refused, or has the pixels of a full decode`(
    _ format: MutantFormat
  ) throws {
    let folder = try TestFolder()
    let law = MutantLaw(folder: folder.path, mostSeconds: 60)
    var mutants = Mutants([format])
    var counts: [MutantLaw.Outcome: Int] = [:]
    let count = Thoroughness.pick(32, full: 96) as UInt64
    for number in 0..<count {
      counts[try law.check(try mutants.mutant(number)), default: 0] += 1
    }
    let least = Int(count) / 10
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
