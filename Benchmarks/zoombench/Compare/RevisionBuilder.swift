internal import Foundation
internal import Measurement
package import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// Builds revisions of a package in release, in a separate git work tree.
///
/// One work tree and one build folder serve all revisions, so that a second revision compiles only its
/// changes. Built products are kept under their commit's name.
package struct RevisionBuilder {
  package static let standardProduct = "zoombench"

  /// The top folder of the repository.
  let root: FilePath
  /// The package's folder in the repository.
  let package: FilePath
  let product: String
  /// The folder for the work trees, the build folders and the products.
  let folder: FilePath
  let say: @Sendable (String) -> Void

  /// Finds the repository that contains a folder.
  ///
  /// Builds go to `.zoombench/builds` of the repository unless another folder is named.
  ///
  /// - Throws: `Failure` when no repository contains the folder.
  package init(
    containing place: FilePath, package: FilePath = ".",
    product: String = RevisionBuilder.standardProduct, builds: FilePath? = nil,
    say: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    let answer = try Tool.git.run(["rev-parse", "--show-toplevel"], in: place)
    guard answer.isSuccess else {
      throw Failure(
        .noInput,
        "\(place): find the repository: \(answer.lastWords) (run it inside a git repository, or "
          + "name two executables)")
    }
    root = FilePath(answer.output.trimmingCharacters(in: .whitespacesAndNewlines))
    (self.package, self.product, self.say) = (package, product, say)
    folder = builds ?? root.appending(".zoombench").appending("builds")
  }

  /// Returns the full hash of the commit that a revision names.
  package func commit(_ revision: String) throws -> String {
    guard let commit = RevisionFacts.commit(of: revision, in: root) else {
      throw Failure(
        .noInput,
        "\(revision): compare: there is no such revision, and no such file "
          + "(see git branch --all and git tag)")
    }
    return commit
  }

  /// Locks the folder of builds, which is created if missing; waits for another comparison to release it.
  func lock() throws -> BuildLock {
    try HiddenFolder.make(folder.removingLastComponent())
    return try BuildLock(in: folder) { say("waiting for another comparison") }
  }

  /// The name of the archive, beside a product, from which it can be linked again.
  static let archive = "objects.tar"

  /// Returns the product of a commit, built if missing.
  ///
  /// - Returns: the executable; the archive, if the linker writes one, and the dependency versions are
  ///   beside it.
  /// - Throws: `Failure` when the revision cannot be checked out or does not build.
  package func build(_ commit: String) throws -> FilePath {
    let pins = try pins(of: commit)
    // Without the word, no local package is named; with it, SwiftPM must be asked after the checkout.
    let manifest = try file("Package.swift", of: commit)
    let mayHaveLocalPackages = manifest?.range(of: Data("path".utf8)) != nil
    func isBuilt(_ kept: FilePath) -> Bool {
      FileManager.default.isExecutableFile(atPath: kept.appending(product).string)
    }
    // The digest of local packages is known only after the checkout.
    if !mayHaveLocalPackages {
      let kept = try kept(commit, pins, local: "")
      if isBuilt(kept) { return kept.appending(product) }
    }
    let lock = try self.lock()
    defer { lock.release() }
    let tree = folder.appending("work-tree")
    let checkedOut = tree.pushing(package)
    try checkOut(commit, in: tree)
    let packages = mayHaveLocalPackages ? try linkDependencies(of: checkedOut) : []
    let local = Self.digest(of: packages)
    var kept = try kept(commit, pins, local: local)
    // The previous holder of the lock may have built this commit.
    if isBuilt(kept) { return kept.appending(product) }
    say("building \(commit.prefix(12))")
    if let pins {
      try pins.write(in: checkedOut)
    } else {
      // The file of another revision.
      try? FileManager.default.removeItem(
        atPath: checkedOut.appending(DependencyPins.file).string)
    }
    let built = try build(
      package: checkedOut, scratch: folder.appending("build"), named: commit)
    if pins == nil, let resolved = DependencyPins(in: checkedOut) {
      try resolved.write(in: firstResolved)
      kept = try self.kept(commit, resolved, local: local)
    }
    // A folder without the executable is unusable, and a rename does not replace it.
    try? FileManager.default.removeItem(atPath: kept.string)
    try copy(built, of: checkedOut, beside: kept).publish(as: kept)
    return kept.appending(product)
  }

  /// Builds the product of the work tree in its present state.
  ///
  /// - Returns: a folder with the executable, for this run only, because the work tree may change; the caller
  ///   removes it.
  func buildWorkingTree() throws -> ScratchFolder {
    let lock = try self.lock()
    defer { lock.release() }
    say("building the working tree")
    let own = root.pushing(package)
    if DependencyPins(in: own) == nil { try DependencyPins(in: firstResolved)?.write(in: own) }
    // A separate build folder: the package's .build may be in use by the command that runs this.
    let built = try build(
      package: own, scratch: folder.appending("build-working-tree"), named: "working tree")
    return try copy(built, of: own, beside: folder.appending("\(product)-working-tree"))
  }

  /// Returns the versions to build a commit with; nil if they are not resolved yet.
  private func pins(of commit: String) throws -> DependencyPins? {
    if let own = try file(DependencyPins.file.string, of: commit) {
      return DependencyPins(own)
    }
    return DependencyPins(in: root.pushing(package)) ?? DependencyPins(in: firstResolved)
  }

  /// The path of the versions that the first build resolved, for revisions without their own.
  private var firstResolved: FilePath {
    folder.appending("resolved-\(packageLabel.isEmpty ? product : packageLabel)")
  }

  /// Returns a file of the package in a commit; nil if the commit lacks it.
  private func file(_ name: String, of commit: String) throws -> Data? {
    let path = FilePath(root: nil, package.components.filter { $0.kind == .regular })
      .appending(name)
    let answer = try Tool.git.run(["show", "\(commit):\(path)"], in: root)
    return answer.isSuccess ? Data(answer.output.utf8) : nil
  }

  /// The package's path in the repository, as part of a file name.
  private var packageLabel: String {
    package.components.map(\.string).filter { $0 != "." }.joined(separator: "+")
  }

  /// Returns the folder of a build, named after everything that affects a commit's executable.
  private func kept(
    _ commit: String, _ pins: DependencyPins?, local: String
  ) throws -> FilePath {
    let version = try Tool.swift.run(["--version"])
    let words = (version.output + version.errors).split(separator: " ")
    let number = words.firstIndex(of: "version").flatMap { words.dropFirst($0 + 1).first } ?? "?"
    // "lld" and the digest distinguish these builds from those of earlier versions of this tool.
    let name = [
      product, packageLabel, String(commit.prefix(12)), "swift", String(number), "lld",
      pins?.digest ?? "alone", local,
    ].filter { !$0.isEmpty }.joined(separator: "-")
    return folder.appending(name)
  }

  /// Builds the product so that it can be linked again, or normally if that fails.
  private func build(
    package: FilePath, scratch: FilePath, named name: String
  ) throws -> FilePath {
    try checkProduct(of: package, scratch: scratch, named: name)
    let arguments = [
      "build", "-c", "release", "--product", product, "--package-path", package.string,
      "--scratch-path", scratch.string,
    ]
    let shown = try Tool.swift.run(arguments + ["--show-bin-path"])
    guard shown.isSuccess, let path = shown.output.split(whereSeparator: \.isNewline).last else {
      throw Failure(.fault, "\(name): find the product: \(shown.lastWords)")
    }
    let products = FilePath(String(path))
    let archive = products.appending(Self.archive)
    try? FileManager.default.removeItem(atPath: archive.string)
    if (try? LayoutLinker.findLinker()) != nil {
      // A new name each time, because the linker runs only if its arguments have changed.
      let fresh = products.appending("objects-\(UUID().uuidString).tar")
      let answer = try Tool.swift.run(
        arguments + LayoutLinker.buildArguments(archive: fresh))
      // The linker writes the archive before it links; without one, the sources do not compile.
      let wasLinked = FileManager.default.fileExists(atPath: fresh.string)
      if answer.isSuccess, wasLinked {
        try FileManager.default.moveItem(atPath: fresh.string, toPath: archive.string)
        return products.appending(product)
      }
      if !answer.isSuccess, !wasLinked { throw refusal(of: name, answer) }
      if wasLinked { try? FileManager.default.removeItem(atPath: fresh.string) }
    }
    let answer = try Tool.swift.run(arguments)
    guard answer.isSuccess else { throw refusal(of: name, answer) }
    return products.appending(product)
  }

  private func refusal(of name: String, _ answer: Tool.Answer) -> Failure {
    Failure(
      .badInput,
      "\(name): build \(product): \(answer.lastWords) (does that revision build with "
        + "swift build -c release --product \(product)?)")
  }

  /// Refuses a product that the package itself does not define.
  ///
  /// SwiftPM would also build the product of a dependency, for example zoombench itself, instead of the
  /// user's benchmark.
  private func checkProduct(
    of package: FilePath, scratch: FilePath, named name: String
  ) throws {
    let answer = try Tool.swift.run(
      [
        "package", "--package-path", package.string, "--scratch-path", scratch.string, "describe",
        "--type", "json",
      ])
    // The build reports errors in the manifest.
    guard answer.isSuccess,
      let products = try? JSONDecoder().decode(
        PackageProducts.self, from: Data(answer.output.utf8))
    else { return }
    if let complaint = products.complaint(about: product) {
      throw Failure(.usage, "\(name): build: \(complaint)")
    }
  }

  /// Copies the product, its archive and resources, and its dependency versions into a folder beside `kept`.
  ///
  /// The folder is published whole or not at all, because another comparison may be reading.
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

/// The products of a package itself, without its dependencies, as SwiftPM describes them.
struct PackageProducts: Decodable {
  struct Product: Decodable {
    /// The details of a kind, which do not matter.
    struct Details: Decodable {}

    let name: String
    /// The kind, an object of one key: `{"executable": null}`.
    let type: [String: Details?]
  }

  let products: [Product]

  /// Returns the reason that a product cannot be built as an executable; nil if it can.
  func complaint(about product: String) -> String? {
    let names = products.filter { $0.type.keys.contains("executable") }.map(\.name).sorted()
    if names.contains(product) { return nil }
    let list = names.isEmpty ? "it lacks executables" : names.joined(separator: ", ")
    return product == RevisionBuilder.standardProduct
      ? "this package lacks a product \(product) (name yours with --product: \(list))"
      : "no product named '\(product)' (there are: \(list))"
  }
}
