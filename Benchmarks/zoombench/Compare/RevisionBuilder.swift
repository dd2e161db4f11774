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

  /// The file beside a product that it can be linked again from.
  static let archive = "objects.tar"

  /// Builds the product of a commit, or finds it built.
  ///
  /// - Returns: the executable; beside it the archive, where the linker writes one.
  /// - Throws: `Failure` when the revision cannot be checked out or does not build.
  func build(_ commit: String) async throws -> FilePath {
    let kept = folder.appending(try await name(of: commit))
    let executable = kept.appending(product)
    func isBuilt() -> Bool { FileManager.default.isExecutableFile(atPath: executable.string) }
    if isBuilt() { return executable }
    try hideFolder()
    let lock = try BuildLock(in: folder) { say("waiting for another build") }
    defer { lock.release() }
    // Whoever had the lock may have built this very commit.
    if isBuilt() { return executable }
    // A folder without the executable is of no use to anybody, and nothing is renamed over it.
    try? FileManager.default.removeItem(atPath: kept.string)
    say("building \(commit.prefix(12))")
    let tree = folder.appending("work-tree")
    try await checkOut(commit, in: tree)
    try await linkDependencies(of: tree.pushing(package))
    let built = try await build(
      package: tree.pushing(package), scratch: folder.appending("build"), named: commit)
    try keep(built, in: kept)
    return executable
  }

  /// Builds the product of the work tree as it stands.
  ///
  /// - Returns: a folder with the executable, of this run alone: another comparison builds the work
  ///   tree as it stands then. Whoever called removes it.
  func buildWorkingTree() async throws -> ScratchFolder {
    try hideFolder()
    let lock = try BuildLock(in: folder) { say("waiting for another build") }
    defer { lock.release() }
    say("building the working tree")
    // A folder of its own: the package's .build may be in use by the command that runs this.
    let built = try await build(
      package: repository.root.pushing(package), scratch: folder.appending("build-working-tree"),
      named: "working tree")
    return try copy(built, beside: folder.appending("\(product)-working-tree"))
  }

  /// What a build is kept under: all that makes another executable of it.
  private func name(of commit: String) async throws -> String {
    let version = try await Tool.swift.run(["--version"])
    let words = (version.output + version.errors).split(separator: " ")
    let number = words.firstIndex(of: "version").flatMap { words.dropFirst($0 + 1).first } ?? "?"
    let place = package.components.map(\.string).filter { $0 != "." }.joined(separator: "+")
    // Earlier versions kept builds of another linker, whose code lies otherwise.
    return [product, place, String(commit.prefix(12)), "swift", String(number), "lld"]
      .filter { !$0.isEmpty }.joined(separator: "-")
  }

  /// Keeps git from showing the builds as the user's own new files, in a folder that is made here.
  private func hideFolder() throws {
    let made = folder.removingLastComponent()
    guard made.lastComponent?.string == ".zoombench",
      !FileManager.default.fileExists(atPath: made.string)
    else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: made.string, withIntermediateDirectories: true)
      try Data("*\n".utf8).write(to: URL(filePath: made.appending(".gitignore").string))
    } catch {
      throw Failure(.cannotCreate, "\(made): write: \(error.localizedDescription)")
    }
  }

  private func checkOut(_ commit: String, in tree: FilePath) async throws {
    // Removes entries of deleted work trees.
    _ = try await Tool.git.run(["worktree", "prune"], in: repository.root)
    let place = ["rev-parse", "--path-format=absolute", "--git-common-dir"]
    let isThere = FileManager.default.fileExists(atPath: tree.string)
    let mine = try await Tool.git.run(place, in: repository.root)
    let its = isThere ? try await Tool.git.run(place, in: tree) : nil
    // A restored CI cache may hold the work tree of another clone.
    let isOurs = its.map { $0.isSuccess && $0.output == mine.output } ?? false
    if isThere, !isOurs { try FileManager.default.removeItem(atPath: tree.string) }
    let answer =
      isOurs
      ? try await Tool.git.run(["checkout", "--force", "--detach", commit], in: tree)
      : try await Tool.git.run(
        ["worktree", "add", "--force", "--detach", tree.string, commit], in: repository.root)
    guard answer.isSuccess else {
      throw Failure(
        .cannotCreate,
        "\(tree): check out \(commit.prefix(12)): \(answer.lastWords) (remove that folder)")
    }
  }

  /// Makes packages that the manifest names by relative paths stand where it looks for them: beside the work tree there is
  /// nothing, so links lead to those beside the user's own.
  ///
  /// Both builds then use these packages as they are now.
  private func linkDependencies(of checkedOut: FilePath) async throws {
    let manifest = try? String(
      contentsOfFile: checkedOut.appending("Package.swift").string, encoding: .utf8)
    // Asking SwiftPM takes a second, which most packages need not.
    guard manifest?.contains("path:") == true else { return }
    let dump = try await Tool.swift.run(
      ["package", "--package-path", checkedOut.string, "dump-package"])
    struct Manifest: Decodable {
      struct Dependency: Decodable {
        struct Local: Decodable { var path: String }
        var fileSystem: [Local]?
      }
      var dependencies: [Dependency]
    }
    // What is wrong with the manifest is told by the build.
    guard dump.isSuccess,
      let read = try? JSONDecoder().decode(Manifest.self, from: Data(dump.output.utf8))
    else { return }
    let ours = FilePath.absolute(repository.root.pushing(package).string).lexicallyNormalized()
    let there = FilePath.absolute(checkedOut.string).lexicallyNormalized()
    let mayWrite = FilePath.absolute(folder.string).lexicallyNormalized().removingLastComponent()
    for path in read.dependencies.flatMap({ $0.fileSystem ?? [] }).map({ FilePath($0.path) }) {
      let wanted = path.lexicallyNormalized()
      // A link of an earlier comparison may lead elsewhere.
      let isLink =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: wanted.string)) != nil
      if !isLink, FileManager.default.fileExists(atPath: wanted.string) { continue }
      let source = ours.pushing(wanted.relative(to: there)).lexicallyNormalized()
      guard FileManager.default.fileExists(atPath: source.string) else { continue }
      guard wanted.starts(with: mayWrite) else {
        throw Failure(
          .badInput,
          "\(there): build: it depends on \(source) by a path that leads too far up for a copy of it "
            + "(build both revisions yourself, then compare the two executables)")
      }
      if isLink { try? FileManager.default.removeItem(atPath: wanted.string) }
      do {
        try FileManager.default.createDirectory(
          atPath: wanted.removingLastComponent().string, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
          atPath: wanted.string, withDestinationPath: source.string)
      } catch {
        throw Failure(.cannotCreate, "\(wanted): link: \(error.localizedDescription)")
      }
    }
  }

  /// Builds the product so that it can be linked again, or where that fails, as it is built anyway.
  private func build(
    package: FilePath, scratch: FilePath, named name: String
  ) async throws -> FilePath {
    try await checkProduct(of: package, scratch: scratch, named: name)
    let arguments = [
      "build", "-c", "release", "--product", product, "--package-path", package.string,
      "--scratch-path", scratch.string,
    ]
    let place = try await Tool.swift.run(arguments + ["--show-bin-path"])
    guard place.isSuccess, let path = place.output.split(whereSeparator: \.isNewline).last else {
      throw Failure(.fault, "\(name): find the product: \(place.lastWords)")
    }
    let products = FilePath(String(path))
    let archive = products.appending(Self.archive)
    try? FileManager.default.removeItem(atPath: archive.string)
    if LayoutLinker.missing == nil {
      // The name is a new one each time, for the linker runs only if its arguments have changed.
      let fresh = products.appending("objects-\(UUID().uuidString).tar")
      let answer = try await Tool.swift.run(
        arguments + LayoutLinker.buildArguments(archive: fresh))
      let isThere = FileManager.default.fileExists(atPath: fresh.string)
      if answer.isSuccess, isThere {
        try FileManager.default.moveItem(atPath: fresh.string, toPath: archive.string)
        return products.appending(product)
      }
      if isThere { try? FileManager.default.removeItem(atPath: fresh.string) }
    }
    let answer = try await Tool.swift.run(arguments)
    guard answer.isSuccess else {
      throw Failure(
        .badInput,
        "\(name): build \(product): \(answer.lastWords) (does that revision build with "
          + "swift build -c release --product \(product)?)")
    }
    return products.appending(product)
  }

  /// Refuses a product that the package itself does not have.
  ///
  /// SwiftPM would also build the product of a dependency: zoombench itself, of which every package
  /// that uses it has one, instead of the user's benchmark.
  private func checkProduct(
    of package: FilePath, scratch: FilePath, named name: String
  ) async throws {
    let answer = try await Tool.swift.run(
      [
        "package", "--package-path", package.string, "--scratch-path", scratch.string, "describe",
        "--type", "json",
      ])
    // What is wrong with the manifest is told by the build.
    guard answer.isSuccess,
      let products = try? JSONDecoder().decode(
        PackageProducts.self, from: Data(answer.output.utf8))
    else { return }
    if let complaint = products.complaint(about: product) {
      throw Failure(.usage, "\(name): build: \(complaint)")
    }
  }

  /// Keeps the product whole or not at all: another comparison may be reading what stands there.
  private func keep(_ file: FilePath, in kept: FilePath) throws {
    try copy(file, beside: kept).publish(as: kept)
  }

  /// Copies the product, and the archive and the resources that stand beside it, into a folder beside
  /// `kept`.
  private func copy(_ file: FilePath, beside kept: FilePath) throws -> ScratchFolder {
    let scratch = try ScratchFolder(beside: kept)
    do {
      let folder = file.removingLastComponent()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
      for name in names
      where name == product || name == Self.archive || name.hasSuffix(".resources") {
        try FileManager.default.copyItem(
          atPath: folder.appending(name).string, toPath: scratch.path.appending(name).string)
      }
    } catch {
      scratch.remove()
      throw Failure(.cannotCreate, "\(kept): write: \(error.localizedDescription)")
    }
    return scratch
  }
}

