import Foundation
import PropertyTesting
import Sharding
import SystemPackage
import TestSupport
import Testing

/// Changed journals, with the old checksum or with a new one, which anyone can compute.
@Suite struct JournalMutantTests {
  @Test func `a journal with any changed byte is refused`() throws {
    let shards = try Shards(cells: 8)
    let whole = try bytes(of: try #require(try shards.run(.whole)))
    let target = shards.folder.appending("mutant.jsonl")
    var random = SplitMix64(seed: 7)
    for number in 0..<400 {
      var bytes = whole
      let place = Int.random(in: bytes.indices, using: &random)
      switch number % 4 {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 1: bytes.removeLast(bytes.count - place)
      case 2: bytes.remove(at: place)
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 90)], at: place)
      }
      try Data(bytes).write(to: URL(filePath: target.string))
      #expect(throws: ShardError.self, "mutant \(number)") { try shards.merged([target]) }
    }
  }

  private static func merged(_ shards: Shards, _ paths: [FilePath]) -> Int? {
    do {
      return try shards.merged(paths).count
    } catch {
      #expect(error is ShardError, "\(error)")
      return nil
    }
  }

  @Test func `a sealed journal with arbitrary fields is refused, or has all cells of its plan`()
    throws
  {
    let shards = try Shards(cells: 8)
    let good = try #require(try shards.run(.whole))
    let whole = try bytes(of: good)
    let target = shards.folder.appending("mutant.jsonl")
    let original = try JournalMutant(whole)
    #expect(original.sealed() == whole)
    for cells in [-1, Int.min, .max] {
      var mutant = original
      var plan = try #require(mutant.lines[0]["plan"])
      plan["cells"] = .token("\(cells)")
      mutant.lines[0]["plan"] = plan
      try Data(mutant.sealed()).write(to: URL(filePath: target.string))
      #expect(Self.merged(shards, [target]) == nil)
    }
    let other = shards.folder.appending("other")
    var random = SplitMix64(seed: 36)
    var (read, refused, taken) = (0, 0, 0)
    for number in 0..<Thoroughness.pick(400, full: 20_000) {
      var mutant = original
      mutant.change(&random)
      let bytes = mutant.sealed()
      try Data(bytes).write(to: URL(filePath: target.string))
      if let count = Self.merged(shards, [target]) {
        read += 1
        let cells = try JournalReader(target).plan.cells
        #expect(count == cells, "mutant \(number)")
      } else {
        refused += 1
      }
      _ = Self.merged(shards, [target, good])
      // The same file as the part of an earlier run, whose results are reused.
      try FileManager.default.createDirectory(
        atPath: other.string, withIntermediateDirectories: true)
      let part = other.appending(try Shard.whole.fileStem + ".AB.part")
      try Data(bytes.dropLast(number % 3 * 40)).write(to: URL(filePath: part.string))
      do {
        let writer = try JournalWriter.open(
          in: other, plan: shards.plan, shard: .whole, command: ["zoombench", "test"])
        if writer?.doneCount ?? 0 > 0 { taken += 1 }
      } catch { #expect(error is ShardError, "mutant \(number): \(error)") }
      try FileManager.default.removeItem(atPath: other.string)
    }
    #expect(read > 10 && refused > 100 && taken > 10, "\(read) \(refused) \(taken)")
  }
}
