import Foundation
import Testing

@testable import PropertyTesting

/// A folder that exists during one test, and the store in it.
class FolderTests {
  let folder = "/tmp/property-testing-\(UInt64.random(in: 0...UInt64.max))"
  let store: FolderFailureStore

  init() throws {
    store = FolderFailureStore(folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}

@Suite final class FolderFailureStoreTests: FolderTests {
  private func failure(_ numbers: [UInt64], _ value: String?) -> StoredFailure {
    let token = ReplayToken(
      numbers.map { .integer(IntegerChoice(magnitude: $0, below: 0, above: .max)) })
    return StoredFailure(digest: token.digest, token: token, value: value)
  }

  @Test func `saved failures are loaded by property`() async throws {
    let store = FolderFailureStore(folder + "/deep/er")
    let names = Gen<String>.anyString().sample(20, seed: 1) + ["a/b", "..", "", "a b", "a_b"]
    for (number, name) in Set(names).sorted().enumerated() {
      let one = failure([UInt64(number)], "value \(number)\n\"ü\"")
      let two = failure([UInt64(number), 7], nil)
      try store.save(one, of: name)
      try store.save(two, of: name)
      try store.save(two, of: name)
      let loaded = try store.load(name)
      #expect(Set(loaded.failures) == [one, two] && loaded.problems.isEmpty)
      try store.remove(one, of: name)
      try store.remove(one, of: name)
      #expect(try store.load(name).failures == [two])
    }
    #expect(try files(in: folder) == ["deep"])
    #expect(try files(in: folder + "/deep/er").count == Set(names).count)
    for (number, name) in Set(names).sorted().enumerated() {
      try store.remove(failure([UInt64(number), 7], nil), of: name)
    }
    #expect(try files(in: folder + "/deep/er").isEmpty)
  }

  @Test func `hostile files are reported, and the others are read`() async throws {
    let good = failure([5], "five")
    try store.save(good, of: "p")
    let inner = store.folder(of: "p")
    try write("pt1_garbage", inner + "/a.token")
    try Data([0xFF, 0xFE, 0]).write(to: URL(filePath: inner + "/b.token"))
    try write(String(repeating: "A", count: 3 << 20), inner + "/c.value")
    try write("", inner + "/..x.token")
    try write("", inner + "/d d.token")
    try write("", inner + "/README")
    symlink("/etc/passwd", inner + "/e.value")
    mkfifo(inner + "/f.token", 0o600)
    mkdir(inner + "/g.value", 0o700)
    let loaded = try store.load("p")
    #expect(loaded.failures == [good])
    for name in ["a.token", "b.token", "c.value", "d d.token", "e.value", "f.token", "g.value"] {
      #expect(loaded.problems.filter { $0.contains("/\(name): ") }.count == 1, "\(name)")
    }
    #expect(loaded.problems.count == 7)
  }

  @Test(arguments: [1000, 1001]) func `a thousand failures are read, and no more`(
    count: Int
  ) async throws {
    let last = failure([7], "value")
    try store.save(last, of: "p")
    let inner = store.folder(of: "p")
    for number in 1..<count {
      // These names sort before the last failure, which has two files.
      try write("value", inner + "/\(1000 + number)A.value")
    }
    try #require(last.digest > "3")
    let loaded = try store.load("p")
    #expect(loaded.failures.count == 1000)
    #expect(loaded.failures.contains(last) == (count == 1000))
    #expect(loaded.problems.count == count - 1000)
  }

  @Test func `a full folder accepts only the failures that it already has`() async throws {
    let failures = (0..<1001 as Range<UInt64>).map { failure([$0], nil) }
    for failure in failures[..<1000] { try store.save(failure, of: "p") }
    #expect(throws: FileError.self) { try store.save(failures[1000], of: "p") }
    try store.save(failures[0], of: "p")
    try store.remove(failures[0], of: "p")
    try store.save(failures[1000], of: "p")
    let loaded = try store.load("p")
    #expect(Set(loaded.failures) == Set(failures[1...]) && loaded.problems.isEmpty)
  }

  @Test func `a digest that is not a plain name is refused`() async throws {
    for digest in ["", "../x", "a/b", ".", String(repeating: "a", count: 65)] {
      let failure = StoredFailure(digest: digest, token: nil, value: "x")
      #expect(throws: (any Error).self) { try store.save(failure, of: "p") }
      #expect(throws: (any Error).self) { try store.remove(failure, of: "p") }
    }
    #expect(try files(in: folder).isEmpty)
  }
}

@Suite final class StoredFailuresTests: FolderTests {
  private func run(
    on store: FolderFailureStore? = nil, _ generator: Gen<Int> = .integer(in: 0...100_000),
    codec: ValueCodec<Int>? = .lossless, seed: UInt64 = 1, limit: Int
  ) async -> PropertyReport<Int> {
    var settings = PropertySettings(cases: 200, seed: seed)
    settings.store = store ?? self.store
    return await Property.check("stored", generator, settings: settings, codec: codec) {
      number, _ in try Property.require(number < limit)
    }
  }

  @Test func `a failure is stored, tried first, and removed when it passes`() async throws {
    let first = await run(limit: 500)
    #expect(first.failures.map(\.phase) == [.generate])
    #expect(try store.load("stored").failures.map(\.value) == ["500"])

    let second = await run(seed: 2, limit: 500)
    #expect(second.failures.map(\.phase) == [.reuse])
    #expect(second.failures.map(\.minimal) == [500])
    #expect(second.cases == 1)
    #expect(try store.load("stored").failures.count == 1)

    let third = await run(seed: 3, limit: .max)
    #expect(third.verdict == .passed)
    #expect(try store.load("stored").failures.isEmpty)
  }

  @Test func `a stored failure that shrinks further is replaced`() async throws {
    _ = await run(limit: 500)
    let report = await run(limit: 20)
    #expect(report.failures.map(\.minimal) == [20])
    #expect(try store.load("stored").failures.map(\.value) == ["20"])
  }

  @Test func `a stored value survives a change of its generator`() async throws {
    _ = await run(limit: 500)
    // The stored choices are now too few, so the replay is an overrun; only the stored value, 500, fails again.
    let changed = Gen<[Int]>.array(of: .integer(in: 0...3), count: 2...4).map { $0.count }
    let report = await run(changed, limit: 500)
    #expect(report.failures.map(\.minimal) == [500])
    #expect(report.failures.map(\.phase) == [.reuse])
    #expect(try store.load("stored").failures.map(\.value) == ["500"])

    let without = await run(changed, codec: nil, limit: 500)
    #expect(without.failures.isEmpty)
  }

  @Test func `damaged tokens and values are reported, and the run continues`() async throws {
    _ = await run(limit: 500)
    let inner = store.folder(of: "stored")
    try write("pt1_AAAA", inner + "/0.token")
    try write("no number", inner + "/0.value")
    try write("777", inner + "/1.value")
    let report = await run(limit: 600)
    #expect(report.storeProblems.count == 2)
    #expect(report.failures.map(\.minimal) == [777])
    // Unreadable files are kept for inspection.
    #expect(try files(in: inner) == ["0.token", "0.value", "1.value"])
  }

  @Test func `a failing store is reported, and the run continues`() async throws {
    try write("1", folder + "/file")
    let report = await run(on: FolderFailureStore(folder + "/file/inner"), limit: 5)
    #expect(report.failures.map(\.minimal) == [5])
    #expect(report.storeProblems.count == 2)
  }

  @Test func `a token that does not fail is reported`() async {
    var settings = PropertySettings(seed: 1)
    settings.reproducing = [ReplayToken([])]
    let report = await Property.check("fine", .int(in: 0...9), settings: settings) { _, _ in }
    #expect(report.storeProblems.count == 1 && report.verdict == .passed)
  }
}
