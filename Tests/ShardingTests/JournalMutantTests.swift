import Foundation
import PropertyTesting
import Sharding
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

/// Journals whose fields were changed and whose digests are right all the same, as anybody can make them.
@Suite struct JournalMutantTests {
  private static func merged(_ shards: Shards, _ paths: [FilePath]) -> Int? {
    do {
      return try shards.merged(paths).count
    } catch {
      #expect(error is ShardError, "\(error)")
      return nil
    }
  }

  @Test func `a journal whose fields are anything is refused, or means what it says`() async throws
  {
    try await inFolder { folder in
      let shards = try Shards(in: folder, cells: 8)
      let good = try #require(try shards.run(.whole))
      let whole = try bytes(of: good)
      let original = try JournalMutant(whole)
      #expect(original.sealed() == whole)
      let target = folder.appending("mutant.jsonl")
      let other = folder.appending("other")
      var random = SplitMix64(seed: 36)
      var (read, refused, taken) = (0, 0, 0)
      for number in 0..<Thoroughness.pick(400, full: 20_000) {
        var mutant = original
        mutant.change(&random)
        let bytes = mutant.sealed()
        try Data(bytes).write(to: URL(filePath: target.string))
        if let count = Self.merged(shards, [target]) {
          read += 1
          // All cells of the plan, however many it says there are.
          let cells = try JournalReader(target).plan.cells
          #expect(count == cells, "mutant \(number)")
        } else {
          refused += 1
        }
        _ = Self.merged(shards, [target, good])
        // The same as an earlier run of the shard would leave it, whose results are taken over.
        try FileManager.default.createDirectory(
          atPath: other.string, withIntermediateDirectories: true)
        let part = other.appending("\(Shard.whole.fileStem).AB.part")
        try Data(bytes.dropLast(number % 3 * 40)).write(to: URL(filePath: part.string))
        do {
          let opening = try JournalWriter.open(
            in: other, plan: shards.plan, shard: .whole, command: ["zoombench", "test"])
          if case .open(let writer) = opening, writer.doneCount > 0 { taken += 1 }
        } catch { #expect(error is ShardError, "mutant \(number): \(error)") }
        try FileManager.default.removeItem(atPath: other.string)
      }
      #expect(read > 10 && refused > 100 && taken > 10, "\(read) \(refused) \(taken)")
    }
  }

  @Test(arguments: [-1, .min, .max])
  func `a plan of a number of cells that there cannot be is refused`(_ cells: Int) async throws {
    try await inFolder { folder in
      let shards = try Shards(in: folder, cells: 2)
      let good = try #require(try shards.run(.whole))
      var mutant = try JournalMutant(bytes(of: good))
      var plan = try #require(mutant.lines[0]["plan"])
      plan["cells"] = .token("\(cells)")
      mutant.lines[0]["plan"] = plan
      let target = folder.appending("mutant.jsonl")
      try Data(mutant.sealed()).write(to: URL(filePath: target.string))
      #expect(throws: ShardError.self) { try shards.merged([target]) }
    }
  }
}
