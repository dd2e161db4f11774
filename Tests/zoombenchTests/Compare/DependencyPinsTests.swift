import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

@Suite struct DependencyPinsTests {
  /// Creates a package with a dependency in a separate git repository.
  private static func packages(
    in folder: FilePath
  ) throws -> (package: TestRepository, dependency: TestRepository) {
    let word = try TestRepository(in: folder.appending("word"))
    try word.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "word", products: [.library(name: "Word", targets: ["Word"])],
        targets: [.target(name: "Word")])
      """, to: "Package.swift")
    try word.write("public let word = \"one\"\n", to: "Sources/Word/Word.swift")
    try word.commit("one")
    try word.git("tag", "1.0.0")
    let tiny = try TestRepository(in: folder.appending("tiny"))
    try tiny.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "tiny",
        dependencies: [.package(url: "\(URL(filePath: word.path.string).absoluteString)",
          from: "1.0.0")],
        targets: [.executableTarget(name: "tiny", dependencies: [.product(name: "Word", package: "word")])])
      """, to: "Package.swift")
    try tiny.write("import Word\nprint(\"first\", word)\n", to: "Sources/tiny/main.swift")
    try tiny.write(".build\nPackage.resolved\n", to: ".gitignore")
    try tiny.commit("first")
    return (tiny, word)
  }

  @Test func `revisions without Package.resolved are built with the same dependencies`() throws {
    let folder = try TestSupport.TestFolder()
    let (repository, word) = try Self.packages(in: folder.path)
    let builder = try repository.builder()
    func output(of revision: String) throws -> String {
      let product = try builder.build(try builder.commit(revision))
      return try Tool(name: product.string, advice: "").run([]).output
    }
    #expect(try output(of: "HEAD") == "first one\n")
    // The dependency gets a new version, and the package a new revision.
    try word.write("public let word = \"two\"\n", to: "Sources/Word/Word.swift")
    try word.commit("two")
    try word.git("tag", "1.1.0")
    try repository.write("import Word\nprint(\"second\", word)\n", to: "Sources/tiny/main.swift")
    try repository.commit("second")
    #expect(try output(of: "HEAD") == "second one\n")
    #expect(try output(of: "HEAD~1") == "first one\n")
    // Pins in the user's work tree make another build of the same commit.
    let kept = try builder.build(try builder.commit("HEAD"))
    let pins = try #require(DependencyPins(in: kept.removingLastComponent()))
    #expect(pins.versions == ["word": "1.0.0"])
    let hash = try word.git("rev-parse", "1.1.0^{commit}")
    let old = try #require(
      String(decoding: pins.content, as: UTF8.self).firstMatch(of: #/"revision" : "([0-9a-f]+)"/#)?
        .1)
    let newer = String(decoding: pins.content, as: UTF8.self)
      .replacing(String(old), with: hash).replacing("1.0.0", with: "1.1.0")
    try DependencyPins(Data(newer.utf8)).write(in: repository.path)
    #expect(try output(of: "HEAD") == "second two\n")
    #expect(try output(of: "HEAD~1") == "first two\n")
  }
}
