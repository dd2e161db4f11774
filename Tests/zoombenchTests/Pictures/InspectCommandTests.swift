import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@Suite struct InspectCommandTests {
  @Test(
    arguments: [
      ("jpeg-444", "partial"), ("orientation-6", "partial"), ("tiff-tiled", "random"),
      ("png", "partial"), ("png-interlaced", "resident"), ("jpeg-scans", "resident"),
    ])
  func `the best source is named and marked`(picture: String, best: String) async throws {
    let folder = try TestFolder()
    try await folder.place(picture, as: "picture")
    let run = try await folder.zoombench("inspect", "picture")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    let pick = try #require(lines.first { $0.contains("automatic") })
    #expect(pick.contains(best))
    #expect(
      lines.filter { $0.hasPrefix("*") }.map { $0.dropFirst(2).prefix { $0 != " " } } == [
        best[...]
      ])
    #expect(try folder.names() == ["work/picture"])
  }

  @Test func `the report says what a peek costs, and how it could cost less`() async throws {
    let folder = try TestFolder()
    // High enough that there are many rows above its middle.
    let kind = RandomPNG.Kind(colourType: 2, depth: 8)
    try folder.write(RandomPNG(kind, width: 200, height: 2400, seed: 2).bytes, to: "a picture.png")
    let first = try await folder.zoombench("inspect", "a picture.png").output
    #expect(first.contains("`zoombench index 'a picture.png'` makes the first peek as cheap"))
    #expect(try await folder.zoombench("index", "--beside", "a picture.png").code == 0)
    let second = try await folder.zoombench("inspect", "a picture.png").output
    #expect(!second.contains("makes the first peek as cheap"))
    let line = try #require(second.split(separator: "\n").first { $0.hasPrefix("*") })
    let shares = line.split(separator: " ").compactMap { Double($0) }
    #expect(shares.count >= 2 && shares[0] == shares[1], "\(line)")
  }

  @Test func `the first line has the structure of the picture`() async throws {
    let folder = try TestFolder()
    try await folder.place("orientation-6", as: "a.jpg")
    let first = try #require(
      try await folder.zoombench("inspect", "a.jpg").output.split(separator: "\n").first)
    // Upright size, sampling, restart interval, orientation.
    for fact in ["205x331", "baseline", "4:2:0", "21", "6"] { #expect(first.contains(fact)) }
  }

  @Test func `the first line names a gain map, which is not applied`() async throws {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "a.jpg")
    var bytes = try folder.bytes(of: "a.jpg")
    let segment = JPEGBytes.segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8))
    bytes.insert(contentsOf: segment, at: 2)
    try folder.write(bytes, to: "a.jpg")
    let first = try #require(
      try await folder.zoombench("inspect", "a.jpg").output.split(separator: "\n").first)
    #expect(first.contains("gain map (not applied)"))
  }

  @Test func `the best source that can read a damaged picture is named`() async throws {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "a.jpg")
    var bytes = try folder.bytes(of: "a.jpg")
    // A restart marker out of sequence.
    let place = try #require(
      (bytes.count / 2..<bytes.count).first {
        bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
      })
    bytes[place + 1] ^= 2
    try folder.write(bytes, to: "a.jpg")
    let run = try await folder.zoombench("inspect", "a.jpg")
    // The rows above it are indexed; the rows below are read by libvips.
    #expect(run.code == 0)
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.first { $0.first == "*" }?[1] == "partial")
  }

  @Test func `every source that can be chosen is in the table`() async throws {
    let folder = try TestFolder()
    try await folder.place("webp", as: "a.webp")
    let output = try await folder.zoombench("inspect", "a.webp").output
    // The line of the best source begins with a star.
    let sources = output.split(separator: "\n").compactMap { line in
      line.dropFirst(2).split(separator: " ").first
    }
    for source in StandardPipelines().names { #expect(sources.contains(source[...])) }
  }

  @Test func `a folder has sums for each kind, and the broken files`() async throws {
    let folder = try TestFolder()
    for name in ["jpeg-444", "jpeg-scans", "tiny-17x3"] {
      try await folder.place(name, as: "p/\(name).jpg")
    }
    try await folder.place("png", as: "p/sub/a.png")
    try await folder.place("webp", as: "p/a.webp")
    try folder.write("words".utf8, to: "p/words.jpg")
    let table = try await folder.zoombench("inspect", "p")
    #expect(table.code == 65)
    #expect(table.output.contains("6 pictures"))
    #expect(table.output.contains("p/words.jpg: "))
    let lines = table.output.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    for (kind, source) in [("WebP", "partial"), ("PNG", "partial")] {
      #expect(lines.first { $0.first == kind }?[1] == source, "\(kind)")
    }
    // A damaged header among valid ones does not end the run.
    #expect(table.errorLines == ["zoombench: 1 of 6 files cannot be read"])
  }
}
