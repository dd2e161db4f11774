import SystemPackage
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct PictureFinderTests {
  @Test func `a named picture is taken as it is named`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      let name = folder.file("a.jpg").string
      let found = try PictureFinder.find([name, name])
      // A picture named twice is found once.
      #expect(found.map(\.name) == [name])
      #expect(found.map(\.path.string) == [name])
    }
  }

  @Test func `a folder gives the pictures in it at any depth, in order`() async throws {
    try await TestFolder.with { folder in
      // The content decides, not the name: the picture without a suffix counts.
      for name in ["b.jpg", "sub/deep/a.jpg", "noSuffix", ".hidden.jpg", ".git/c.jpg"] {
        try await folder.place("tiny-17x3", as: name)
      }
      try folder.write("words".utf8, to: "notes.txt")
      let found = try PictureFinder.find([folder.path.string])
      #expect(
        found.map(\.path) == ["b.jpg", "noSuffix", "sub/deep/a.jpg"].map { folder.file($0) })
    }
  }

  @Test func `a named file must be a picture`() async throws {
    try await TestFolder.with { folder in
      try folder.write("words".utf8, to: "notes.txt")
      let text = #expect(throws: PipelineError.self) {
        try PictureFinder.find([folder.file("notes.txt").string])
      }
      #expect(text?.code == .notAPicture)
      let missing = #expect(throws: PipelineError.self) {
        try PictureFinder.find([folder.file("missing.jpg").string])
      }
      #expect(missing?.code == .noSuchFile)
    }
  }

  @Test func `what only has a picture's name is not passed over`() async throws {
    try await TestFolder.with { folder in
      try folder.write("words".utf8, to: "broken.jpg")
      let broken = folder.file("broken.jpg")
      for argument in [folder.path.string, broken.string] {
        #expect(try PictureFinder.find([argument], opensNamed: false).map(\.path) == [broken])
      }
      #expect(throws: PipelineError.self) {
        try PictureFinder.find([folder.file("missing.jpg").string], opensNamed: false)
      }
    }
  }

  @Test func `a folder without pictures is no input`() async throws {
    try await TestFolder.with { folder in
      try folder.write("words".utf8, to: "notes.txt")
      let error = #expect(throws: Failure.self) { try PictureFinder.find([folder.path.string]) }
      #expect(error?.status == .noInput)
      #expect(error?.description.contains(folder.path.string) == true)
    }
  }
}
