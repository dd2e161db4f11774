internal import Foundation
internal import MeasurementHistory
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

extension RevisionBuilder {
  /// Checks a commit out in our own work tree, created if missing.
  func checkOut(_ commit: String, in tree: FilePath) throws {
    let asksRepository = ["rev-parse", "--path-format=absolute", "--git-common-dir"]
    let exists = FileManager.default.fileExists(atPath: tree.string)
    let mine = try Tool.git.run(asksRepository, in: root)
    let its = exists ? try Tool.git.run(asksRepository, in: tree) : nil
    // A restored CI cache may hold the work tree of another clone.
    let isOurs = its.map { $0.isSuccess && $0.output == mine.output } ?? false
    if exists, !isOurs { try FileManager.default.removeItem(atPath: tree.string) }
    let answer =
      isOurs
      ? try Tool.git.run(["checkout", "--force", "--detach", commit], in: tree)
      // --force: git may still have an entry for the folder after the user has deleted it.
      : try Tool.git.run(
        ["worktree", "add", "--force", "--detach", tree.string, commit], in: root)
    guard answer.isSuccess else {
      throw Failure(
        .cannotCreate,
        "\(tree): check out \(commit.prefix(12)): \(answer.lastWords) (remove that folder)")
    }
  }

  /// Checks a commit out in the tree of a contender, and runs a build command in the package's folder.
  ///
  /// If the commit was the last to be built there with the same command, both are skipped. The caller holds
  /// the lock, also while the tree is used.
  ///
  /// - Returns: the package's folder in the tree.
  /// - Throws: `Failure` when the commit cannot be checked out or the command fails.
  func tree(
    _ label: String, of commit: String, named name: String, builtBy command: String?
  ) throws -> FilePath {
    let tree = folder.appending("tree-\(label)")
    let stamp = folder.appending("tree-\(label).built")
    let content = Data("\(commit)\n\(package)\n\(command ?? "")\n".utf8)
    let place = tree.pushing(package)
    let isBuilt =
      FileManager.default.contents(atPath: stamp.string) == content
      && FilePath.isFolder(place.string)
    if isBuilt { return place }
    // If the build is interrupted, the tree must not be taken for a built one.
    try? FileManager.default.removeItem(atPath: stamp.string)
    try checkOut(commit, in: tree)
    guard FilePath.isFolder(place.string) else {
      throw Failure(.noInput, "\(name): compare: it lacks the folder \(package) (see --package)")
    }
    if let command { try run(command, in: place, named: name) }
    try AtomicFile.write(Array(content), to: stamp)
    return place
  }

  /// Runs a build command in a folder.
  func run(_ command: String, in place: FilePath, named name: String) throws {
    say("building \(name): \(command)")
    let answer = try Tool(name: "/bin/sh", advice: "").run(["-c", command], in: place)
    guard answer.isSuccess else {
      throw Failure(
        .badInput,
        "\(name): build: \(answer.lastWords) (does the command succeed by hand in \(place)?)")
    }
  }

  /// Links the user's local packages to the paths where the checked-out manifest expects them.
  ///
  /// Both builds then use these packages in their present state.
  ///
  /// - Returns: the folders of these packages.
  func linkDependencies(of checkedOut: FilePath) throws -> [FilePath] {
    let dump = try Tool.swift.run(
      ["package", "--package-path", checkedOut.string, "dump-package"])
    struct Manifest: Decodable {
      struct Dependency: Decodable {
        struct Local: Decodable { var path: String }
        var fileSystem: [Local]?
      }
      var dependencies: [Dependency]
    }
    // The build reports errors in the manifest.
    guard dump.isSuccess,
      let read = try? JSONDecoder().decode(Manifest.self, from: Data(dump.output.utf8))
    else { return [] }
    var used: [FilePath] = []
    let ours = FilePath.absolute(root.pushing(package).string).lexicallyNormalized()
    let there = FilePath.absolute(checkedOut.string).lexicallyNormalized()
    let mayWrite = FilePath.absolute(folder.string).lexicallyNormalized().removingLastComponent()
    for path in read.dependencies.flatMap({ $0.fileSystem ?? [] }).map({ FilePath($0.path) }) {
      let wanted = path.lexicallyNormalized()
      // A link of an earlier comparison may have another target.
      let isLink =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: wanted.string)) != nil
      if !isLink, FileManager.default.fileExists(atPath: wanted.string) {
        if !wanted.starts(with: there) { used.append(wanted) }
        continue
      }
      let source = ours.pushing(wanted.relative(to: there)).lexicallyNormalized()
      guard FileManager.default.fileExists(atPath: source.string) else { continue }
      used.append(source)
      guard wanted.starts(with: mayWrite) else {
        throw Failure(
          .badInput,
          "\(there): build: it depends on \(source) by a path outside \(mayWrite) "
            + "(build both revisions yourself, then compare the two executables)")
      }
      if isLink { try? FileManager.default.removeItem(atPath: wanted.string) }
      do {
        try FileManager.default.createDirectory(
          atPath: wanted.removingLastComponent().string, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
          atPath: wanted.string, withDestinationPath: source.string)
      } catch {
        throw Failure(.cannotCreate, "\(wanted): link: \(error.systemReason)")
      }
    }
    return used
  }

  /// Returns a digest of the names, sizes and times of all unhidden files; empty without a folder.
  static func digest(of folders: [FilePath]) -> String {
    guard !folders.isEmpty else { return "" }
    let lines = folders.flatMap { folder in
      FolderWalk(folder).files.map { entry in
        let version = try? FileVersion(of: entry.path)
        let time = version.map { "\($0.modified.seconds).\($0.modified.nanoseconds)" } ?? "-"
        return "\(entry.path) \(version?.length ?? 0) \(time)\n"
      }
    }
    return String(RunRecord.id(ofText: lines.joined().utf8).prefix(8))
  }
}

extension FilePath {
  /// Returns the relative path from another folder to this one, both absolute and normalised: "../zoombench".
  func relative(to other: FilePath) -> FilePath {
    var (mine, its) = (components[...], other.components[...])
    while let first = mine.first, first == its.first {
      mine = mine.dropFirst()
      its = its.dropFirst()
    }
    return FilePath(root: nil, its.map { _ in Component("..") } + mine)
  }
}
