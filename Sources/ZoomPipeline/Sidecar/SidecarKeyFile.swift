package import SystemPackage

/// The file with the secret key of sidecar tags: 32 bytes, created when a sidecar is first written.
///
/// Anyone who can read it can make trusted sidecars, so only its owner may read it. A team or a
/// server shares sidecars by sharing a key, which `ZOOMBENCH_INDEX_KEY` names.
package struct SidecarKeyFile: Sendable, Hashable {
  package let path: FilePath

  /// Creates a reference to a file, which need not exist yet.
  package init(_ path: FilePath) { self.path = path }

  /// Returns the file named by `ZOOMBENCH_INDEX_KEY`, else `zoombench/index.key` in the user's
  /// data.
  /// - Throws: `PipelineError` when the environment names neither.
  static func standard(
    _ environment: (String) -> String? = UserFolder.environment
  ) throws(PipelineError) -> SidecarKeyFile {
    if let named = environment("ZOOMBENCH_INDEX_KEY") { return SidecarKeyFile(FilePath(named)) }
    return SidecarKeyFile(
      try UserFolder.data.path(environment).appending("zoombench").appending("index.key"))
  }

  /// Reads the key; returns nil if the file does not exist.
  /// - Throws: `PipelineError` when the file cannot be read or does not hold a key.
  func read() throws(PipelineError) -> SidecarKey? {
    let file: FileReader
    do { file = try FileReader(path) } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
    guard file.length == SidecarKey.byteCount,
      let key = SidecarKey(try file.bytes(at: 0, count: file.length))
    else {
      throw PipelineError(
        .damaged, operation: "read the index key", file: path,
        reason: "it has \(file.length) bytes, not \(SidecarKey.byteCount)",
        advice: "remove it and index again, or name another with ZOOMBENCH_INDEX_KEY")
    }
    return key
  }

  /// Reads the key, and creates it first if the file does not exist.
  /// - Parameter hasLinks: False creates it as on a file system without hard links.
  /// - Returns: The key in the file.
  /// - Throws: `PipelineError` as `read()` does, and when the file cannot be written.
  func readOrMake(hasLinks: Bool = true) throws(PipelineError) -> SidecarKey {
    if let key = try read() { return key }
    do {
      guard let key = SidecarKey.random() else { throw Errno.invalidArgument }
      let folder = path.removingLastComponent()
      if !folder.isEmpty { try UserFolder.make(folder) }
      try AtomicFile.write(
        key.bytes, to: path, permissions: .ownerReadWrite, ifFree: true, hasLinks: hasLinks)
    } catch {
      throw PipelineError(
        .unwritable, operation: "make the index key", file: path,
        reason: (error as? PipelineError)?.reason ?? "\(error)",
        advice: "name a place that can be written with ZOOMBENCH_INDEX_KEY")
    }
    // If another process was first, its key is the valid one.
    guard let key = try read() else {
      throw PipelineError(
        .unwritable, operation: "make the index key", file: path,
        reason: "it was removed at once, or is a link without a target")
    }
    return key
  }
}
