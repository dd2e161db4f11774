import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct SidecarKeyTests {
  /// Computed by `printf 'Hi There' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0b...0b`.
  @Test func `the tag of a slice is the HMAC-SHA256 that OpenSSL gives`() throws {
    let key = try #require(SidecarKey([UInt8](repeating: 0x0B, count: 32)))
    #expect(
      SHA256.hexadecimal(key.tag(of: Array("Hi There, reader".utf8)[..<8]))
        == "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7")
  }

  @Test func `a secret has 32 bytes and random ones differ`() throws {
    for count in [0, 1, 31, 33, 64] {
      #expect(SidecarKey([UInt8](repeating: 0, count: count)) == nil)
    }
    let keys = try (0..<20).map { _ in try #require(SidecarKey.random()) }
    #expect(Set(keys.map(\.bytes)).count == 20)
    #expect(Set(keys.map(\.fingerprint)).count == 20)
    #expect(keys.allSatisfy { $0.fingerprint.count == SidecarKey.fingerprintByteCount })
  }
}

@Suite struct SidecarKeyFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func permissions(of path: FilePath) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
  }

  @Test func `a key is made once, with its folders, and only this user may read it`() throws {
    let path = folder.path.appending("data/zoombench/index.key")
    let file = SidecarKeyFile(path)
    #expect(try file.read() == nil)
    let key = try file.readOrMake()
    #expect(try bytes(of: path) == key.bytes)
    #expect(try file.readOrMake().bytes == key.bytes)
    #expect(try file.read()?.bytes == key.bytes)
    #expect(try permissions(of: path) == 0o600)
    #expect(try permissions(of: folder.path.appending("data")) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path.appending("data/zoombench").string)
    #expect(names == ["index.key"])
  }

  /// Some file systems lack hard links, such as exFAT.
  @Test(arguments: [true, false])
  func `concurrent makers of a key all get the same one`(hasLinks: Bool) async throws {
    for round in 0..<20 {
      let file = SidecarKeyFile(folder.path.appending("\(round)/index.key"))
      let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<8 { group.addTask { try file.readOrMake(hasLinks: hasLinks).bytes } }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(keys.count == 1)
      #expect(keys == [try bytes(of: file.path)])
      #expect(try permissions(of: file.path) == 0o600)
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.path.appending("\(round)").string)
      #expect(names == ["index.key"])
    }
  }

  @Test func `a file that is not a key is an error and stays unchanged`() throws {
    for content in [[], [1, 2, 3], [UInt8](repeating: 1, count: 33)] as [[UInt8]] {
      let path = try folder.write(content, as: "index.key")
      expectError(.damaged, of: path) { try SidecarKeyFile(path).readOrMake() }
      #expect(try bytes(of: path) == content)
    }
  }

  @Test func `a key that cannot be made is an error and leaves no files`() throws {
    try folder.write([], as: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path.appending("link").string, withDestinationPath: "nowhere")
    for name in ["file/index.key", "link"] {
      expectError(.unwritable) { try SidecarKeyFile(folder.path.appending(name)).readOrMake() }
    }
    #expect(try folder.names() == ["file", "link"])
  }

  @Test func `the environment names the key file`() throws {
    let cases: [([String: String], String)] = [
      (["ZOOMBENCH_INDEX_KEY": "/team/key", "HOME": "/h"], "/team/key"),
      (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/zoombench/index.key"),
      (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/zoombench/index.key"),
      (["HOME": "/h"], "/h/.local/share/zoombench/index.key"),
    ]
    for (environment, path) in cases {
      #expect(try SidecarKeyFile.standard { environment[$0] }.path == FilePath(path))
    }
    expectError(.unwritable) { try SidecarKeyFile.standard { _ in nil } }
  }
}
