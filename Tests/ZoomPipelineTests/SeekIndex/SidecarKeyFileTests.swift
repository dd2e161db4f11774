import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct SidecarKeyFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func permissions(of path: FilePath) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
  }

  @Test func `a key is made once, with its folders, for this user alone`() throws {
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

  @Test func `of many that make it at once all get one key`() async throws {
    for round in 0..<20 {
      let file = SidecarKeyFile(folder.path.appending("\(round)/index.key"))
      let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<8 { group.addTask { try file.readOrMake().bytes } }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(keys.count == 1)
      #expect(keys == [try bytes(of: file.path)])
    }
  }

  @Test func `what is no key is an error and stays as it is`() throws {
    for content in [[], [1, 2, 3], [UInt8](repeating: 1, count: 33)] as [[UInt8]] {
      let path = try folder.write(content, as: "index.key")
      let error = #expect(throws: PipelineError.self) {
        try SidecarKeyFile(path).readOrMake()
      }
      #expect(error?.code == .damaged)
      #expect(error?.file == path)
      #expect(try bytes(of: path) == content)
    }
  }

  @Test func `a key that cannot be made is unwritable, and leaves nothing`() throws {
    try folder.write([], as: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path.appending("link").string, withDestinationPath: "nowhere")
    for name in ["file/index.key", "link"] {
      let error = #expect(throws: PipelineError.self) {
        try SidecarKeyFile(folder.path.appending(name)).readOrMake()
      }
      #expect(error?.code == .unwritable)
    }
    #expect(try folder.names() == ["file", "link"])
  }

  @Test func `the environment says where it stands`() throws {
    let cases: [([String: String], String)] = [
      (["ZOOMBENCH_INDEX_KEY": "/team/key", "HOME": "/h"], "/team/key"),
      (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/zoombench/index.key"),
      (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/zoombench/index.key"),
      (["HOME": "/h"], "/h/.local/share/zoombench/index.key"),
    ]
    for (environment, path) in cases {
      #expect(try SidecarKeyFile.standard { environment[$0] }.path == FilePath(path))
    }
    let error = #expect(throws: PipelineError.self) { try SidecarKeyFile.standard { _ in nil } }
    #expect(error?.code == .unwritable)
  }
}
