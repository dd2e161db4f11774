import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Compares sources with libvips on written TIFFs; `ci/fuzz-open tiff-written` tries many more.
struct WrittenTIFFTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `no source shows other pixels, or any that libvips refuses`() throws {
    let law = WrittenTIFFLaw(folder: folder.path)
    var outcomes: [String: Int] = [:]
    var carved: [StripCoding: Int] = [:]
    var photometrics: Set<Int> = []
    var (flawsShown, flawsRefused): (Set<String>, Set<String>) = ([], [])
    var answers = 0
    for number in 0..<Thoroughness.pick(600 as UInt64, full: 20_000) {
      let tiff = WrittenTIFF(number)
      let report: WrittenTIFFLaw.Report
      do {
        report = try law.check(tiff)
      } catch let finding as WrittenTIFFLaw.Finding {
        Issue.record("\(finding)")
        continue
      }
      outcomes[report.outcome, default: 0] += 1
      answers += report.answers
      if !report.carved.isEmpty {
        carved[tiff.coding, default: 0] += 1
        photometrics.insert(tiff.layout.kind.photometric)
      }
      for flaw in tiff.flaws.values {
        let name = String("\(flaw)".prefix { $0 != "(" })
        if report.isDecoded { flawsShown.insert(name) } else { flawsRefused.insert(name) }
      }
    }
    // The law must have applied to enough files.
    #expect(answers > 6000 && (outcomes["carved"] ?? 0) > 200, "\(answers) answers, \(outcomes)")
    #expect((outcomes["undecoded"] ?? 0) < 250 && (outcomes["unstable"] ?? 0) < 10, "\(outcomes)")
    for coding in StripCoding.allCases { #expect(carved[coding] ?? 0 > 0, "\(coding): \(carved)") }
    #expect(photometrics.isSuperset(of: [0, 1, 2, 3, 5, 8]), "\(photometrics)")
    #expect(flawsShown.isSuperset(of: ["more", "surplus"]), "\(flawsShown)")
    #expect(
      flawsRefused.isSuperset(of: [
        "less", "cut", "changedByte", "wrongSum", "shortSum", "noLastBlock", "reservedBlock",
        "header",
      ]), "\(flawsRefused)")
  }

  /// Changes bytes of directories and tables only; some of the strips are flawed already.
  @Test func `damaged tables give the pixels of a full decode, or none`() throws {
    let limits = PictureLimits(memory: MemoryBudget(limit: 64 << 20))
    var random = SplitMix64(seed: 77)
    var refused = 0
    var outcomes: [DamagedAnswer: Int] = [:]
    let count = Thoroughness.pick(3000 as UInt64, full: 200_000)
    for number in 0..<count {
      let tiff = WrittenTIFF(number)
      guard StripCoding.plain.contains(tiff.coding) else { continue }
      var bytes = try tiff.file()
      let start = min(tiff.layout.file(seed: number).dataStart, bytes.count)
      bytes.mutate(4..<start, most: 3, &random)
      let path = try folder.write(bytes, as: "a.tif")
      // Sizes that take long to decode are left to the fuzzer.
      guard let picture = try? Picture(path, limits: limits), picture.size.area < 1 << 18 else {
        refused += 1
        continue
      }
      let region = try TellingRegions(of: picture.size, seed: number).random(1)[0]
      guard
        let answer = try? PartialPipeline(limits: limits).open(picture).read(RegionRequest(region))
      else { continue }
      let outcome = DamagedAnswer(answer, region, of: picture)
      #expect(outcome != .wrong, "\(number): \(region) of \(tiff)")
      outcomes[outcome, default: 0] += 1
    }
    // Some changes are harmless, and some make the picture unreadable.
    #expect(outcomes[.agreed, default: 0] > 60 && refused > 100, "\(outcomes) \(refused)")
  }
}
