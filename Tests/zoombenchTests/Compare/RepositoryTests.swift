import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@testable import zoombench

/// Repositories and what is built of their revisions.
@Suite struct RepositoryTests {
  private static let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]

  /// A repository of one commit with a package whose product prints one word.
  private static func repository(in folder: FilePath) async throws -> Repository {
    let sources = folder.appending("Sources").appending("tiny")
    try FileManager.default.createDirectory(
      atPath: sources.string, withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "tiny", targets: [.executableTarget(name: "tiny")])
      """
    try Data(manifest.utf8).write(
      to: URL(filePath: folder.appending("Package.swift").string))
    try await commit("first", in: folder)
    return try await Repository(containing: folder)
  }

  private static func commit(_ word: String, in folder: FilePath) async throws {
    try Data("print(\"\(word)\")\n".utf8).write(
      to: URL(filePath: folder.appending("Sources/tiny/main.swift").string))
    for arguments in [["init", "-q"], ["add", "Package.swift", "Sources"]] {
      #expect(try await Tool.git.run(arguments, in: folder).isSuccess)
    }
    let answer = try await Tool.git.run(identity + ["commit", "-q", "-m", word], in: folder)
    #expect(answer.isSuccess, "\(answer.errors)")
  }

  @Test func `a folder in no repository is named`() async throws {
    let folder = try TestSupport.TestFolder()
    let error = await #expect(throws: Failure.self) {
      try await Repository(containing: folder.path)
    }
    #expect(error?.status == .noInput)
  }

  @Test(arguments: ["nothing", "--upload-pack=x", "HEAD~7", ""])
  func `a revision that is none is named`(revision: String) async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    let error = await #expect(throws: Failure.self) { try await repository.commit(revision) }
    #expect(error?.status == .noInput)
  }

  @Test func `two revisions are built from the same work tree, and kept`() async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    try await Self.commit("second", in: folder.path)
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny",
      folder: folder.path.appending("builds")
    ) { _ in }
    for (revision, word) in [("HEAD~1", "first"), ("HEAD", "second"), ("HEAD~1", "first")] {
      let commit = try await repository.commit(revision)
      let product = try await builder.build(commit)
      let tool = Tool(name: product.string, advice: "")
      #expect(try await tool.run([]).output == "\(word)\n")
    }
  }

  @Test
  func `a leftover without an executable is built anew, and each work tree has its own build`()
    async throws
  {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    let builds = folder.path.appending("builds")
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny", folder: builds
    ) { _ in }
    let commit = try await repository.commit("HEAD")
    let product = try await builder.build(commit)
    try FileManager.default.removeItem(atPath: product.string)
    try Data().write(
      to: URL(filePath: product.removingLastComponent().appending("left").string))
    #expect(try await builder.build(commit) == product)
    #expect(FileManager.default.isExecutableFile(atPath: product.string))

    let one = try await builder.buildWorkingTree()
    let other = try await builder.buildWorkingTree()
    #expect(one.path != other.path)
    one.remove()
    let tool = Tool(name: other.path.appending("tiny").string, advice: "")
    #expect(try await tool.run([]).output == "first\n")
    other.remove()
    #expect(!FileManager.default.fileExists(atPath: other.path.string))
  }

  @Test func `a revision that does not build says why`() async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    try await Self.commit("\\(another)", in: folder.path)
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny",
      folder: folder.path.appending("builds")
    ) { _ in }
    let commit = try await repository.commit("HEAD")
    let error = await #expect(throws: Failure.self) { try await builder.build(commit) }
    #expect(error?.status == .badInput)
    #expect(error?.description.contains("another") == true)
  }

  @Test(arguments: [
    ("another", "no product named 'another' (there are: tiny)"),
    ("zoombench", "this package has no product zoombench (name yours with --product: tiny)"),
  ])
  func `a product that the package itself does not have is wrong usage, and its own are named`(
    product: String, complaint: String
  ) async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: product,
      folder: folder.path.appending("builds")
    ) { _ in }
    let commit = try await repository.commit("HEAD")
    let errors = [
      await #expect(throws: Failure.self) { try await builder.build(commit) },
      await #expect(throws: Failure.self) { try await builder.buildWorkingTree() },
    ]
    for error in errors {
      #expect(error?.status == .usage)
      #expect(error?.description.hasSuffix(complaint) == true, "\(String(describing: error))")
    }
  }

  @Test func `only executables of the package are offered`() throws {
    let json = """
      {"name": "a", "products": [{"name": "Lib", "targets": ["Lib"], "type": {"library": ["automatic"]}},
      {"name": "b", "targets": ["b"], "type": {"executable": null}},
      {"name": "a", "targets": ["a"], "type": {"executable": null}}]}
      """
    let products = try JSONDecoder().decode(PackageProducts.self, from: Data(json.utf8))
    #expect(products.complaint(about: "a") == nil)
    #expect(products.complaint(about: "Lib") == "no product named 'Lib' (there are: a, b)")
  }

  @Test func `git does not show the folder that builds are kept in`() async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny",
      folder: folder.path.appending(".zoombench").appending("builds")
    ) { _ in }
    _ = try await builder.build(try await repository.commit("HEAD"))
    let status = try await Tool.git.run(["status", "--porcelain"], in: folder.path)
    #expect(status.isSuccess && status.output.isEmpty, "\(status.output)")
  }
}
