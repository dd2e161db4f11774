import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct RevisionBuilderTests {
  @Test func `a folder outside of a repository is named`() throws {
    let folder = try TestSupport.TestFolder()
    let error = #expect(throws: Failure.self) {
      try RevisionBuilder(containing: folder.path)
    }
    #expect(error?.status == .noInput)
  }

  @Test(arguments: ["nothing", "--upload-pack=x", "HEAD~7", ""])
  func `an unknown revision is named`(revision: String) throws {
    let folder = try TestSupport.TestFolder()
    let builder = try TestRepository.package(in: folder.path).builder()
    let error = #expect(throws: Failure.self) { try builder.commit(revision) }
    #expect(error?.status == .noInput)
  }

  @Test func `a kept build without its executable is built again`() throws {
    let folder = try TestSupport.TestFolder()
    let builder = try TestRepository.package(in: folder.path).builder()
    let commit = try builder.commit("HEAD")
    let product = try builder.build(commit)
    try FileManager.default.removeItem(atPath: product.string)
    try Data().write(
      to: URL(filePath: product.removingLastComponent().appending("left").string))
    #expect(try builder.build(commit) == product)
    #expect(FileManager.default.isExecutableFile(atPath: product.string))
  }

  @Test func `a build that is linked in other orders prints the same`() throws {
    let folder = try TestSupport.TestFolder()
    let repository = try TestRepository.package(in: folder.path)
    let functions = (0..<20).map {
      "@inline(never) func f\($0)(_ x: Int) -> Int { CommandLine.argc > \($0) ? x + \($0) : x }\n"
    }
    let calls = (0..<20).map { "f\($0)(1)" }.joined(separator: ", ")
    try repository.write(
      functions.joined() + "print([\(calls)])\n", to: "Sources/tiny/main.swift")
    let built = try repository.builder().buildWorkingTree()
    defer { built.remove() }
    func linker(_ label: String) throws -> LayoutLinker {
      try LayoutLinker(of: built.path.appending("tiny"), label: label, seed: 1)
    }
    let (base, candidate) = (try linker("base"), try linker("candidate"))
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
    #expect(!FileManager.default.fileExists(atPath: path), "the oldest layouts are removed")
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
  @Test func `sources that do not compile are compiled once, and the error is reported`() throws {
    let folder = try TestSupport.TestFolder()
    let builder = try TestRepository.package(in: folder.path, printing: "\\(another)").builder()
    let commit = try builder.commit("HEAD")
    let error = #expect(throws: Failure.self) { try builder.build(commit) }
    #expect(error?.status == .badInput)
    #expect(error?.description.contains("another") == true)
    let builds = builder.folder.string
    // A second build would leave a second plan. Only the first build has function sections.
    let plans = try FileManager.default.subpathsOfDirectory(atPath: builds)
      .filter { $0.hasSuffix("release.yaml") }
      .map { try String(contentsOfFile: "\(builds)/\($0)", encoding: .utf8) }
    #expect(!plans.isEmpty && plans.allSatisfy { $0.contains("-function-sections") })
  }

  @Test func `git still lists the user's own work trees`() throws {
    let folder = try TestSupport.TestFolder()
    let repository = try TestRepository.package(in: folder.path)
    let builder = try repository.builder()
    let own = folder.path.appending("own")
    try repository.git("worktree", "add", "-q", "--detach", own.string)
    // Simulates a work tree on a disk that is not mounted.
    try FileManager.default.removeItem(atPath: own.string)
    let tree = builder.folder.appending("tree")
    let commit = try builder.commit("HEAD")
    let lock = try builder.lock()
    defer { lock.release() }
    try builder.checkOut(commit, in: tree)
    let listed = try repository.git("worktree", "list")
    #expect(listed.contains("/own "), "\(listed)")
    // A work tree of ours whose folder was deleted is created again.
    try FileManager.default.removeItem(atPath: tree.string)
    try builder.checkOut(commit, in: tree)
    #expect(FileManager.default.fileExists(atPath: tree.appending("Package.swift").string))
  }

  @Test func `a tree is built again for another commit or command, and only then`() throws {
    let folder = try TestSupport.TestFolder()
    let repository = try TestRepository(in: folder.path)
    for word in ["one", "two"] {
      try repository.write(word, to: "word")
      try repository.commit(word)
    }
    let builder = try repository.builder()
    let lock = try builder.lock()
    defer { lock.release() }
    /// Returns the number of builds so far in the tree of the base, and the content of the file.
    func built(_ revision: String, by command: String) throws -> (Int, String) {
      let place = try builder.tree(
        "base", of: try builder.commit(revision), named: revision,
        builtBy: "\(command); echo >> built")
      func content(_ name: String) throws -> String {
        try String(contentsOfFile: place.appending(name).string, encoding: .utf8)
      }
      return (try content("built").count, try content("word"))
    }
    #expect(try built("HEAD~1", by: "true") == (1, "one"))
    #expect(try built("HEAD~1", by: "true") == (1, "one"))
    #expect(try built("HEAD~1", by: ":") == (2, "one"))
    #expect(try built("HEAD", by: ":") == (3, "two"))
    let error = #expect(throws: Failure.self) {
      try built("HEAD", by: "echo cannot >&2; exit 3")
    }
    #expect(error?.status == .badInput && error?.description.contains("cannot") == true)
    // The failed build left no stamp.
    #expect(try built("HEAD", by: ":") == (4, "two"))
    #expect(try repository.git("status", "--porcelain").isEmpty)
  }

  @Test(arguments: [
    ("another", "no product named 'another' (there are: tiny)"),
    ("zoombench", "this package lacks a product zoombench (name yours with --product: tiny)"),
  ])
  func `an unknown product is wrong usage, and the message lists the package's own`(
    product: String, complaint: String
  ) throws {
    let folder = try TestSupport.TestFolder()
    let builder = try TestRepository.package(in: folder.path).builder(product: product)
    let commit = try builder.commit("HEAD")
    let errors = [
      #expect(throws: Failure.self) { try builder.build(commit) },
      #expect(throws: Failure.self) { try builder.buildWorkingTree() },
    ]
    for error in errors {
      #expect(error?.status == .usage)
      #expect(error?.description.hasSuffix(complaint) == true, "\(String(describing: error))")
    }
  }
}
