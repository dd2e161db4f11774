internal import Foundation
internal import Synchronization
package import SystemPackage
internal import ZoomPipeline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes the journal of a shard, and resumes one that an earlier run did not finish.
///
/// While it is written, it has a unique name, `shard-0003-of-0008.1A2B3C4D.part`: a scheduler that
/// considers a node dead restarts its shard while the node may still be writing. When it is finished, it is
/// renamed to `shard-0003-of-0008.jsonl`. If two runs finish, the later journal replaces the other; they
/// differ only in times.
package final class JournalWriter: Sendable {
  /// The state of the journal before the work begins.
  package enum Opening: Sendable {
    /// An earlier run has finished the shard.
    case complete(FilePath)
    case open(JournalWriter)
  }

  package let path: FilePath
  /// The number of the last cell with a result from an earlier run; -1 for none.
  ///
  /// Results are written in order, so all earlier cells of the shard are done, too.
  package let lastDone: Int
  /// The number of results from earlier runs.
  package let doneCount: Int
  /// The cells that an earlier run began without writing a result.
  ///
  /// One of them may have ended that run's process.
  package let suspects: Set<Int>

  private let part: FilePath
  private let state: Mutex<State>

  /// The state under one lock, because a signal's thread flushes while others write.
  private struct State {
    let descriptor: FileDescriptor
    var hash: [UInt8] = []
    var count = 0
    var syncedAt = ContinuousClock.now
    var isClosed = false
  }

  /// Creates a writer; `finish` hashes the whole file, so the checksum is of the bytes on disk.
  private init(
    path: FilePath, part: FilePath, descriptor: FileDescriptor, lastDone: Int, doneCount: Int,
    suspects: Set<Int>
  ) {
    (self.path, self.part, self.lastDone, self.suspects) = (path, part, lastDone, suspects)
    self.doneCount = doneCount
    state = Mutex(State(descriptor: descriptor, count: doneCount))
  }

  /// The longest time between syncs; lines are passed to the system at once, so only a crash of the machine
  /// can lose any.
  private static let syncInterval = Duration.seconds(5)

  /// Opens the journal of a shard in a folder, created if missing, or returns that it is finished.
  ///
  /// `command` processes the shard, without `--shard` and `-o`. Tests use `afterMaking`, which is called
  /// when the part file exists and is not locked yet.
  ///
  /// - Throws: `ShardError`: `usage` when the folder has a journal of this shard for another plan,
  ///   `damaged` when that journal is damaged, `unwritable`.
  package static func open(
    in folder: FilePath, plan: WorkPlan, shard: Shard, command: [String],
    afterMaking: () throws -> Void = {}
  ) throws -> Opening {
    try make(folder)
    let path = folder.appending(shard.fileStem + ".jsonl")
    if (try? FileVersion(of: path)) != nil {
      let there = try JournalReader(path)
      try check(there, plan)
      while try there.next() != nil {}
      guard there.isComplete else {
        throw ShardError.damaged("\(path): it is cut off (remove it and run the same again)")
      }
      return .complete(path)
    }
    let earlier = try earlierParts(of: shard, in: folder, plan)
    let best = earlier.max { $0.count < $1.count }
    let (part, descriptor) = try makePart(of: shard, in: folder, afterMaking)
    let suspects = earlier.reduce(into: Set<Int>()) { $0.formUnion($1.open) }
      .filter { $0 > best?.last ?? -1 }
    let writer = JournalWriter(
      path: path, part: part, descriptor: descriptor, lastDone: best?.last ?? -1,
      doneCount: best?.count ?? 0, suspects: suspects)
    try writer.write(
      try JournalLine.encoded(
        JournalLine.Header(plan: plan, repeat: command, shard: "\(shard)")))
    do {
      if let best, best.count > 0 { try writer.copyResults(of: best.path, count: best.count) }
    } catch {
      // Another run of the shard may have copied them and removed that journal since it was read.
      guard let best, (try? FileVersion(of: best.path)) == nil else { throw error }
      try? descriptor.close()
      OwnerLock.removeAbandoned(part)
      return try open(in: folder, plan: plan, shard: shard, command: command)
    }
    for suspect in suspects.sorted() { try writer.write(JournalLine.started(suspect)) }
    try writer.flush()
    for old in earlier { OwnerLock.removeAbandoned(old.path) }
    return .open(writer)
  }

  /// Creates a part file, locked while it is open; an unlocked part is abandoned.
  private static func makePart(
    of shard: Shard, in folder: FilePath, _ afterMaking: () throws -> Void
  ) throws -> (FilePath, FileDescriptor) {
    while true {
      let word = String(UInt64.random(in: 1 << 60 ... .max), radix: 16).uppercased()
      let part = folder.appending("\(shard.fileStem).\(word).part")
      let descriptor: FileDescriptor
      do {
        descriptor = try FileDescriptor.open(
          part, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
      } catch {
        throw ShardError.unwritable("\(part): write: \(error) (name another folder)")
      }
      try afterMaking()
      if OwnerLock.take(descriptor, at: part) { return (part, descriptor) }
      // Another process that opened the shard considered it abandoned.
      try? descriptor.close()
    }
  }

  /// An unfinished journal of an earlier run, as far as it can be read.
  private struct Earlier {
    let path: FilePath
    var count = 0
    var last = -1
    var open: Set<Int> = []
  }

  private static func earlierParts(
    of shard: Shard, in folder: FilePath, _ plan: WorkPlan
  ) throws -> [Earlier] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    return try names.compactMap { name in
      guard name.hasPrefix(shard.fileStem + "."), name.hasSuffix(".part") else { return nil }
      var earlier = Earlier(path: folder.appending(name))
      // A journal that ends inside its first line, or was just created, contains nothing to reuse.
      guard let reader = try? JournalReader(earlier.path) else { return earlier }
      try check(reader, plan)
      // Damage ends the loop: the results before it are whole lines in order.
      while let entry = try? reader.next() {
        earlier.count += 1
        earlier.last = entry.number
      }
      earlier.open = reader.open
      return earlier
    }
  }

  private static func check(_ reader: JournalReader, _ plan: WorkPlan) throws {
    if let difference = reader.plan.difference(from: plan) {
      throw ShardError.usage(
        "\(reader.path): it is of another plan: \(difference) (name another folder with -o)")
    }
  }

  private static func make(_ folder: FilePath) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: true)
    } catch {
      throw ShardError.unwritable(
        "\(folder): the folder of journals cannot be made (name another with -o)")
    }
  }

  /// Copies results line by line, without the notes of begun cells.
  private func copyResults(of part: FilePath, count: Int) throws {
    let reader = try JournalReader(part)
    var lines: [UInt8] = []
    for _ in 0..<count {
      guard let entry = try reader.next() else { break }
      lines += entry.line
      lines.append(10)
      if lines.count > 1 << 16 {
        try write(lines)
        lines = []
      }
    }
    try write(lines)
  }

  /// Notes that the work on a cell begins.
  package func begin(_ number: Int) throws { try write(JournalLine.started(number)) }

  /// Appends a cell's result; results must come in the order of the cells.
  package func append(_ cell: Cell, _ row: some Codable) throws {
    let line = try JournalLine.encoded(
      JournalLine.Result(cell: cell.number, key: cell.key, result: row))
    guard line.count <= LineReader.longestLine else {
      throw ShardError.unwritable(
        "\(part): the result of cell \(cell.number) has \(line.count) bytes, and a line may have"
          + " \(LineReader.longestLine) (leave \(cell.key) out)")
    }
    try write(line)
    let isDue = state.withLock { state in
      state.count += 1
      return state.syncedAt.duration(to: .now) > Self.syncInterval
    }
    if isDue { try flush() }
  }

  /// Syncs all lines to the disk.
  package func flush() throws {
    try state.withLock { state in
      state.syncedAt = .now
      guard !state.isClosed, fsync(state.descriptor.rawValue) != 0 else { return }
      throw unwritable(Errno(rawValue: errno))
    }
  }

  /// Writes the last line and gives the journal its final name.
  /// - Returns: the path of the journal.
  package func finish() throws -> FilePath {
    var hash = SHA256()
    let lines = LineReader(part)
    while let line = try lines.next() { hash.append(Array(line) + [10]) }
    let end = JournalLine.Trailer.End(
      cells: state.withLock { $0.count }, sha256: SHA256.hexadecimal(hash.digest))
    try write(try JournalLine.encoded(JournalLine.Trailer(end: end)))
    try flush()
    let result = unsafe part.withPlatformString { from in
      unsafe path.withPlatformString { to in unsafe rename(from, to) == 0 ? 0 : errno }
    }
    // The new name must also survive a crash of the machine.
    if let folder = try? FileDescriptor.open(
      path.removingLastComponent(), .readOnly, options: [.directory, .closeOnExec])
    {
      _ = fsync(folder.rawValue)
      try? folder.close()
    }
    try state.withLock { state in
      state.isClosed = true
      try state.descriptor.close()
    }
    // A file server may have renamed it and lost the answer; then the repeated request finds no part file.
    guard result == 0 || (try? JournalReader(path)) != nil else {
      throw unwritable(Errno(rawValue: result))
    }
    return path
  }

  private func write(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      do {
        _ = try state.descriptor.writeAll(bytes)
      } catch {
        throw unwritable(error)
      }
    }
  }

  private func unwritable(_ cause: any Error) -> ShardError {
    .unwritable("\(part): write: \(cause) (results before are kept; run the same again)")
  }
}
