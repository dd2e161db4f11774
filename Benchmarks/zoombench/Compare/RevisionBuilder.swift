internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// Builds revisions of a package in release, each in a work tree of git's that nobody works in.
///
/// One work tree and one build folder serve all revisions, so that a second revision costs what
/// has changed and not the dependencies again. What was built is kept under its commit's name.
struct RevisionBuilder {
  let repository: Repository
  /// The package's folder within the repository.
  let package: FilePath
  /// The executable product to build.
  let product: String
  /// Where work tree, build folder and products go: `.zoombench/builds`.
  let folder: FilePath
  let say: @Sendable (String) -> Void

  /// Builds the product of a commit, or finds it built.
  ///
  /// - Returns: the executable.
  /// - Throws: `Failure` when the revision cannot be checked out or does not build.
  func build(_ commit: String) async throws -> FilePath {
    let name = "\(product)-\(commit.prefix(12))"
    let kept = folder.appending(name)
    if FileManager.default.isExecutableFile(atPath: kept.string) { return kept }
    say("building \(commit.prefix(12))")
    let tree = folder.appending("work-tree")
    try await checkOut(commit, in: tree)
    let built = try await build(
      package: tree.pushing(package), scratch: folder.appending("build"), named: commit)
    try Self.copy(built, to: kept)
    return kept
  }

  /// Builds the product of the work tree as it stands.
  func buildWorkingTree() async throws -> FilePath {
    say("building the working tree")
    // A folder of its own: the package's .build may be in use by the command that runs this.
    let built = try await build(
      package: repository.root.pushing(package), scratch: folder.appending("build-working-tree"),
      named: "working tree")
    let kept = folder.appending("\(product)-working-tree")
    try Self.copy(built, to: kept)
    return kept
  }

  private func checkOut(_ commit: String, in tree: FilePath) async throws {
    try FileManager.default.createDirectory(
      atPath: folder.string, withIntermediateDirectories: true)
    // Whoever deleted the folder by hand left its entry in git's list.
    _ = try await Tool.git.run(["worktree", "prune"], in: repository.root)
    let isThere = FileManager.default.fileExists(atPath: tree.appending(".git").string)
    let answer =
      isThere
      ? try await Tool.git.run(["checkout", "--force", "--detach", commit], in: tree)
      : try await Tool.git.run(
        ["worktree", "add", "--force", "--detach", tree.string, commit], in: repository.root)
    guard answer.isSuccess else {
      throw Failure(
        .cannotCreate,
        "\(tree): check out \(commit.prefix(12)): \(answer.lastWords) (remove that folder)")
    }
  }

  private func build(
    package: FilePath, scratch: FilePath, named name: String
  ) async throws -> FilePath {
    let arguments = [
      "build", "-c", "release", "--product", product, "--package-path", package.string,
      "--scratch-path", scratch.string,
    ]
    let answer = try await Tool.swift.run(arguments)
    guard answer.isSuccess else {
      throw Failure(
        .badInput,
        "\(name): build \(product): \(answer.lastWords) (does that revision build with "
          + "swift build -c release --product \(product)?)")
    }
    let place = try await Tool.swift.run(arguments + ["--show-bin-path"])
    guard place.isSuccess, let path = place.output.split(whereSeparator: \.isNewline).last else {
      throw Failure(.fault, "\(name): find the product: \(place.lastWords)")
    }
    return FilePath(String(path)).appending(product)
  }

  /// Copies whole or not at all: another comparison may be reading what stands there.
  private static func copy(_ file: FilePath, to kept: FilePath) throws {
    let scratch = try ScratchFolder(beside: kept)
    defer { scratch.remove() }
    let copy = scratch.path.appending("product")
    do {
      try FileManager.default.copyItem(atPath: file.string, toPath: copy.string)
    } catch {
      throw Failure(.cannotCreate, "\(kept): write: \(error.localizedDescription)")
    }
    guard rename(copy.string, kept.string) == 0 else {
      throw Failure(.cannotCreate, "\(kept): write: \(Errno(rawValue: errno))")
    }
  }
}
