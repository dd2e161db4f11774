import ForeignPipelines
import Measurement
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct BenchRunnerTests {
  private func run(
    _ picture: String = "jpeg-444", sources: [String] = ["naive", "partial"],
    rounds: ClosedRange<Int> = 3...3, seed: UInt64 = 1,
    pipelines: StandardPipelines = StandardPipelines(), foreign: [ForeignPipeline] = []
  ) async throws -> [BenchReport.Group] {
    let plan = BenchPlan(
      subjects: [
        BenchPlan.Subject(name: picture, path: try await CorpusPictures.file(picture))
      ],
      sources: sources, peeks: [1, 0.5].map { BenchPlan.PeekKind(side: 200, scale: $0) },
      states: BenchPlan.FileState.allCases, coldRounds: rounds, warmRounds: rounds,
      budgetSeconds: 0, seed: seed)
    let runner = BenchRunner(
      plan: plan, bar: ProgressBar(isQuiet: true), pipelines: pipelines, foreign: foreign,
      memory: nil)
    let groups = try await runner.run().groups
    // Two kinds of peek, cold and warm.
    #expect(groups.count == 4)
    #expect(groups.allSatisfy { rounds.contains($0.rounds.count) })
    return groups
  }

  private func regions(_ groups: [BenchReport.Group]) -> [[PixelRegion]] {
    groups.map { $0.rounds.map(\.region) }
  }

  @Test(arguments: ["jpeg-444", "orientation-6", "tiny-17x3"])
  func `every source answers every round, and as naive does`(picture: String) async throws {
    let sources = StandardPipelines().names
    // The floor needs an upright picture.
    let floor = picture == "orientation-6" ? [] : ["floor"]
    let groups = try await run(picture, sources: sources)
    for group in groups {
      #expect(group.arms.map(\.source) == sources + (group.state == .warm ? floor : []))
      #expect(group.refusals.isEmpty)
      for arm in group.arms {
        #expect(arm.wallNanoseconds.count == 3)
        #expect(arm.cpuNanoseconds.count == 3)
        #expect(arm.agreed == 3)
        #expect(arm.disagreements.isEmpty)
        #expect(arm.work.pixelsDelivered == group.rounds.map(\.region.area).reduce(0, +))
      }
    }
  }

  @Test func `the floor runs in warm rounds, and every arm is held against it`() async throws {
    for group in try await run(sources: ["naive", "partial"]) {
      #expect((group.floor != nil) == (group.state == .warm))
      for arm in group.arms {
        #expect((group.timesFloor(of: arm) != nil) == (group.state == .warm))
      }
      #expect(group.floor.flatMap { group.timesFloor(of: $0) }?.ratio ?? 1 == 1)
      #expect(group.floor?.work.bytesRead ?? 0 == 0)
      #expect(group.floor?.peakMemoryBytes == nil)
    }
  }

  @Test func `naive alone is held against nothing`() async throws {
    #expect(try await run(sources: ["naive"]).allSatisfy { $0.floor == nil })
  }

  @Test func `warm rounds find the whole index`() async throws {
    for picture in ["jpeg-444", "orientation-6"] {
      for group in try await run(picture, sources: ["naive", "partial"], rounds: 4...4)
      where group.state == .warm {
        let arm = try #require(group.arms.first { $0.source == "partial" })
        let path = try await CorpusPictures.file(picture)
        let source = try #require(
          try PartialPipeline().open(path) as? any JPEGWindowSource)
        try source.completeIndex()
        var work = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
        for round in group.rounds {
          work = work + (try source.read(RegionRequest(round.region)).work)
        }
        #expect(arm.work == work)
      }
    }
  }

  @Test func `a round keeps the digest of what a full decode shows there`() async throws {
    let groups = try await run()
    let source = try NaivePipeline().open(try await CorpusPictures.file("jpeg-444"))
    for round in groups.flatMap(\.rounds) {
      let pixels = try source.read(RegionRequest(round.region)).pixels
      #expect(PixelDigest(of: pixels) == round.digest)
    }
  }

  @Test func `touches do not depend on which sources run, nor on the file's state`() async throws {
    let few = try await run(sources: ["naive"])
    let many = try await run(sources: ["naive", "random", "sequential", "partial"])
    #expect(regions(few) == regions(many))
    let (cold, warm) = (few.filter { $0.state == .cold }, few.filter { $0.state == .warm })
    #expect(cold.count == 2)
    #expect(regions(cold) == regions(warm))
  }

  @Test func `a seed gives the same touches again, another seed gives others`() async throws {
    let first = try await run(seed: 7)
    #expect(regions(first) == regions(try await run(seed: 7)))
    #expect(regions(first) != regions(try await run(seed: 8)))
  }

  @Test func `touches spread over the picture`() async throws {
    let group = try #require(try await run(sources: ["naive"], rounds: 16...16).first)
    #expect(Set(group.rounds.map(\.region)).count > 8)
  }

  @Test func `without time left only the fewest rounds are run`() async throws {
    let groups = try await run(sources: ["naive"], rounds: 2...50)
    #expect(groups.allSatisfy { $0.rounds.count == 2 })
  }

  @Test func `a source that cannot read the picture is listed with its reason`() async throws {
    let groups = try await run("png-interlaced", sources: ["naive", "partial"])
    for group in groups {
      #expect(group.arms.map(\.source) == ["naive"])
      #expect(group.refusals.map(\.source) == ["partial"])
      #expect(group.refusals.allSatisfy { !$0.reason.isEmpty })
    }
  }

  @Test func `an answer that is off by one sample is a disagreement in its round`() async throws {
    let (x, y) = (300, 200)
    let folder = try TestFolder.executable().removingLastComponent()
    let worker = folder.appending("pipeline-worker")
    let liar = try ForeignPipeline("liar=worker:'\(worker)' flip \(x) \(y)")
    let groups = try await run(rounds: 12...12, foreign: [liar])
    var found = 0
    for group in groups {
      let touched = group.rounds.indices.filter { group.rounds[$0].region.contains(x: x, y: y) }
      let arm = try #require(group.arms.first { $0.source == "liar" })
      #expect(arm.disagreements.keys.sorted() == touched)
      #expect(arm.agreed == 12 - touched.count)
      for (round, digest) in arm.disagreements { #expect(digest != group.rounds[round].digest) }
      let others = group.arms.filter { $0.source != "liar" }
      #expect(others.flatMap(\.disagreements).isEmpty)
      found += touched.count
    }
    #expect((1..<48).contains(found), "the lie must be seen in some rounds, but not in all")
  }

  @Test func `a damaged picture costs nothing that is measured on others`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("jpeg-444", as: "whole.jpg")
      try folder.write(try folder.bytes(of: "whole.jpg").prefix(20_000), to: "cut.jpg")
      let plan = BenchPlan(
        subjects: ["cut.jpg", "whole.jpg"].map {
          BenchPlan.Subject(name: $0, path: folder.file($0))
        },
        sources: ["naive", "partial"], peeks: [BenchPlan.standardPeeks[0]], states: [.warm],
        coldRounds: 1...1, warmRounds: 1...1, budgetSeconds: nil, seed: 1)
      let runner = BenchRunner(
        plan: plan, bar: ProgressBar(isQuiet: true), pipelines: StandardPipelines(), memory: nil)
      let outcome = try await runner.run()
      #expect(outcome.unmeasured.map(\.picture) == ["cut.jpg"])
      #expect(outcome.groups.map(\.picture) == ["whole.jpg"])
    }
  }

  @Test func `a source that runs out of budget is passed over, with the reason`() async throws {
    let pipelines = StandardPipelines(limits: PictureLimits(memory: MemoryBudget(limit: 850_000)))
    // resident takes the budget for the picture's 840,423 bytes, so random gets none.
    let groups = try await run(
      "png", sources: ["naive", "resident", "random"], rounds: 2...2, pipelines: pipelines)
    let warm = try #require(groups.last)
    #expect(warm.arms.map(\.source) == ["naive", "resident", "floor"])
    #expect(warm.refusals.map(\.source) == ["random"])
    #expect(warm.failures.isEmpty)
  }
}
