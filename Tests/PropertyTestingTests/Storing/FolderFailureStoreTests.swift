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
    guard let made = mkdtemp(&template) else { throw UnreadableValue(text: "mkdtemp") }
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
      try await store.save(one, of: name)
      try await store.save(two, of: name)
      try await store.save(two, of: name)
      let loaded = try await store.load(name)
      #expect(Set(loaded.failures) == [one, two])
      #expect(loaded.problems.isEmpty)
      try await store.remove(one, of: name)
      try await store.remove(one, of: name)
      #expect(try await store.load(name).failures == [two])
    }
    #expect(TemporaryFolder.names(folder.path) == ["deep"])
    #expect(TemporaryFolder.names(folder.path + "/deep/er").count == Set(names).count)
  }

  @Test func `nothing is left of the last failure of a property`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    let failure = Self.failure([1, 2], "x")
    try await store.save(failure, of: "p")
    #expect(TemporaryFolder.names(folder.path).count == 1)
    try await store.remove(failure, of: "p")
    #expect(TemporaryFolder.names(folder.path).isEmpty)
  }

  @Test func `hostile files are told of, and the others read`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    let good = Self.failure([5], "five")
    try await store.save(good, of: "p")
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
    let loaded = try await store.load("p")
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
    try await store.save(last, of: "p")
    let inner = store.folder(of: "p")
    for number in 1..<count {
      // These names sort before the last failure, which has two files.
      TemporaryFolder.write(Array("value".utf8), inner + "/\(1000 + number)A.value")
    }
    try #require(last.digest > "3")
    let loaded = try await store.load("p")
    #expect(loaded.failures.count == 1000)
    #expect(loaded.failures.contains(last) == (count == 1000))
    #expect(loaded.problems.count == count - 1000)
  }

  @Test func `a full folder takes no more failures, and those that it holds again`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    let failures = (0..<1001 as Range<UInt64>).map { Self.failure([$0], nil) }
    for failure in failures[..<1000] { try await store.save(failure, of: "p") }
    await #expect(throws: FileError.self) { try await store.save(failures[1000], of: "p") }
    try await store.save(failures[0], of: "p")
    try await store.remove(failures[0], of: "p")
    try await store.save(failures[1000], of: "p")
    let loaded = try await store.load("p")
    #expect(Set(loaded.failures) == Set(failures[1...]) && loaded.problems.isEmpty)
  }

  @Test func `damaged files are told of up to a limit`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    try await store.save(Self.failure([7], nil), of: "p")
    let inner = store.folder(of: "p")
    for number in 1...1100 {
      TemporaryFolder.write(Array("damaged".utf8), inner + "/\(1000 + number)A.token")
    }
    #expect(try await store.load("p").problems.count == 1001)
  }

  @Test func `a digest that is no plain name is refused`() async throws {
    let folder = try TemporaryFolder()
    let store = FolderFailureStore(folder.path)
    for digest in ["", "../x", "a/b", ".", String(repeating: "a", count: 65)] {
      let failure = StoredFailure(digest: digest, token: nil, value: "x")
      await #expect(throws: (any Error).self) { try await store.save(failure, of: "p") }
      await #expect(throws: (any Error).self) { try await store.remove(failure, of: "p") }
    }
    #expect(TemporaryFolder.names(folder.path).isEmpty)
  }

  @Test func `a folder that cannot be made is an error`() async throws {
    let folder = try TemporaryFolder()
    TemporaryFolder.write([1], folder.path + "/file")
    let store = FolderFailureStore(folder.path + "/file/inner")
    await #expect(throws: FileError.self) {
      try await store.save(Self.failure([1], "x"), of: "p")
    }
    await #expect(throws: FileError.self) { _ = try await store.load("p") }
  }
}