/// The products of a package itself, without those of its dependencies, as SwiftPM describes them.
struct PackageProducts: Decodable {
  struct Product: Decodable {
    /// Only its keys are of interest: `{"executable": null}`.
    struct Kind: Decodable {
      enum CodingKeys: String, CodingKey { case executable }

      let isExecutable: Bool

      init(from decoder: any Decoder) throws {
        isExecutable = try decoder.container(keyedBy: CodingKeys.self).contains(.executable)
      }
    }

    let name: String
    let type: Kind
  }

  let products: [Product]

  /// Why a product cannot be built as an executable; nil if it can.
  func complaint(about product: String) -> String? {
    let names = products.filter(\.type.isExecutable).map(\.name).sorted()
    if names.contains(product) { return nil }
    let list = names.isEmpty ? "it has no executable" : names.joined(separator: ", ")
    return product == CompareCommand.standardProduct
      ? "this package has no product \(product) (name yours with --product: \(list))"
      : "no product named '\(product)' (there are: \(list))"
  }
}

extension FilePath {
  /// The way from another folder to this one, both absolute and normalised: "../zoombench".
  func relative(to other: FilePath) -> FilePath {
    var (mine, its) = (components[...], other.components[...])
    while let first = mine.first, first == its.first {
      mine = mine.dropFirst()
      its = its.dropFirst()
    }
    return FilePath(root: nil, its.map { _ in Component("..") } + mine)
  }
}
