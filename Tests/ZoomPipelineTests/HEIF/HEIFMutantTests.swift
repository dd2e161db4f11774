import Foundation
import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that files with randomly changed tables give the pixels of a full decode, or none.
struct HEIFMutantTests {
  private static func files() -> [(kind: CodedTiles.Kind, made: GridFile.Made)] {
    let kinds: [CodedTiles.Kind] = [.av1, .hevc]
    return kinds.flatMap { kind in
      HEIFGridTests.variants.filter { $0.kinds.contains(kind) }.compactMap { variant in
        HEIFGridTests.file(kind, variant).map { (kind, $0) }
      }
    }
  }

  @Test func `the tables of mutants are read or refused`() {
    let files = Self.files()
    if files.isEmpty { return reportMissingCodec("HEIF") }
    var numbers = SplitMix64(seed: 21)
    var outcomes = (read: 0, refused: 0)
    for number in 0..<Thoroughness.pick(20_000, full: 400_000) {
      let made = files[number % files.count].made
      var bytes = made.bytes
      bytes.mutate(made.structure, most: 3, &numbers)
      if number.isMultiple(of: 50) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers))
      }
      do {
        let grid = try HEIFGrid(MemoryFile(bytes, madeFrom: "mutant.heic"))
        #expect(grid.tiles.allSatisfy { $0.upperBound <= bytes.count })
        outcomes.read += 1
      } catch {
        #expect(error.code == .unsupported)
        outcomes.refused += 1
      }
    }
    #expect(outcomes.read > 1000 && outcomes.refused > 1000, "\(outcomes)")
  }

  /// libheif reads on after such a list, where our code does not look for references.
  @Test func `the fuzzer makes lists of references that are shorter than their boxes`() {
    guard let made = Self.files().first?.made else { return reportMissingCodec("HEIF") }
    let structure = FileStructure(made.bytes, .heif)
    var found = 0
    for number in 0..<10_000 as Range<UInt64> {
      var random = SplitMix64(seed: number)
      let bytes = structure.mutated(1, &random)
      // Many changes to one file must not trap on a length beyond its end.
      if number.isMultiple(of: 10) { _ = structure.mutated(12, &random) }
      do throws(PipelineError) {
        try HEIFItems.assertSafe(MemoryFile(bytes, madeFrom: "mutant.heic"), .standard)
      } catch {
        if error.reason == "its iref box is longer than what is in it" { found += 1 }
      }
    }
    #expect(found >= 5)
  }

  @Test func `a mutant has the pixels of a full decode, or none`() throws {
    let folder = try TestFolder()
    let files = Self.files()
    if files.isEmpty { return reportMissingCodec("HEIF") }
    let limits = PictureLimits(memory: MemoryBudget(limit: 64 << 20))
    var numbers = SplitMix64(seed: 22)
    var outcomes: [DamagedAnswer: Int] = [:]
    for number in 0..<Thoroughness.pick(4000, full: 100_000) {
      let (kind, made) = files[number % files.count]
      var bytes = made.bytes
      // Some changes hit tiles, but not of HEVC (see `DamagedAnswer.unstable`).
      let isAnywhere = kind == .av1 && number.isMultiple(of: 5)
      bytes.mutate(isAnywhere ? bytes.indices : made.structure, most: 3, &numbers)
      let path = try folder.write(bytes, as: "\(number).\(kind.suffix)")
      defer { try? FileManager.default.removeItem(atPath: path.string) }
      guard let picture = try? Picture(path, limits: limits), picture.size.area < 1 << 20,
        let source = try? PartialPipeline(limits: limits).open(picture)
      else { continue }
      let region = try TellingRegions(of: picture.size, seed: UInt64(number), mcu: (64, 64))
        .random(1, longest: 90)[0]
      // Other answers come from a full decode.
      guard let answer = try? source.read(RegionRequest(region)), answer.work.unit == .tile else {
        continue
      }
      let outcome = DamagedAnswer(answer, region, of: picture)
      #expect(outcome != .wrong, "mutant \(number) of \(kind), \(region)")
      outcomes[outcome, default: 0] += 1
    }
    #expect(outcomes[.agreed, default: 0] > 200, "\(outcomes)")
    #expect(outcomes[.unstable, default: 0] < 20, "\(outcomes)")
  }
}
