import PropertyTesting
import Testing

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
    #expect(try await store.load("stored").failures.map(\.value) == ["500"])

    let second = await Self.run(store, seed: 2, limit: 500)
    #expect(second.failures.map(\.phase) == [.reuse])
    #expect(second.failures.map(\.minimal) == [500])
    #expect(second.cases == 1)
    #expect(try await store.load("stored").failures.count == 1)

    let third = await Self.run(store, seed: 3, limit: .max)
    #expect(third.verdict == .passed)
    #expect(try await store.load("stored").failures.isEmpty)
  }

  @Test func `a stored failure that can be made simpler is replaced`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    _ = await Self.run(store, limit: 500)
    let report = await Self.run(store, limit: 20)
    #expect(report.failures.map(\.minimal) == [20])
    #expect(try await store.load("stored").failures.map(\.value) == ["20"])
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
    #expect(try await store.load("stored").failures.map(\.value) == ["500"])

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

  @Test func `a store that fails is told of, and the run goes on`() async {
    struct Broken: FailureStore {
      func load(_ property: String) async throws -> StoredFailures {
        throw UnreadableValue(text: "load")
      }
      func save(_ failure: StoredFailure, of property: String) async throws {
        throw UnreadableValue(text: "save")
      }
      func remove(_ failure: StoredFailure, of property: String) async throws {}
    }
    var settings = PropertySettings(seed: 1)
    settings.store = Broken()
    let report = await Property.check("broken", Gen<Int>.integer(in: 0...9), settings: settings) {
      number, _ in try Property.require(number < 5)
    }
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
