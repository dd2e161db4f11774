internal import Foundation
package import Measurement
internal import Synchronization
package import SystemPackage
internal import ZoomCorpus
internal import ZoomPipeline

/// Links a built product repeatedly, with its functions in a different order each time.
///
/// The linker lld can write all inputs of a link into an archive (`--reproduce`) and shuffle sections by a
/// seed (`--shuffle-sections`); the compiler puts each function in its own section. Linking again takes
/// half a second and no compiler.
package final class LayoutLinker: Sendable {
  /// Returns the build arguments that make the linker write the archive.
  static func buildArguments(archive: FilePath) -> [String] {
    [
      "-Xswiftc", "-use-ld=lld", "-Xswiftc", "-Xfrontend", "-Xswiftc", "-function-sections", "-Xcc",
      "-ffunction-sections",
      // Debug information would be most of an archive.
      "-Xswiftc", "-gnone", "-Xlinker", "--reproduce=\(archive.string)",
    ]
  }

  /// The number of layouts kept before the oldest is removed, more than the launches between two looks.
  private static let mostKept = 24

  private let linker: FilePath
  private let product: String
  private let label: String
  private let seed: UInt64
  /// The folder of the unpacked archive and the products; the creator of the linker removes it.
  private let folder: ScratchFolder
  /// The numbers of the existing layouts, oldest first.
  private let kept = Mutex<[Int]>([])

  /// Unpacks the archive beside a built product into a new folder beside the product's.
  ///
  /// The `.resources` of the product are copied, because the executable looks for them beside itself. An
  /// order follows from the seed, the label and a number; the labels give two builds of equal sources
  /// different orders.
  ///
  /// - Throws: `Failure` when it cannot be unpacked, or the compiler lacks lld.
  init(of built: FilePath, label: String, seed: UInt64) throws {
    let products = built.removingLastComponent()
    (product, self.label, self.seed) = (built.lastComponent?.string ?? "", label, seed)
    linker = try Self.findLinker()
    folder = try ScratchFolder(beside: products)
    do {
      try unpack(products.appending(RevisionBuilder.archive))
      let names = try FileManager.default.contentsOfDirectory(atPath: products.string)
      for name in names where name.hasSuffix(".resources") {
        try FileManager.default.copyItem(
          atPath: products.appending(name).string, toPath: folder.path.appending(name).string)
      }
    } catch {
      folder.remove()
      throw error
    }
  }

  /// Returns the linkers of two built products, the base's first; nil if an archive is missing.
  package static func both(
    of base: FilePath, and candidate: FilePath, seed: UInt64
  ) throws -> [LayoutLinker]? {
    let hasArchives = [base, candidate].allSatisfy {
      let archive = $0.removingLastComponent().appending(RevisionBuilder.archive)
      return FileManager.default.fileExists(atPath: archive.string)
    }
    guard hasArchives else { return nil }
    let mine = try LayoutLinker(of: base, label: "base", seed: seed)
    do {
      return [mine, try LayoutLinker(of: candidate, label: "candidate", seed: seed)]
    } catch {
      mine.remove()
      throw error
    }
  }

  package func remove() { folder.remove() }

  /// Links the product in the order of a number, unless that layout exists.
  ///
  /// - Returns: the path of the executable, valid until `mostKept` more layouts have been linked.
  func executable(_ number: Int) throws(LayoutError) -> String {
    let path = file(number)
    let outcome = kept.withLock { kept -> Result<Void, LayoutError> in
      if kept.contains(number) { return .success(()) }
      if kept.count >= Self.mostKept {
        try? FileManager.default.removeItem(atPath: file(kept.removeFirst()).string)
      }
      do throws(LayoutError) { try link(number, to: path) } catch { return .failure(error) }
      kept.append(number)
      return .success(())
    }
    try outcome.get()
    return path.string
  }

  private func file(_ number: Int) -> FilePath { folder.path.appending("\(product)-\(number)") }

  private var objects: FilePath { folder.path.appending("objects") }

  private func link(_ number: Int, to path: FilePath) throws(LayoutError) {
    // The linker treats a seed of zero as a random seed.
    let order =
      SeededRandom.derivedSeed(
        from: SeededRandom.derivedSeed(from: seed, label: label), stream: UInt64(number))
      % UInt64(Int32.max) + 1
    var command = WorkerCommand(
      label: "linker", executable: linker.string,
      arguments: [
        "@response.txt", "--shuffle-sections=.text*=\(order)", "--strip-all", "-o", path.string,
      ])
    command.folder = objects.string
    let reason: String
    do throws(ChildProcess.Failure) {
      let (ending, _, errors) = try ChildProcess.run(command)
      if ending == .exited(status: 0) { return }
      reason = errors.split(whereSeparator: \.isNewline).last.map(String.init) ?? "the linker fails"
    } catch {
      reason = "\(error)"
    }
    throw LayoutError(
      "\(product): link in another order: \(reason) (compare with --no-layouts)")
  }

  /// Unpacks the archive without its outermost folder, which is named after it.
  private func unpack(_ archive: FilePath) throws {
    try FileManager.default.createDirectory(
      atPath: objects.string, withIntermediateDirectories: true)
    let answer = try Tool.tar.run(
      ["-xf", archive.string, "-C", objects.string, "--strip-components=1"])
    guard answer.isSuccess else {
      throw Failure(.cannotCreate, "\(archive): unpack: \(answer.lastWords)")
    }
    let response = URL(filePath: objects.appending("response.txt").string)
    let text = try String(contentsOf: response, encoding: .utf8)
    try Self.withAbsoluteSearchPaths(text).write(to: response, atomically: true, encoding: .utf8)
  }

  /// Restores run-time library search paths, which the archive made relative.
  static func withAbsoluteSearchPaths(_ response: String) -> String {
    response.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0] == "-rpath" || words[0] == "--rpath" else {
        return String(line)
      }
      let (quote, path) = words[1].first == "\"" ? ("\"", words[1].dropFirst()) : ("", words[1])
      let isRelative = path.first != "/" && path.first != "$"
      return "\(words[0]) \(quote)\(isRelative ? "/" : "")\(path)"
    }.joined(separator: "\n")
  }

  /// Returns the lld that is part of the compiler's toolchain.
  static func findLinker() throws -> FilePath {
    struct Target: Decodable {
      struct Paths: Decodable { var runtimeResourcePath: String }
      var paths: Paths
    }
    let answer = try Tool.swift.run(["-print-target-info"])
    guard answer.isSuccess,
      let target = try? JSONDecoder().decode(Target.self, from: Data(answer.output.utf8))
    else {
      throw Failure(.unavailable, "swift -print-target-info: \(answer.lastWords)")
    }
    let linker = FilePath(target.paths.runtimeResourcePath).appending("../../bin/ld.lld")
      .lexicallyNormalized()
    guard FileManager.default.isExecutableFile(atPath: linker.string) else {
      throw Failure(.unavailable, "\(linker): there is no such linker (compare with --no-layouts)")
    }
    return linker
  }
}

extension LayoutPair {
  /// Creates a pair of layouts from two linkers, the base's first; without them, an empty pair.
  package init(_ linkers: [LayoutLinker]) {
    guard linkers.count == 2 else {
      self.init()
      return
    }
    let (mine, theirs) = (linkers[0], linkers[1])
    self.init(
      base: { (number) throws(LayoutError) in try mine.executable(number) },
      candidate: { (number) throws(LayoutError) in try theirs.executable(number) })
  }
}
