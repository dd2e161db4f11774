import SystemPackage
import Testing

@testable import zoombench

@Suite struct ReplayTargetTests {
  @Test func `the name decides what is written`() async throws {
    try await TestFolder.with { folder in
      func kind(_ name: String) throws -> String {
        switch try ReplayTarget(folder.file(name).string, sparing: "picture") {
        case .folder: "folder"
        case .sheet: "sheet"
        case .animation: "animation"
        }
      }
      let kinds = try ["frames", "a.webp", "a.GIF", "a.png", "a.jpg"].map { try kind($0) }
      #expect(kinds == ["folder", "animation", "animation", "sheet", "sheet"])
    }
  }

  @Test func `an empty folder may be filled, another may not`() async throws {
    try await TestFolder.with { folder in
      _ = try ReplayTarget(folder.path.string, sparing: "picture")
      try folder.write([1], to: "x")
      let failure = #expect(throws: Failure.self) {
        try ReplayTarget(folder.path.string, sparing: "picture")
      }
      #expect(failure?.status == .cannotCreate)
    }
  }
}
