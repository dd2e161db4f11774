import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Compares sources with libvips on written TIFFs; `ci/fuzz-open tiff-written` tries many more.
struct WrittenTIFFTests {
  @Test func `no source shows other pixels, or any that libvips refuses`() throws {
    let folder = try TestFolder()
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

  @Test func `planes are carved only where libvips copies them`() throws {
    let folder = try TestFolder()
    var opened: Set<[Int]> = []
    let kinds = [
      (0, 1, 2), (0, 8, 2), (1, 4, 1), (1, 16, 2), (3, 8, 1), (3, 8, 2), (4, 8, 1), (5, 8, 4),
      (6, 8, 3), (8, 8, 3), (8, 16, 4), (8, 32, 3), (9, 8, 3), (32803, 8, 2),
    ]
    for (photometric, bits, samples) in kinds {
      for coding in [StripCoding.none, .lzw] {
        var tiff = TIFFBytes(
          width: 30, height: 41,
          kind: .init(photometric, bits, samples, format: bits == 32 ? 3 : 1),
          rowsPerStrip: 8)
        (tiff.coding, tiff.isPlanar) = (coding, true)
        if photometric == 6 { tiff.more = [.init(530, 3, [1, 1])] }
        let path = try folder.write(tiff.file(seed: 3).bytes, as: "a.tif")
        // libvips does not support some of these combinations.
        guard let picture = try? Picture(path) else { continue }
        opened.insert([photometric, bits, samples])
        let isCarved = (try? CarvedPipeline().open(picture)) != nil
        #expect(
          isCarved == (photometric == 5 || samples == 1 && bits >= 8), "\(photometric) \(bits)")
        guard isCarved else { continue }
        try expectCrops(
          CarvedPipeline().open(picture), TellingRegions(of: picture.size).random(9),
          of: Reference(path))
      }
    }
    #expect(opened.count >= 9, "\(opened)")
  }
}
