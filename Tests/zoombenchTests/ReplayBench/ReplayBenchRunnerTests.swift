import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct ReplayBenchRunnerTests {
  private func group(
    sources: [String], repeats: Int, events: Int
  ) async throws -> ReplayBenchReport.Group {
    let script = try GestureScript(
      screen: Screen(size: ViewSize(width: 30, height: 40)), maximumForce: 1,
      events: (0..<events).map { number in
        GestureEvent(
          time: Double(number) / 60,
          kind: .touches(
            number == 0 ? .began : .moved,
            [Touch(id: 1, point: ViewPoint(x: 15, y: 15 + Double(number) / 10), force: 0.5)]))
      })
    let plan = ReplayBenchPlan(
      subjects: [
        BenchPlan.Subject(name: "p", path: try await CorpusPictures.file("jpeg-444"))
      ],
      gestures: [ReplayBenchPlan.Gesture(name: "g", script: script, system: .peek)],
      sources: sources, repeats: repeats, seed: 1)
    let runner = ReplayBenchRunner(
      plan: plan, bar: ProgressBar(isQuiet: true), pipelines: StandardPipelines())
    return try #require(try runner.run().groups.first)
  }

  @Test func `every source renders every frame of every replay, naive a sample`() async throws {
    let group = try await group(sources: ["naive", "resident", "partial"], repeats: 2, events: 40)
    #expect(group.frames == 40)
    #expect(group.sampledFrames.count == 30)
    #expect(group.arms.map(\.source) == ["naive", "resident", "partial"])
    #expect(group.arms.map { $0.firstWallNanoseconds.count } == [1, 2, 2])
    #expect(group.arms.map { $0.wallNanoseconds.count } == [29, 78, 78])
    #expect(group.arms[1].pixelsShown == 80 * 1200)
  }

  @Test func `exact parts do not differ from naive's`() async throws {
    let group = try await group(sources: ["naive", "resident"], repeats: 1, events: 5)
    #expect(group.arms[0].largestMeanDifference == nil)
    #expect(group.arms[1].largestMeanDifference == 0)
    #expect(group.speedUp(of: group.arms[1])?.pairs == 4)
    #expect(group.speedUp(of: group.arms[0]) == nil)
  }

  @Test func `a source that cannot serve a picture is a refusal`() async throws {
    let script = try GestureScript(
      screen: Screen(size: ViewSize(width: 30, height: 40)), events: [])
    let plan = ReplayBenchPlan(
      subjects: [
        BenchPlan.Subject(name: "p", path: try await CorpusPictures.file("png-interlaced"))
      ],
      gestures: [ReplayBenchPlan.Gesture(name: "g", script: script, system: .peek)],
      sources: ["naive", "partial"], repeats: 1, seed: 1)
    let outcome = try ReplayBenchRunner(
      plan: plan, bar: ProgressBar(isQuiet: true), pipelines: StandardPipelines()
    ).run()
    #expect(outcome.groups[0].arms.map(\.source) == ["naive"])
    #expect(outcome.groups[0].refusals.map(\.source) == ["partial"])
  }

  @Test func `shares count what was ready in time`() {
    var arm = ReplayBenchReport.Arm(
      source: "s", firstWallNanoseconds: [], wallNanoseconds: [1, 2, 3, 4], cpuNanoseconds: [],
      work: Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0), pixelsShown: 0)
    #expect(arm.share(within: 3) == 0.75)
    #expect(arm.share(within: 0) == 0)
    arm.wallNanoseconds = []
    #expect(arm.share(within: 3) == 0)
  }
}
