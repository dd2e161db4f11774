import PropertyTesting
import PropertyTestingBridge
import Sharding
import Testing

@Suite struct ShardTests {
  private static func plan(_ seed: Int) -> WorkPlan {
    WorkPlan(
      job: "index", tool: "test", settings: ["seed": "\(seed)"], cells: 100, cellsDigest: "d")
  }

  @Test func `every cell belongs to one shard of any number, and to the range that has it`() async {
    await expectForAll(.integer(in: 1...300), .integer(in: 0...1_000_000)) { count, number in
      let (plan, key) = (Self.plan(number), "pictures/\(number).jpg")
      let owners = (1...count).filter { part in
        Shard(part...part, of: count)?.contains(key, of: plan) == true
      }
      #expect(owners.count == 1)
      let owner = try #require(owners.first)
      let half = try #require(Shard(1...(count + 1) / 2, of: count))
      #expect(half.contains(key, of: plan) == (owner <= (count + 1) / 2))
    }
  }

  @Test func `shards of many cells are alike in size`() {
    let plan = Self.plan(1)
    var sizes = [Int](repeating: 0, count: 8)
    for number in 0..<4_000 {
      for part in 1...8 where Shard(part...part, of: 8)?.contains("\(number)", of: plan) == true {
        sizes[part - 1] += 1
      }
    }
    // 500 each; 6.1 deviations of sqrt(4000 * 1/8 * 7/8) = 21 are wrong once in a billion.
    #expect(sizes.allSatisfy { abs($0 - 500) < 128 }, "\(sizes)")
  }

  @Test(arguments: [
    ("3/8", "3/8", "shard-0003-of-0008"), ("17-32/1000", "17-32/1000", "shard-0017-0032-of-1000"),
    ("1-1/1", "1/1", "shard-0001-of-0001"), ("12345/20000", "12345/20000", "shard-12345-of-20000"),
  ])
  func `what is typed names shards and their file`(
    text: String, shown: String, stem: String
  ) throws {
    let shard = try Shard(parsing: text, environment: [:])
    #expect("\(shard)" == shown)
    #expect(shard.fileStem == stem)
  }

  @Test(arguments: [
    "", "/", "0/8", "9/8", "8", "3/0", "-1/8", "3/8/9", "a/b", "5-3/8", "1-9/8", "1.5/8",
    "1/1000001", "auto/", "auto/x", "auto/0", "9223372036854775808/8", " 3/8",
  ])
  func `anything else is wrong usage that names what was typed`(text: String) {
    #expect {
      _ = try Shard(parsing: text, environment: ["PARALLEL_SEQ": "1"])
    } throws: { error in
      guard case .usage(let message)? = error as? ShardError else { return false }
      return message.contains("--shard \(text)")
    }
  }

  @Test(
    arguments: [
      ("SLURM_ARRAY_TASK_ID", "3", [:], "auto/8", "3/8"),
      ("AWS_BATCH_JOB_ARRAY_INDEX", "2", ["AWS_BATCH_JOB_ARRAY_SIZE": "8"], "auto", "3/8"),
      ("JOB_COMPLETION_INDEX", "0", [:], "auto/8", "1/8"),
      ("CI_NODE_INDEX", "3", ["GITLAB_CI": "true", "CI_NODE_TOTAL": "8"], "auto", "3/8"),
      ("TEST_SHARD_INDEX", "7", ["TEST_TOTAL_SHARDS": "8"], "auto", "8/8"),
      ("PARALLEL_SEQ", "8", [:], "auto/8", "8/8"),
      ("ZOOMBENCH_SHARD", "5", ["SLURM_ARRAY_TASK_ID": "1"], "auto/8", "5/8"),
    ] as [(String, String, [String: String], String, String)])
  func `auto takes the index from the engine's variable`(
    variable: String, value: String, others: [String: String], text: String, expected: String
  ) throws {
    let environment = others.merging([variable: value]) { $1 }
    #expect("\(try Shard(parsing: text, environment: environment))" == expected)
  }

  @Test(arguments: [
    ["SLURM_ARRAY_TASK_ID": "0"], ["SLURM_ARRAY_TASK_ID": "9"], ["JOB_COMPLETION_INDEX": "8"],
    ["JOB_COMPLETION_INDEX": "-1"], ["PARALLEL_SEQ": "one"], ["CI_NODE_INDEX": "1"], [:],
    ["JOB_COMPLETION_INDEX": "9223372036854775807"], ["PARALLEL_SEQ": "-9223372036854775808"],
  ])
  func `an index that is no shard is wrong usage, and never another shard`(
    environment: [String: String]
  ) {
    #expect(throws: ShardError.self) {
      _ = try Shard(parsing: "auto/8", environment: environment)
    }
  }

  @Test func `Slurm and Kubernetes are not asked for a total`() {
    for variable in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
      #expect(throws: ShardError.self) {
        _ = try Shard(
          parsing: "auto", environment: [variable: "1", "SLURM_ARRAY_TASK_COUNT": "8"])
      }
    }
  }

  @Test func `a sample depends on each name alone, and its parts make the whole`() async throws {
    await expectForAll(.integer(in: 1...50), .integer(in: 0...1_000_000)) { count, number in
      let parts = try (1...count).filter {
        try Sample(parsing: "\($0)/\(count)").contains("\(number).jpg")
      }
      #expect(parts.count == 1)
    }
    for text in ["", "1", "0/5", "6/5", "1/0", "x/y"] {
      #expect(throws: ShardError.self) { _ = try Sample(parsing: text) }
    }
  }
}
