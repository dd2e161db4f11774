import Foundation
import SystemPackage
import Testing

@testable import zoombench

/// A git repository in a test's folder.
struct TestRepository {
  let path: FilePath

  init(in path: FilePath) throws {
    self.path = path
    try FileManager.default.createDirectory(
      atPath: path.string, withIntermediateDirectories: true)
    try git("init", "-q", "--initial-branch=trunk")
  }

  /// Creates a repository of one commit with a package whose product `tiny` prints one word.
  static func package(in path: FilePath, printing word: String = "first") throws -> TestRepository {
    let repository = try TestRepository(in: path)
    try repository.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "tiny", targets: [.executableTarget(name: "tiny")])
      """, to: "Package.swift")
    try repository.write("print(\"\(word)\")\n", to: "Sources/tiny/main.swift")
    try repository.commit(word)
    return repository
  }

  func write(_ text: String, to name: String) throws {
    try TestFolder.write(text.utf8, to: path.appending(name))
  }

  /// Runs git, and returns its output without the line end.
  ///
  /// A commit is dated in a `second` after 2027-01-15T08:00Z, written with another offset from UTC.
  @discardableResult func git(_ words: String..., second: Int? = nil) throws -> String {
    let date = second.map {
      "GIT_COMMITTER_DATE=2027-01-15T10:00:\($0 < 10 ? "0" : "")\($0)+02:00"
    }
    let identity = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    let answer = try Tool(name: "env", advice: "").run(
      [date].compactMap(\.self) + identity + words, in: path)
    #expect(answer.isSuccess, "\(words): \(answer.errors)")
    return answer.output.trimmingCharacters(in: .newlines)
  }

  /// Commits all files that git does not ignore.
  func commit(_ message: String, second: Int? = nil) throws {
    try git("add", "--all")
    try git("commit", "-q", "-m", message, second: second)
  }

  /// Creates a builder of the package's product, which keeps builds in a folder that git ignores.
  func builder(product: String = "tiny") throws -> RevisionBuilder {
    try RevisionBuilder(containing: path, product: product)
  }
}
