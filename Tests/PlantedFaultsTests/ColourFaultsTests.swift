import PixelLaws
import PropertyTesting
import Testing
import ZoomLaws
import ZoomPipeline

@testable import PlantedFaults

@Suite struct ColourFaultsTests {
  private static let finders = [
    "The profile is ignored.": "PX-31",
    "The profile of a grey picture is ignored.": "PX-31",
    "Reduced answers keep their stored colours.": "PX-21",
    "Pictures with an orientation tag lose their profile.": "PX-31",
    "A profile of RGB is applied twice.": "PX-31",
    "Colours are converted to Display P3 instead of sRGB.": "PX-31",
    "All pictures get the profile of the one that was read first.": "PX-31",
    "RGB without a profile is taken for Display P3.": "PX-31",
    "Inks are converted as if they were light.": "PX-21",
    "Of 25 tiles of 8 pixels, one keeps its stored colours.": "PX-31",
    "Blue is multiplied by 0.85.": "PX-31",
    "16 bits are converted as 8.": "PX-21",
    "Alpha is converted with the colours.": "PX-31",
    "Alpha is dropped.": "PX-31",
    "Answers do not say that they are converted.": "PX-6",
  ]

  private static func laws(named names: Set<String>) -> [Law<PixelSubject>] {
    (RegionLaws.all + PictureLaws.all).filter { names.contains($0.name) }
  }

  private static var settings: PropertySettings {
    var settings = PropertySettings(cases: 40, seed: 1)
    settings.flakiness.replays = 0
    settings.failureLimit = 1
    // Required classes are for long runs.
    settings.classCases = 1
    settings.phases = [.explicit, .generate]
    return settings
  }

  @Test func `there are 15 faults of colour, each with a law that is about it`() {
    #expect(ColourFaults.all.count == 15)
    #expect(Set(ColourFaults.all.map(\.summary)) == Set(Self.finders.keys))
  }

  @Test(arguments: ColourFaults.all)
  func `the law that is about a fault of colour finds it`(
    fault: SeededFault<PixelSubject>
  ) async throws {
    let sound = try PixelSubject(ResidentPipeline().converting(to: .srgb))
    let name = try #require(Self.finders[fault.summary])
    let law = try #require(Self.laws(named: [name]).first)
    let report = await law.check(fault.planted(in: sound), settings: Self.settings)
    #expect(report.verdict == .broken, "\(name) does not find: \(fault.summary)")
  }

  @Test(arguments: ColourTarget.allCases)
  func `none of these laws finds a fault in sound sources`(target: ColourTarget) async throws {
    let pipelines: [any PicturePipeline] = [ResidentPipeline(), PartialPipeline()]
    let names = Set(Self.finders.values)
    let laws = Self.laws(named: names)
    #expect(Set(laws.map(\.name)) == names)
    for pipeline in pipelines {
      let subject = try PixelSubject(pipeline.converting(to: target))
      for law in laws {
        let report = await law.check(subject, settings: Self.settings)
        let breach = report.breaches.first
        #expect(
          report.verdict != .broken,
          "\(law.name) \(pipeline.name): \(breach?.input ?? ""): \(breach?.complaint ?? "")")
      }
    }
  }
}
