#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import PropertyTesting
import Testing

/// A folder that exists during one test.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    var template = Array("/tmp/property-testing-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CancellationError() }
    path = String(cString: made)
  }

  deinit { Self.empty(path) }

  private static func empty(_ path: String) {
    for name in names(path) {
      let inner = "\(path)/\(name)"
      if unlink(inner) != 0 { empty(inner) }
    }
    rmdir(path)
  }

  static func names(_ path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func write(_ bytes: [UInt8], _ path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}

@Suite struct FolderFailureStoreTests {
  private static func token(_ numbers: [UInt64]) -> ReplayToken {
    ReplayToken(
      numbers.map { .integer(IntegerChoice(magnitude: $0, below: 0, above: .max)) })
  }

  private static func failure(_ numbers: [UInt64], _ value: String?) -> StoredFailure {
    let token = token(numbers)
    return StoredFailure(digest: token.digest, token: token, value: value)
  }

  @Test func `what is kept is read again, by property`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path + "/deep/er")
    let names = Gen<String>.anyString().sample(20, seed: 1) + ["a/b", "..", "", "a b", "a_b"]
    for (number, name) in Set(names).sorted().enumerated() {
      let one = Self.failure([UInt64(number)], "value \(number)\n\"ü\"")
      let two = Self.failure([UInt64(number), 7], nil)
      try store.save(one, of: name)
      try store.save(two, of: name)
      try store.save(two, of: name)
      let loaded = try store.load(name)
      #expect(Set(loaded.failures) == [one, two])
      #expect(loaded.problems.isEmpty)
      try store.remove(one, of: name)
      try store.remove(one, of: name)
      #expect(try store.load(name).failures == [two])
    }
    #expect(TemporaryFolder.names(folder.path) == ["deep"])
    #expect(TemporaryFolder.names(folder.path + "/deep/er").count == Set(names).count)
    for (number, name) in Set(names).sorted().enumerated() {
      try store.remove(Self.failure([UInt64(number), 7], nil), of: name)
    }
    #expect(TemporaryFolder.names(folder.path + "/deep/er").isEmpty)
  }

  @Test func `hostile files are told of, and the others read`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    let good = Self.failure([5], "five")
    try store.save(good, of: "p")
    let inner = store.folder(of: "p")
    TemporaryFolder.write(Array("pt1_garbage".utf8), inner + "/a.token")
    TemporaryFolder.write([0xFF, 0xFE, 0], inner + "/b.token")
    TemporaryFolder.write(Array(repeating: 65, count: 3 << 20), inner + "/c.value")
    TemporaryFolder.write([], inner + "/..x.token")
    TemporaryFolder.write([], inner + "/d d.token")
    TemporaryFolder.write([], inner + "/README")
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
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    let last = Self.failure([7], "value")
    try store.save(last, of: "p")
    let inner = store.folder(of: "p")
    for number in 1..<count {
      // These names sort before the last failure, which has two files.
      TemporaryFolder.write(Array("value".utf8), inner + "/\(1000 + number)A.value")
    }
    try #require(last.digest > "3")
    let loaded = try store.load("p")
    #expect(loaded.failures.count == 1000)
    #expect(loaded.failures.contains(last) == (count == 1000))
    #expect(loaded.problems.count == count - 1000)
  }

  @Test func `a full folder takes no more failures, and those that it holds again`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    let failures = (0..<1001 as Range<UInt64>).map { Self.failure([$0], nil) }
    for failure in failures[..<1000] { try store.save(failure, of: "p") }
    #expect(throws: FileError.self) { try store.save(failures[1000], of: "p") }
    try store.save(failures[0], of: "p")
    try store.remove(failures[0], of: "p")
    try store.save(failures[1000], of: "p")
    let loaded = try store.load("p")
    #expect(Set(loaded.failures) == Set(failures[1...]) && loaded.problems.isEmpty)
  }

  @Test func `a digest that is no plain name is refused`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    for digest in ["", "../x", "a/b", ".", String(repeating: "a", count: 65)] {
      let failure = StoredFailure(digest: digest, token: nil, value: "x")
      #expect(throws: (any Error).self) { try store.save(failure, of: "p") }
      #expect(throws: (any Error).self) { try store.remove(failure, of: "p") }
    }
    #expect(TemporaryFolder.names(folder.path).isEmpty)
  }
}

