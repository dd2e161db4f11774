import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct UserFolderTests {
  @Test func `variables name the folders; without variables they are below home`() throws {
    let home = ["HOME": "/h"]
    #expect(try UserFolder.data.path { home[$0] } == "/h/.local/share")
    #expect(try UserFolder.cache.path { home[$0] } == "/h/.cache")
    let named = ["HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c"]
    #expect(try UserFolder.data.path { named[$0] } == "/d")
    #expect(try UserFolder.cache.path { named[$0] } == "/c")
    // The specification says to ignore relative paths.
    let relative = ["HOME": "/h", "XDG_DATA_HOME": "d", "XDG_CACHE_HOME": "./c"]
    #expect(try UserFolder.data.path { relative[$0] } == "/h/.local/share")
    #expect(try UserFolder.cache.path { relative[$0] } == "/h/.cache")
    for homeless in [[:], ["HOME": "h"]] {
      expectError(.unwritable) { try UserFolder.cache.path { homeless[$0] } }
    }
  }

  @Test func `folders are created with their parents, and may exist already`() throws {
    let folder = try TestFolder()
    let deep = folder.path.appending("a/b/c")
    for _ in 0..<2 {
      try UserFolder.make(deep)
      let attributes = try FileManager.default.attributesOfItem(atPath: deep.string)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
    try folder.write([], as: "file")
    expectError(.unwritable) { try UserFolder.make(folder.path.appending("file/a/b")) }
  }
}
