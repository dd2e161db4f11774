import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct RepositoryTests {
  private static let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]

  /// Creates a repository of one commit with a package whose product prints one word.
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
      #expect(try Tool.git.run(arguments, in: folder).isSuccess)
    }
    let answer = try Tool.git.run(identity + ["commit", "-q", "-m", word], in: folder)
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
      #expect(try tool.run([]).output == "\(word)\n")
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
    #expect(try tool.run([]).output == "first\n")
    other.remove()
    #expect(!FileManager.default.fileExists(atPath: other.path.string))
  }

  @Test(.enabled(if: LayoutLinker.missing == nil))
  func `a build is linked again in other orders, and does the same in each`() async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    let functions = (0..<20).map {
      "@inline(never) func f\($0)(_ x: Int) -> Int { CommandLine.argc > \($0) ? x + \($0) : x }\n"
    }
    let calls = (0..<20).map { "f\($0)(1)" }.joined(separator: ", ")
    try Data((functions.joined() + "print([\(calls)])\n").utf8).write(
      to: URL(filePath: folder.path.appending("Sources/tiny/main.swift").string))
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny",
      folder: folder.path.appending("builds")
    ) { _ in }
    let built = try await builder.buildWorkingTree()
    defer { built.remove() }
    func linker(_ label: String) async throws -> LayoutLinker {
      try await LayoutLinker(
        archive: built.path.appending(RevisionBuilder.archive), product: "tiny",
        resources: built.path, label: label, seed: 1, beside: built.path)
    }
    let (base, candidate) = (try await linker("base"), try await linker("candidate"))
    var codes: Set<Data> = []
    let usual = try Tool(name: built.path.appending("tiny").string, advice: "").run([])
    for linker in [base, candidate] {
      for number in 0..<3 {
        let path = try linker.executable(number)
        codes.insert(try #require(FileManager.default.contents(atPath: path)))
        #expect(try Tool(name: path, advice: "").run([]).output == usual.output)
        #expect(try linker.executable(number) == path)
      }
    }
    // All orders differ, with 20! possible ones.
    #expect(codes.count == 6)
    let path = try base.executable(0)
    for number in 3..<40 { _ = try base.executable(number) }
    #expect(!FileManager.default.fileExists(atPath: path), "The oldest layouts make room.")
    #expect(FileManager.default.fileExists(atPath: try base.executable(0)))
    base.remove()
    candidate.remove()
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: built.path.removingLastComponent().string
      ).allSatisfy { !$0.contains("objects") })
  }

  @Test func `search paths that an archive made relative are absolute again, and others stay`() {
    let response = """
      --chroot .
      -rpath opt/swift/usr/lib/swift/linux
      --rpath $ORIGIN
      --rpath "opt/with space/lib"
      -rpath /absolute
      -L usr/lib
      -o tiny
      """
    #expect(
      LayoutLinker.withAbsoluteSearchPaths(response) == """
        --chroot .
        -rpath /opt/swift/usr/lib/swift/linux
        --rpath $ORIGIN
        --rpath "/opt/with space/lib"
        -rpath /absolute
        -L usr/lib
        -o tiny
        """)
  }

  /// Uses the real `swift`, whose build plans are checked.
  @Test func `sources that do not compile are compiled once`() async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    try await Self.commit("\\(another)", in: folder.path)
    let builds = folder.path.appending("builds")
    // A second build would leave a second plan.
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny", folder: builds
    ) { _ in }
    let commit = try await repository.commit("HEAD")
    await #expect(throws: Failure.self) { try await builder.build(commit) }
    let names = try FileManager.default.subpathsOfDirectory(atPath: builds.string)
    // Only the first build has function sections, so every plan found must have them.
    let written = try names.filter { $0.hasSuffix("release.yaml") }.map {
      try String(contentsOfFile: builds.appending($0).string, encoding: .utf8)
    }
    #expect(!written.isEmpty && written.allSatisfy { $0.contains("-function-sections") })
  }

  @Test func `work trees of the user's own stay known to git`() async throws {
    let folder = try TestSupport.TestFolder()
    let repository = try await Self.repository(in: folder.path)
    let own = folder.path.appending("own")
    #expect(
      try Tool.git.run(["worktree", "add", "-q", "--detach", own.string], in: folder.path)
        .isSuccess)
    // Simulates a work tree on a disk that is not mounted.
    try FileManager.default.removeItem(atPath: own.string)
    let builder = RevisionBuilder(
      repository: repository, package: ".", product: "tiny",
      folder: folder.path.appending("builds")
    ) { _ in }
    _ = try await builder.build(try await repository.commit("HEAD"))
    let listed = try Tool.git.run(["worktree", "list"], in: folder.path).output
    #expect(listed.contains("/own "), "\(listed)")
    // A work tree of ours whose folder was deleted is created again.
    try FileManager.default.removeItem(atPath: folder.path.appending("builds").string)
    _ = try await builder.build(try await repository.commit("HEAD"))
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
    let status = try Tool.git.run(["status", "--porcelain"], in: folder.path)
    #expect(status.isSuccess && status.output.isEmpty, "\(status.output)")
  }
}
