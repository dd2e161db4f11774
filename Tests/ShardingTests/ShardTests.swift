import PropertyTesting
import PropertyTestingBridge
import Sharding
import Testing

@Suite struct ShardTests {
  @Test func `every key belongs to one shard of any number`() async {
    await expectForAll(.integer(in: 1...300), .integer(in: 0...1_000_000)) { count, number in
      let shards = (1...count).compactMap { Shard($0, of: count) }
      #expect(shards.count { $0.contains("pictures/\(number).jpg", of: "plan") } == 1)
    }
  }

  @Test func `shards of many cells are alike in size`() {
    var sizes = [Int](repeating: 0, count: 8)
    for number in 0..<4_000 {
      for part in 1...8 where Shard(part, of: 8)?.contains("\(number)", of: "plan") == true {
        sizes[part - 1] += 1
      }
    }
    // 128 is 6.1 standard deviations (sqrt(4000 * 1/8 * 7/8) = 21), exceeded once in a billion trials.
    #expect(sizes.allSatisfy { abs($0 - 500) < 128 }, "\(sizes)")
  }

  @Test(arguments: [
    ("3/8", "shard-0003-of-0008"), ("12345/20000", "shard-12345-of-20000"),
  ])
  func `a shard is printed as it was written, and its file's name has leading zeros`(
    text: String, stem: String
  ) throws {
    let shard = try Shard(parsing: text, environment: [:])
    #expect("\(shard)" == text)
    #expect(shard.fileStem == stem)
  }

  @Test(arguments: [
    "", "/", "0/8", "9/8", "8", "3/0", "-1/8", "3/8/9", "a/b", "1-3/8", "1.5/8", "1/1000001",
    "auto", "auto/", "auto/x", "auto/0", "9223372036854775808/8", " 3/8",
  ])
  func `any other text is wrong usage, and the message repeats it`(text: String) {
    let error = #expect(throws: ShardError.self) {
      try Shard(parsing: text, environment: ["PARALLEL_SEQ": "1"])
    }
    let message = error?.description ?? ""
    #expect(error == .usage(message) && message.contains("--shard \(text)"))
  }

  @Test(arguments: ["ZOOMBENCH_SHARD", "SLURM_ARRAY_TASK_ID", "PARALLEL_SEQ"])
  func `auto takes a valid index from the scheduler's variable`(
    variable: String
  ) throws {
    for part in 1...8 {
      let shard = try Shard(
        parsing: "auto/8", environment: ["OTHER": "9", variable: "\(part)"])
      #expect("\(shard)" == "\(part)/8")
    }
    for index in ["0", "9", "-1", "one", "", "9223372036854775807", "-9223372036854775808"] {
      #expect(throws: ShardError.self) {
        _ = try Shard(parsing: "auto/8", environment: [variable: index])
      }
    }
    #expect(throws: ShardError.self) { _ = try Shard(parsing: "auto/8", environment: [:]) }
  }
}
