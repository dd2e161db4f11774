import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

@Suite struct DependencyPinsTests {
  @Test(arguments: [
    (".package(path: \"../a\")", true), (".package(name: \"a\", path: \"../a\")", true),
    (".package(\n  path: \"../a\")", true),
    (".package(name: f(\"a\"), path: \"../a\")", true),
    (".package(name: \"a)\", path: \"../a\")", true),
    (".package( // beside us (for now)\n  path: \"../a\")", true),
    (".package(/* (one) */ name: \"a\\\")\", path: place(\"a\"))", true),
    ("// .package(path: \"../a\")\n", false),
    (".package(url: \"https://a?path:b\", from: \"1.0.0\")", false),
    (".package(url: \"https://a\", exact: v()), .target(name: \"a\", path: \"b\")", false),
    (".package(url: \"https://a\", from: \"1.0.0\")", false),
    (".target(name: \"a\", path: \"Sources/a\")", false),
    (".package(url: \"x\", from: \"1.0.0\"), .target(name: \"a\", path: \"b\")", false),
  ])
  func `only packages that are named by their path are local`(manifest: String, isLocal: Bool) {
    #expect(LocalPackages.areNamed(in: manifest) == isLocal)
  }

  /// Creates a package with a dependency in a separate git repository that has two versions.
  private static func lay(in folder: FilePath) async throws -> Repository {
    func write(_ text: String, _ name: String) throws {
      let path = folder.appending(name)
      try FileManager.default.createDirectory(
        atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path.string))
    }
    func git(_ place: String, _ words: String...) async throws {
      let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
      let answer = try Tool.git.run(identity + words, in: folder.appending(place))
      #expect(answer.isSuccess, "\(answer.errors)")
    }
    try write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "word", products: [.library(name: "Word", targets: ["Word"])],
        targets: [.target(name: "Word")])
      """, "word/Package.swift")
    try write("public let word = \"one\"\n", "word/Sources/Word/Word.swift")
    try await git("word", "init", "-q")
    try await git("word", "add", ".")
    try await git("word", "commit", "-q", "-m", "one")
    try await git("word", "tag", "1.0.0")
    try write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "tiny",
        dependencies: [.package(url: "\(URL(filePath: folder.appending("word").string).absoluteString)",
          from: "1.0.0")],
        targets: [.executableTarget(name: "tiny", dependencies: [.product(name: "Word", package: "word")])])
      """, "tiny/Package.swift")
    try write("import Word\nprint(\"first\", word)\n", "tiny/Sources/tiny/main.swift")
    try write("builds\n.build\nPackage.resolved\n", "tiny/.gitignore")
    try await git("tiny", "init", "-q")
    try await git("tiny", "add", ".")
    try await git("tiny", "commit", "-q", "-m", "first")
    return try await Repository(containing: folder.appending("tiny"))
  }

  @Test func `revisions without versions of their own are built with the same ones`() async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.lay(in: folder.path)
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny",
      folder: repository.root.appending("builds")
    ) { _ in }
    func output(of commit: String) async throws -> String {
      let product = try await builder.build(try await repository.commit(commit))
      return try Tool(name: product.string, advice: "").run([]).output
    }
    #expect(try await output(of: "HEAD") == "first one\n")
    // The dependency gets a new version, and the package a new revision.
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    let word = folder.path.appending("word")
    try Data("public let word = \"two\"\n".utf8).write(
      to: URL(filePath: word.appending("Sources/Word/Word.swift").string))
    for words in [["commit", "-q", "-a", "-m", "two"], ["tag", "1.1.0"]] {
      #expect(try Tool.git.run(identity + words, in: word).isSuccess)
    }
    let main = repository.root.appending("Sources/tiny/main.swift")
    try Data("import Word\nprint(\"second\", word)\n".utf8).write(to: URL(filePath: main.string))
    #expect(
      try Tool.git.run(
        identity + ["commit", "-q", "-a", "-m", "second"], in: repository.root
      )
      .isSuccess)
    #expect(try await output(of: "HEAD") == "second one\n")
    #expect(try await output(of: "HEAD~1") == "first one\n")
    // Pins in the user's work tree make another build of the same commit.
    let kept = try await builder.build(try await repository.commit("HEAD"))
    let pins = try #require(DependencyPins(in: kept.removingLastComponent()))
    #expect(pins.versions == ["word": "1.0.0"])
    let hash = try Tool.git.run(["rev-parse", "1.1.0^{commit}"], in: word).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let old = try #require(
      String(decoding: pins.content, as: UTF8.self).firstMatch(of: #/"revision" : "([0-9a-f]+)"/#)?
        .1)
    let newer = String(decoding: pins.content, as: UTF8.self)
      .replacing(String(old), with: hash).replacing("1.0.0", with: "1.1.0")
    try DependencyPins(Data(newer.utf8)).write(in: repository.root)
    #expect(try await output(of: "HEAD") == "second two\n")
    #expect(try await output(of: "HEAD~1") == "first two\n")
  }
}
