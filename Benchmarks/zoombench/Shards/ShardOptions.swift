internal import ArgumentParser
internal import Foundation
internal import Sharding
internal import Synchronization
internal import SystemPackage
internal import ZoomPipeline

/// The part of a command's work to do here.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Do only this part of the work, such as 3/8, and write its journal into the folder that -o \
      names; zoombench report FOLDER gives the whole result. auto/8 takes the part from Slurm, GNU \
      parallel or ZOOMBENCH_SHARD.
      """, valueName: "i/n"))
  var shard: String?

  /// A part, and the folder of its journal.
  typealias Part = (shard: Shard, folder: FilePath)

  func validate() throws { _ = try selection() }

  private func selection() throws -> Shard? {
    do { return try shard.map { try Shard(parsing: $0) } } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Returns the part, and makes SIGTERM end the run with 75; nil without --shard.
  func begin(_ output: OutputOptions) throws -> Part? {
    guard let shard = try selection() else { return nil }
    guard let folder = output.path else {
      throw ValidationError("--shard needs -o, the folder of its journal")
    }
    Interruption.atTermination { ExitStatus.tryAgain.rawValue }
    return (shard, folder)
  }

  /// Returns the command line without the options that differ between shards.
  static func command(_ arguments: [String] = GivenAddresses.arguments) -> [String] {
    var kept = ["zoombench"]
    var isValue = false
    for argument in arguments.dropFirst() {
      if isValue {
        isValue = false
      } else if ["--shard", "-o", "--output"].contains(argument) {
        isValue = true
      } else if !["--shard=", "--output=", "-o="].contains(where: argument.hasPrefix) {
        kept.append(argument)
      }
    }
    return kept
  }
}

/// Pictures by name: as arguments, or as a list that may have any length.
struct PictureListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A file with one path of a picture per line, or - for stdin; paths that each end with a zero \
      byte, as find -print0 writes them, are accepted, too.
      """, valueName: "file"))
  var list: String?

  @Option(
    help: ArgumentHelp(
      "The folder that relative paths start from (default: this one).", valueName: "folder"))
  var root: String?

  func validate() throws {
    for (value, name) in [(list, "--list"), (root, "--root")] where value?.isEmpty == true {
      throw ValidationError("\(name) needs a name")
    }
  }

  /// Whether no option was given.
  var isEmpty: Bool { list == nil && root == nil }

  /// Returns the pictures of the list, or of the arguments, under their names in results.
  ///
  /// - Throws: `Failure` or a usage error when nothing is named, or when the headers of `remote` would be
  ///   sent to several servers, and errors of reading the list.
  func paths(
    _ arguments: [String], _ remote: RemoteOptions, expand: ([String]) throws -> [FilePath]
  ) throws -> PictureList {
    if let root, !FilePath.isFolder(root) { throw Failure(.noInput, "\(root): no such folder") }
    guard arguments.isEmpty == (list != nil) else {
      throw ValidationError(
        list == nil ? "name files or folders, or a --list" : "--list takes the place of files")
    }
    let root = root.map { FilePath.absolute($0) }
    guard let list else {
      // Names relative to a root stay as typed, so that they are the same on every machine.
      let found = try expand(
        arguments.map { name in
          guard let root, !RemoteAddress.isName(FilePath(name)) else { return name }
          return root.pushing(FilePath(name)).string
        })
      var keys = found.map { path -> String in
        if RemoteAddress.isName(path) { return RemoteAddress.text(of: path) }
        var inner = path
        if let root { _ = inner.removePrefix(root) }
        return inner.text
      }
      var seen = Set<String>()
      keys.removeAll { !seen.insert($0).inserted }
      return PictureList(list: try WorkList(keys), root: root)
    }
    let spooled = list == "-" ? try Self.spool() : nil
    // The list is read again later, when other servers, which must not get the headers, may be in it.
    let checked = Mutex<Set<String>?>(nil)
    let work = try WorkList(linesOf: spooled?.path.appending("list") ?? FilePath(list)) { line in
      let name = GivenAddresses.name(
        ofLine: String(decoding: line, as: UTF8.self), among: checked.withLock { $0 })
      if RemoteAddress.isName(FilePath(name)) { return name }
      return FilePath(platformString: line.map { CChar(bitPattern: $0) } + [0]).text
    }
    try GivenAddresses.checkLines(of: list)
    try remote.assertOneServer()
    checked.withLock { $0 = GivenAddresses.book.servers }
    guard work.count > 0 else { throw Failure(.noInput, "\(list): the list names no picture") }
    return PictureList(list: work, root: root, spooled: spooled)
  }

  /// Copies stdin to a file, because a list is read several times.
  private static func spool() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    let target = try FileDescriptor.open(
      folder.path.appending("list"), .writeOnly, options: [.create, .closeOnExec],
      permissions: .ownerReadWrite)
    try target.closeAfter {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try buffer.withUnsafeMutableBytes {
          try FileDescriptor.standardInput.read(into: $0)
        }
        if count == 0 { return }
        _ = try target.writeAll(buffer[..<count])
      }
    }
    return folder
  }
}

struct PictureList: Sendable {
  let list: WorkList
  fileprivate let root: FilePath?
  /// The folder of the copy of stdin, which is removed with the last reference to it.
  fileprivate var spooled: ScratchFolder?

  /// Returns the path of a picture, whose escapes stand for bytes unless a file has that very name.
  func path(of key: String) -> FilePath {
    if RemoteAddress.isName(FilePath(key)) { return FilePath(key) }
    let path = root?.pushing(FilePath(key)) ?? FilePath(key)
    guard key.contains("\\x"), (try? FileVersion(of: path)) == nil else { return path }
    return root?.pushing(FilePath(text: key)) ?? FilePath(text: key)
  }

  func forEach(_ body: (FilePath) throws -> Void) throws {
    let next = try list.begin()
    while let key = try next() { try body(path(of: key)) }
  }
}