@Suite struct StoredFailuresTests {
  private static let codec = ValueCodec<Int>.lossless

  private static func settings(_ store: FolderFailureStore, seed: UInt64 = 1) -> PropertySettings {
    var settings = PropertySettings(cases: 200, seed: seed)
    settings.store = store
    return settings
  }

  private static func run(
    _ store: FolderFailureStore, _ generator: Gen<Int> = .integer(in: 0...100_000),
    codec: ValueCodec<Int>? = codec, seed: UInt64 = 1, limit: Int
  ) async -> PropertyReport<Int> {
    await Property.check(
      "stored", generator, settings: settings(store, seed: seed), codec: codec
    ) { number, _ in try Property.require(number < limit) }
  }

  @Test func `a failure is kept, tried first, and forgotten when it passes`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    let first = await Self.run(store, limit: 500)
    #expect(first.failures.map(\.phase) == [.generate])
    #expect(try store.load("stored").failures.map(\.value) == ["500"])

    let second = await Self.run(store, seed: 2, limit: 500)
    #expect(second.failures.map(\.phase) == [.reuse])
    #expect(second.failures.map(\.minimal) == [500])
    #expect(second.cases == 1)
    #expect(try store.load("stored").failures.count == 1)

    let third = await Self.run(store, seed: 3, limit: .max)
    #expect(third.verdict == .passed)
    #expect(try store.load("stored").failures.isEmpty)
  }

  @Test func `a stored failure that can be made simpler is replaced`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    _ = await Self.run(store, limit: 500)
    let report = await Self.run(store, limit: 20)
    #expect(report.failures.map(\.minimal) == [20])
    #expect(try store.load("stored").failures.map(\.value) == ["20"])
  }

  @Test func `a stored value outlives a change of its generator`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    _ = await Self.run(store, limit: 500)
    // The same choices now give 1, and the generator asks for more of them.
    let changed = Gen<[Int]>.array(of: .integer(in: 0...3), count: 2...4).map { $0.count }
    let report = await Self.run(store, changed, limit: 500)
    #expect(report.failures.map(\.minimal) == [500])
    #expect(report.failures.map(\.phase) == [.reuse])
    #expect(try store.load("stored").failures.map(\.value) == ["500"])

    let without = await Self.run(store, changed, codec: nil, limit: 500)
    #expect(without.failures.isEmpty)
  }

  @Test func `damaged tokens and values are told of, and do not end the run`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    _ = await Self.run(store, limit: 500)
    let inner = store.folder(of: "stored")
    TemporaryFolder.write(Array("pt1_AAAA".utf8), inner + "/0.token")
    TemporaryFolder.write(Array("no number".utf8), inner + "/0.value")
    TemporaryFolder.write(Array("777".utf8), inner + "/1.value")
    let report = await Self.run(store, limit: 600)
    #expect(report.storeProblems.count == 2)
    #expect(report.failures.map(\.minimal) == [777])
    // Unreadable files are kept for inspection.
    #expect(TemporaryFolder.names(inner) == ["0.token", "0.value", "1.value"])
  }

  @Test func `a store that fails is told of, and the run goes on`() async throws {
    let folder = try TemporaryFolder()
    TemporaryFolder.write([1], folder.path + "/file")
    let report = await Self.run(FolderFailureStore(folder.path + "/file/inner"), limit: 5)
    #expect(report.failures.map(\.minimal) == [5])
    #expect(report.storeProblems.count == 2)
  }

  @Test func `a token that does not fail is told of`() async {
    var settings = PropertySettings(seed: 1)
    settings.reproducing = [ReplayToken([])]
    let report = await Property.check("fine", Gen<Int>.integer(in: 0...9), settings: settings) {
      _, _ in
    }
    #expect(report.storeProblems.count == 1)
    #expect(report.verdict == .passed)
  }
}
