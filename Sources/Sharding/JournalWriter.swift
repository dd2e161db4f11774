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
/// An unfinished journal has a unique name, `shard-0003-of-0008.1A2B3C4D.part`, because a scheduler that
/// considers a node dead restarts its shard while the node may still be writing. A finished journal is
/// renamed to `shard-0003-of-0008.jsonl`. If two runs finish, the later journal replaces the earlier one,
/// from which it differs only in the cells' `run`.
package final class JournalWriter: Sendable {
  package let path: FilePath
  /// The number of the last cell with a result from an earlier run; -1 for none.
  ///
  /// Results are written in order, so all earlier cells of the shard are done, too.
  package let lastDone: Int
  /// The number of results from earlier runs.
  package let doneCount: Int
  /// For each cell that earlier runs began without writing a result, how often they began it.
  ///
  /// One of them may have ended a run's process. They are the first cells without a result.
  package let begun: [Int: Int]

  private let part: FilePath
  private let state: Mutex<State>

  /// The state under one lock, because a signal's thread flushes while others write.
  private struct State {
    let descriptor: FileDescriptor
    var count = 0
    var syncedAt = ContinuousClock.now
    /// Whether the last line is written.
    var isOver = false
  }

  private init(
    path: FilePath, part: FilePath, descriptor: FileDescriptor, after earlier: JournalReader?,
    begun: [Int: Int]
  ) {
    (self.path, self.part, self.begun) = (path, part, begun)
    (lastDone, doneCount) = (earlier?.last ?? -1, earlier?.count ?? 0)
    state = Mutex(State(descriptor: descriptor, count: earlier?.count ?? 0))
  }

  /// The longest time between syncs; the system has each line at once, so only a crash of the machine can
  /// lose lines.
  private static let syncInterval = Duration.seconds(5)

  /// Opens the journal of a shard in a folder, created if missing; returns nil if it is finished.
  ///
  /// `command` processes the shard, without `--shard` and `-o`. Tests use `afterMaking`, which is called
  /// when the part file exists and is not locked yet.
  ///
  /// - Throws: `ShardError`: `usage` when the folder has a journal of this shard for another plan,
  ///   `damaged` when that journal is damaged, `unwritable`.
  package static func open(
    in folder: FilePath, plan: WorkPlan, shard: Shard, command: [String],
    afterMaking: () throws -> Void = {}
  ) throws -> JournalWriter? {
    try make(folder)
    let path = Self.path(of: shard, in: folder)
    if (try? FileVersion(of: path)) != nil {
      let finished = try JournalReader(path)
      try check(finished, plan)
      while try finished.next() != nil {}
      guard finished.isComplete else {
        throw ShardError.damaged("\(path): it is cut off (remove it and run the command again)")
      }
      return nil
    }
    let earlier = try earlierParts(of: shard, in: folder, plan)
    let readers = earlier.compactMap { $0.reader }
    let best = readers.max { $0.count < $1.count }
    let (part, descriptor) = try makePart(of: shard, in: folder, afterMaking)
    // Each journal repeats the notes of its predecessors, so the largest number is the total.
    let begun = readers.reduce(into: [Int: Int]()) { $0.merge($1.open, uniquingKeysWith: max) }
      .filter { $0.key > best?.last ?? -1 }
    let writer = JournalWriter(
      path: path, part: part, descriptor: descriptor, after: best, begun: begun)
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
    for (cell, times) in begun.sorted(by: { $0.key < $1.key }) {
      // A cell that was begun twice is given up.
      for _ in 0..<min(2, times) { try writer.write(JournalLine.started(cell)) }
    }
    try writer.flush()
    for old in earlier { OwnerLock.removeAbandoned(old.path) }
    return writer
  }

  /// Returns the path of a shard's finished journal.
  package static func path(of shard: Shard, in folder: FilePath) -> FilePath {
    folder.appending(shard.fileStem + ".jsonl")
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

  /// Reads the unfinished journals of earlier runs, as far as they can be read.
  private static func earlierParts(
    of shard: Shard, in folder: FilePath, _ plan: WorkPlan
  ) throws -> [(path: FilePath, reader: JournalReader?)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
      .filter { $0.hasPrefix(shard.fileStem + ".") && $0.hasSuffix(".part") }
    return try names.map { name -> (path: FilePath, reader: JournalReader?) in
      let path = folder.appending(name)
      // A journal that ends inside its first line, or was just created, contains nothing to reuse.
      guard let reader = try? JournalReader(path) else { return (path, nil) }
      try check(reader, plan)
      // Damage ends the loop: the results before it are whole lines in order.
      while (try? reader.next()) != nil {}
      return (path, reader)
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
  package func append(_ cell: Cell, _ result: some CellResult) throws {
    var row = result
    row.run = nil
    let line = try JournalLine.encoded(
      JournalLine.Result(cell: cell.number, key: cell.key, row: row, run: result.run))
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

  /// Notes that SIGTERM ends the run, so that no cell is blamed for its end, and syncs all lines.
  ///
  /// Later calls that write throw `CancellationError`.
  package func stop() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      _ = try? state.descriptor.writeAll(JournalLine.stopped)
      _ = fsync(state.descriptor.rawValue)
    }
  }

  /// Syncs all lines to the disk.
  private func flush() throws {
    try state.withLock { state in
      state.syncedAt = .now
      guard fsync(state.descriptor.rawValue) != 0 else { return }
      throw unwritable(Errno(rawValue: errno))
    }
  }

  /// Writes the last line, with a checksum of the bytes on disk, and gives the journal its final name.
  /// - Returns: the path of the journal.
  package func finish() throws -> FilePath {
    var hash = SHA256()
    let lines = LineReader(part)
    while let line = try lines.next() { hash.append(Array(line) + [10]) }
    let end = JournalLine.Trailer.End(
      cells: state.withLock { $0.count }, sha256: SHA256.hexadecimal(hash.digest))
    try write(try JournalLine.encoded(JournalLine.Trailer(end: end)), isLast: true)
    try flush()
    let result = unsafe part.withPlatformString { from in
      unsafe path.withPlatformString { to in
        // Of two runs that finish the shard, the first one's journal stays: others may be reading it piece by piece.
        if unsafe link(from, to) == 0 || errno == EEXIST {
          return unsafe unlink(from) == 0 ? 0 : errno
        }
        return unsafe rename(from, to) == 0 ? 0 : errno
      }
    }
    // The new name must also survive a crash of the machine.
    if let folder = try? FileDescriptor.open(
      path.removingLastComponent(), .readOnly, options: [.directory, .closeOnExec])
    {
      _ = fsync(folder.rawValue)
      try? folder.close()
    }
    try state.withLock { try $0.descriptor.close() }
    // If a file server loses the answer to a successful rename, the repeated request finds no part file.
    guard result == 0 || (try? JournalReader(path)) != nil else {
      throw unwritable(Errno(rawValue: result))
    }
    return path
  }

  private func write(_ bytes: [UInt8], isLast: Bool = false) throws {
    try state.withLock { state in
      if state.isOver { throw CancellationError() }
      state.isOver = isLast
      do {
        _ = try state.descriptor.writeAll(bytes)
      } catch {
        throw unwritable(error)
      }
    }
  }

  private func unwritable(_ cause: any Error) -> ShardError {
    .unwritable("\(part): write: \(cause) (earlier results are kept; run the command again)")
  }
}
