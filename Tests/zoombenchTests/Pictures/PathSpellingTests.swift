import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

/// The built command finds the same pictures as the system, for every spelling of a file or folder.
@Suite struct PathSpellingTests {
  private static let small = RandomPNG(
    RandomPNG.Kind(colourType: 0, depth: 8), width: 5, height: 4, seed: 1)
  private static let large = RandomPNG(
    RandomPNG.Kind(colourType: 0, depth: 8), width: 9, height: 4, seed: 2)

  /// Places pictures 5 pixels wide, except in `far`, where they are 9 wide; one lacks a suffix.
  private static func placeFiles(in folder: TestFolder) throws {
    for name in ["a.png", "near/b.png", ".hidden.png", ".hidden/c.png"] {
      try folder.write(small.bytes, to: name)
    }
    for name in ["far/a.png", "far/inner/d"] { try folder.write(large.bytes, to: name) }
    try folder.write("words".utf8, to: "notes.txt")
    for (link, target) in [
      ("link.png", "a.png"), ("linkWithoutSuffix", "a.png"), ("near/up.png", "../a.png"),
      ("toFolder", "near"), ("toInner", "far/inner"), ("round", "."), ("near/above", ".."),
      ("one", "two"), ("two", "one"), ("lost", "nowhere"), ("lost.png", "nowhere.png"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link).string, withDestinationPath: target)
    }
    try FileManager.default.linkItem(
      atPath: folder.file("a.png").string, toPath: folder.file("hard.png").string)
  }

  @Test func `paths that are not UTF-8 have different texts, which name them`() {
    let names: [[UInt8]] = [
      Array("\\xff".utf8) + [0xFE], [0xFF] + Array("\\xfe".utf8), [0xFF, 0xFE], [0xFE, 0xFF],
      Array("\\\\xff".utf8) + [0xFE],
    ]
    let paths = names.map { FilePath(platformString: $0.map { CChar(bitPattern: $0) } + [0]) }
    #expect(Set(paths.map(\.text)).count == names.count, "\(paths.map(\.text))")
    #expect(paths.map { FilePath(text: $0.text) } == paths)
  }

  private func inspected(
    _ arguments: [String], in folder: TestFolder
  ) async throws -> (files: [String], code: Int32?) {
    let run = try await folder.zoombench(["inspect", "--format", "json", "--quiet"] + arguments)
    let rows = try run.result().rows
    return (rows.map { "\($0.name) \($0.file?.width.map(String.init) ?? "-")" }, run.code)
  }

  /// Returns the names and widths of all pictures below a prefix.
  ///
  /// `lost.png` is a broken link, which is reported.
  private static func everything(_ prefix: String = "") -> [String] {
    ["a.png 5", "far/a.png 9", "far/inner/d 9", "lost.png -", "near/b.png 5"].map {
      prefix + $0
    }
  }

  /// Spellings of one file or folder, with the pictures found there and the exit code.
  struct Spelling: Sendable {
    var spellings: [String]
    var found: [String]
    var code: Int32 = 0
  }

  static let spellings: [Spelling] = [
    Spelling(spellings: [".", "./", "./.", ".//."], found: everything(), code: 65),
    Spelling(spellings: ["near/.."], found: everything("near/../"), code: 65),
    Spelling(spellings: ["toFolder/.."], found: everything("toFolder/../"), code: 65),
    Spelling(spellings: ["round"], found: everything("round/"), code: 65),
    Spelling(
      spellings: ["near", "near/", "near/.", "./near"], found: ["near/b.png 5", "near/up.png 5"]),
    Spelling(
      spellings: ["toFolder", "toFolder/"], found: ["toFolder/b.png 5", "toFolder/up.png 5"]),
    Spelling(spellings: ["toInner"], found: ["toInner/d 9"]),
    Spelling(spellings: ["far/./inner"], found: ["far/inner/d 9"]),
    Spelling(
      spellings: ["toInner/.."], found: ["toInner/../a.png 9", "toInner/../inner/d 9"]),
    Spelling(spellings: ["toInner/../a.png"], found: ["toInner/../a.png 9"]),
    Spelling(spellings: ["near/../a.png"], found: ["near/../a.png 5"]),
    Spelling(spellings: ["a.png", "./a.png", ".//./a.png"], found: ["a.png 5"]),
    Spelling(spellings: ["link.png"], found: ["link.png 5"]),
    Spelling(spellings: ["linkWithoutSuffix"], found: ["linkWithoutSuffix 5"]),
    Spelling(spellings: [".hidden.png"], found: [".hidden.png 5"]),
    Spelling(spellings: [".hidden"], found: [".hidden/c.png 5"]),
  ]

  @Test(arguments: spellings)
  func `every spelling of a file or folder finds its pictures, each once`(
    one: Spelling
  ) async throws {
    let folder = try TestFolder()
    try Self.placeFiles(in: folder)
    #expect(!one.spellings.isEmpty)
    for spelling in one.spellings {
      let found = try await inspected([spelling], in: folder)
      #expect(found.files == one.found, "\(spelling)")
      #expect(found.code == one.code, "\(spelling)")
    }
  }

  @Test func `a file that several arguments name counts once`() async throws {
    let folder = try TestFolder()
    try Self.placeFiles(in: folder)
    let found = try await inspected(
      ["near", ".", "link.png", "hard.png", "near/../near", folder.path.string, "toFolder"],
      in: folder)
    #expect(
      found.files == [
        "near/b.png 5", "near/up.png 5", "far/a.png 9", "far/inner/d 9", "lost.png -",
        "\(folder.path)/lost.png -",
      ])
  }

  @Test(arguments: ["one", "lost", "lost.png", "nothing", "a.png/x"])
  func `a name without a file is missing input`(name: String) async throws {
    let folder = try TestFolder()
    try Self.placeFiles(in: folder)
    for command in [["inspect"], ["--rounds", "1", "--quiet"], ["index"]] {
      let run = try await folder.zoombench(command + [name])
      #expect(run.code == 66, "\(command)")
      #expect(run.errorLines.count == 1 && run.errors.contains(name), "\(run.errors)")
    }
  }

  @Test func `the benchmark and the indexer take the current folder, too`() async throws {
    let folder = try TestFolder()
    try folder.write(Self.small.bytes, to: "a.png")
    let bench = try await folder.zoombench(
      ".", "--rounds", "1", "--quick", "--quiet", "--sources", "random")
    #expect(bench.code == 0 && bench.output.contains("a.png: 5x4"), "\(bench)")
    let index = try await folder.zoombench("index", "--quiet", "--index-dir", "indexes", ".")
    #expect(index.code == 0 && index.output.contains("a.png"), "\(index)")
  }

  @Test func `files whose names are not UTF-8 have different names`() async throws {
    func component(_ byte: UInt8, _ ending: String) throws -> FilePath.Component {
      let name = Array("bad".utf8CString.dropLast()) + [CChar(bitPattern: byte)]
      return try #require(FilePath.Component(platformString: name + Array(ending.utf8CString)))
    }
    let folder = try TestFolder()
    let subfolder = folder.path.appending(try component(0xFD, ""))
    #expect(subfolder.withPlatformString { mkdir($0, 0o755) } == 0)
    for path in [
      folder.path.appending(try component(0xFE, ".png")),
      folder.path.appending(try component(0xFF, ".png")), subfolder.appending("a.png"),
    ] {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: .create, permissions: .ownerReadWrite)
      _ = try file.closeAfter { try file.writeAll(Self.small.bytes) }
    }
    let found = try await inspected(["."], in: folder)
    #expect(found.code == 0, "\(found)")
    #expect(found.files.sorted() == ["bad\\xfd/a.png 5", "bad\\xfe.png 5", "bad\\xff.png 5"])
    let bytes = [UInt8(ascii: "<"): 0xFE, UInt8(ascii: ">"): 0xFD] as [UInt8: UInt8]
    try folder.write("bad<.png\nbad>/a.png".utf8.map { bytes[$0] ?? $0 }, to: "list")
    let listed = try await inspected(["--list", "list", "--root", "."], in: folder)
    #expect(listed.files == ["bad\\xfe.png 5", "bad\\xfd/a.png 5"] && listed.code == 0)
    let index = try await folder.zoombench("index", "--quiet", "--index-dir", "indexes", ".")
    #expect(index.code == 0 && index.output.contains("bad\\xff.png"), "\(index)")
  }

  /// Calls `body` as a user that permissions restrict; root changes its user for the thread.
  private func withoutPrivileges<Result>(_ body: () throws -> Result) throws -> Result? {
    guard geteuid() == 0 else { return try body() }
    #if os(Linux)
      typealias SetUser = @convention(c) (UInt32) -> Int32
      guard let symbol = dlsym(nil, "setfsuid") else { return nil }
      let set = unsafeBitCast(symbol, to: SetUser.self)
      _ = set(65_534)
      defer { _ = set(0) }
      return try body()
    #else
      return nil
    #endif
  }

  @Test func `files and folders without permission are reported`() async throws {
    let folder = try TestFolder()
    for name in ["open/a.png", "listable/b.png", "listable/c.png", "shut/d.png"] {
      try folder.write(Self.small.bytes, to: name)
    }
    // A link into an unreadable folder cannot be distinguished from a picture.
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("open/into").string, withDestinationPath: "../shut/d.png")
    for (name, mode) in [("listable", 0o444), ("shut", 0)] as [(String, mode_t)] {
      try #require(chmod(folder.file(name).string, mode) == 0)
    }
    defer { for name in ["listable", "shut"] { chmod(folder.file(name).string, 0o755) } }
    let walk = try withoutPrivileges { FolderWalk(folder.path) }
    if let walk {
      #expect(walk.files.map(\.path) == [folder.file("open/a.png")])
      #expect(
        walk.unreadable.map(\.path)
          == ["listable/b.png", "listable/c.png", "open/into", "shut"].map { folder.file($0) })
      #expect(walk.unreadable.allSatisfy { $0.reason == .permissionDenied })
    }
    let shut = try withoutPrivileges { FolderWalk(folder.file("shut")) }
    if let shut { #expect(shut.files.isEmpty && shut.unreadable.count == 1) }
    // Opening such a file or folder reports why it cannot be read; the others are found.
    let found = try withoutPrivileges {
      try PictureFinder.find([folder.path.string], opensNamed: false)
    }
    if let found {
      #expect(
        found.map(\.path)
          == ["listable/b.png", "listable/c.png", "open/a.png", "open/into", "shut"].map {
            folder.file($0)
          })
    }
  }
}
