internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
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
  /// - Returns: the executable; beside it the archive, where the linker writes one, and the versions of
  ///   its dependencies.
  /// - Throws: `Failure` when the revision cannot be checked out or does not build.
  func build(_ commit: String) async throws -> FilePath {
    let pins = try await pins(of: commit)
    let manifest = try await file("Package.swift", of: commit).map {
      String(decoding: $0, as: UTF8.self)
    }
    let hasLocalPackages = manifest.map(LocalPackages.areNamed) ?? false
    func isBuilt(_ kept: FilePath) -> Bool {
      FileManager.default.isExecutableFile(atPath: kept.appending(product).string)
    }
    // What local packages are like is known when the revision is checked out beside them.
    if !hasLocalPackages {
      let kept = try await kept(commit, pins, local: "")
      if isBuilt(kept) { return kept.appending(product) }
    }
    try hideFolder()
    let lock = try BuildLock(in: folder) { say("waiting for another build") }
    defer { lock.release() }
    say("building \(commit.prefix(12))")
    let tree = folder.appending("work-tree")
    let checkedOut = tree.pushing(package)
    try await checkOut(commit, in: tree)
    let local = hasLocalPackages ? try await linkDependencies(of: checkedOut) : []
    var kept = try await kept(commit, pins, local: LocalPackages.digest(of: local))
    // Whoever had the lock may have built this very commit.
    if isBuilt(kept) { return kept.appending(product) }
    if let pins {
      try pins.write(in: checkedOut)
    } else {
      // Left by another revision.
      try? FileManager.default.removeItem(
        atPath: checkedOut.appending(DependencyPins.file).string)
    }
    let built = try await build(
      package: checkedOut, scratch: folder.appending("build"), named: commit)
    if pins == nil, let resolved = DependencyPins(in: checkedOut) {
      try resolved.write(in: firstResolved)
      kept = try await self.kept(commit, resolved, local: LocalPackages.digest(of: local))
    }
    // A folder without the executable is of no use to anybody, and nothing is renamed over it.
    try? FileManager.default.removeItem(atPath: kept.string)
    try copy(built, of: checkedOut, beside: kept).publish(as: kept)
    return kept.appending(product)
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
    let own = repository.root.pushing(package)
    if DependencyPins(in: own) == nil { try DependencyPins(in: firstResolved)?.write(in: own) }
    // A folder of its own: the package's .build may be in use by the command that runs this.
    let built = try await build(
      package: own, scratch: folder.appending("build-working-tree"), named: "working tree")
    return try copy(built, of: own, beside: folder.appending("\(product)-working-tree"))
  }

  /// The versions to build a commit with; nil where they are still to be resolved, or there are none.
  private func pins(of commit: String) async throws -> DependencyPins? {
    if let own = try await file(DependencyPins.file.string, of: commit) {
      return DependencyPins(own)
    }
    return DependencyPins(in: repository.root.pushing(package)) ?? DependencyPins(in: firstResolved)
  }

  /// Where the versions are kept that the first build resolved, if no revision has any.
  private var firstResolved: FilePath {
    folder.appending("resolved-\(place.isEmpty ? product : place)")
  }

  /// A file of the package as a commit has it; nil where it has none.
  private func file(_ name: String, of commit: String) async throws -> Data? {
    let path = FilePath(root: nil, package.components.filter { $0.kind == .regular })
      .appending(name)
    let answer = try await Tool.git.run(["show", "\(commit):\(path)"], in: repository.root)
    return answer.isSuccess ? Data(answer.output.utf8) : nil
  }

  /// The package's place in the repository, as part of a name.
  private var place: String {
    package.components.map(\.string).filter { $0 != "." }.joined(separator: "+")
  }

  /// The folder of a build, named after all that makes another executable of a commit.
  private func kept(
    _ commit: String, _ pins: DependencyPins?, local: String
  ) async throws -> FilePath {
    let version = try await Tool.swift.run(["--version"])
    let words = (version.output + version.errors).split(separator: " ")
    let number = words.firstIndex(of: "version").flatMap { words.dropFirst($0 + 1).first } ?? "?"
    // Earlier versions kept builds of another linker, and of whatever dependencies.
    let name = [
      product, place, String(commit.prefix(12)), "swift", String(number), "lld",
      pins?.digest ?? "alone", local,
    ].filter { !$0.isEmpty }.joined(separator: "-")
    return folder.appending(name)
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
      throw Failure(.cannotCreate, "\(made): write: \(error.systemReason)")
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
    if LayoutLinker.missing == nil, (try? await LayoutLinker.findLinker()) != nil {
      // The name is a new one each time, for the linker runs only if its arguments have changed.
      let fresh = products.appending("objects-\(UUID().uuidString).tar")
      let answer = try await Tool.swift.run(
        arguments + LayoutLinker.buildArguments(archive: fresh))
      // The linker makes the archive before it links: without one, the sources do not compile.
      let wasLinked = FileManager.default.fileExists(atPath: fresh.string)
      if answer.isSuccess, wasLinked {
        try FileManager.default.moveItem(atPath: fresh.string, toPath: archive.string)
        return products.appending(product)
      }
      if !answer.isSuccess, !wasLinked { throw refusal(of: name, answer) }
      if wasLinked { try? FileManager.default.removeItem(atPath: fresh.string) }
    }
    let answer = try await Tool.swift.run(arguments)
    guard answer.isSuccess else { throw refusal(of: name, answer) }
    return products.appending(product)
  }

  private func refusal(of name: String, _ answer: Tool.Answer) -> Failure {
    Failure(
      .badInput,
      "\(name): build \(product): \(answer.lastWords) (does that revision build with "
        + "swift build -c release --product \(product)?)")
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

  /// Copies the product, with the archive and the resources beside it and the versions of its
  /// dependencies, into a folder beside `kept`.
  ///
  /// What is published from there is kept whole or not at all: another comparison may be reading it.
  private func copy(
    _ file: FilePath, of package: FilePath, beside kept: FilePath
  ) throws -> ScratchFolder {
    let scratch = try ScratchFolder(beside: kept)
    do {
      let folder = file.removingLastComponent()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
      for name in names
      where name == product || name == Self.archive || name.hasSuffix(".resources") {
        try FileManager.default.copyItem(
          atPath: folder.appending(name).string, toPath: scratch.path.appending(name).string)
      }
      try DependencyPins(in: package)?.write(in: scratch.path)
    } catch {
      scratch.remove()
      throw Failure(.cannotCreate, "\(kept): write: \(error.systemReason)")
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
