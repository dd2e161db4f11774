import Foundation
import SystemPackage
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct OutputTests {
  @Test func `a file is written whole and nothing else is left`() async throws {
    try await TestFolder.with { folder in
      try folder.write("an older and longer text".utf8, to: "out.txt")
      try Output.write("new", to: folder.file("out.txt"))
      #expect(try folder.bytes(of: "out.txt") == Array("new".utf8))
      #expect(try folder.names() == ["work/out.txt"])
    }
  }

  @Test func `a write that fails leaves nothing and keeps what stood there`() async throws {
    try await TestFolder.with { folder in
      // A rename cannot replace a folder with content, so the last step of the write fails.
      try folder.write("keep".utf8, to: "taken/file")
      let error = #expect(throws: PipelineError.self) {
        try Output.write("new", to: folder.file("taken"))
      }
      #expect(error?.code == .unwritable)
      #expect(try folder.names() == ["work/taken", "work/taken/file"])
    }
  }

  @Test func `a place that can be written is accepted without touching it`() async throws {
    try await TestFolder.with { folder in
      try Output.checkWritable(nil)
      try Output.checkWritable(folder.file("new.json"))
      try folder.write("old".utf8, to: "old.json")
      try Output.checkWritable(folder.file("old.json"))
      #expect(try folder.bytes(of: "old.json") == Array("old".utf8))
      #expect(try folder.names() == ["work/old.json"])
    }
  }

  @Test func `JSON has its keys in order and slashes as they are`() throws {
    let text = String(
      decoding: try JSONEncoder.report.encode(["b": "x/y", "a": ""]), as: UTF8.self)
    #expect(text.contains("x/y"))
    let a = try #require(text.range(of: "\"a\""))
    let b = try #require(text.range(of: "\"b\""))
    #expect(a.lowerBound < b.lowerBound)
  }
}
