internal import ArgumentParser
package import Foundation
package import SystemPackage
internal import ZoomPipeline

/// The destination of results: stdout, or a file that is written whole or not at all.
package enum Output {
  /// Writes text after escaping everything that could control a terminal.
  ///
  /// Nothing is written once a signal is ending the process, because it has also ended workers, whose cases
  /// then appear to have failed.
  package static func write(_ text: String, to path: FilePath?) throws {
    Interruption.yieldToSignal()
    if let path, !isSpecial(path) {
      try AtomicFile.write(Array(TerminalText.safe(text).utf8), to: path)
    } else {
      let stream = try open(path)
      defer { if path != nil { try? stream.close() } }
      try send(text, to: stream, named: path)
    }
  }

  /// Passes `body` a function that writes the result in parts; a file appears whole or not at all.
  static func stream<Result>(
    to path: FilePath?, _ body: (@escaping (String) throws -> Void) async throws -> Result
  ) async throws -> Result {
    guard let path, !isSpecial(path) else {
      // Opened once: a pipe's reader takes the end of the first part for the end of all.
      let stream = try open(path)
      defer { if path != nil { try? stream.close() } }
      return try await body {
        Interruption.yieldToSignal()
        try send($0, to: stream, named: path)
      }
    }
    var result: Result?
    try await AtomicFile.stream(to: path) { write in
      result = try await body { try write(Array(TerminalText.safe($0).utf8)) }
      Interruption.yieldToSignal()
    }
    guard let result else { preconditionFailure("a body that ends has a result") }
    return result
  }

  /// Opens a pipe or a device, which a rename would replace; returns stdout for nil.
  private static func open(_ path: FilePath?) throws -> FileDescriptor {
    guard let path else { return .standardOutput }
    do {
      return try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
    } catch {
      throw Failure(.cannotCreate, "\(path): write: \(error)")
    }
  }

  private static func send(
    _ text: String, to descriptor: FileDescriptor, named path: FilePath?
  ) throws {
    do {
      try descriptor.writeAll(Array(TerminalText.safe(text).utf8))
    } catch {
      // A reader that stops early (`| head`) is not a failure.
      if let errno = error as? Errno, errno == .brokenPipe { return }
      throw Failure(.outputFailed, "\(path?.string ?? "stdout"): write: \(error)")
    }
  }

  /// Returns a value as JSON with a line end, formatted for people and diffs by default.
  package static func json(
    _ value: some Encodable, _ encoder: JSONEncoder = .report
  ) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }

  /// Whether the path is an existing special file, such as `/dev/null`.
  private static func isSpecial(_ path: FilePath) -> Bool {
    FileManager.default.fileExists(atPath: path.string) && !FilePath.isFolder(path.string)
      && (try? FileVersion(of: path)) == nil
  }

  /// Throws if the path is a pipe or device, to which no picture can be written.
  static func checkRegular(_ path: FilePath) throws {
    guard !isSpecial(path) else {
      throw Failure(.cannotCreate, "\(path): write: it is not a regular file (name another)")
    }
  }

  /// Throws before any work is done if the file (nil for stdout) could not be written later, or is an input.
  ///
  /// - Throws: `Failure`, or a usage error for contradictory arguments.
  package static func checkWritable(_ path: FilePath?, sparing inputs: [FilePath] = []) throws {
    try checkWritable(path) { body in for input in inputs { try body(input) } }
  }

  /// Checks the output against a list of pictures that may not fit in memory.
  static func checkWritable(_ path: FilePath?, sparing pictures: PictureList) throws {
    try checkWritable(path, sparingEach: pictures.forEach)
  }

  private static func checkWritable(
    _ path: FilePath?, sparingEach forEach: ((FilePath) throws -> Void) throws -> Void
  ) throws {
    guard let path else { return }
    if let existing = try? FileVersion(of: path) {
      try forEach { input in
        guard (try? FileVersion(of: input)) == existing else { return }
        throw ValidationError("the output would write over the input \(path)")
      }
    }
    if FilePath.isFolder(path.string) {
      throw Failure(.cannotCreate, "\(path): write: it is a folder (name a file)")
    }
    if isSpecial(path) { return }
    try checkParent(of: path)
  }

  /// Throws before any work is done if a new folder could not be created at the path later.
  ///
  /// An empty folder may exist: the new one is made beside it and renamed over it.
  static func checkFolder(_ path: FilePath) throws {
    if FileManager.default.fileExists(atPath: path.string) {
      let content = try? FileManager.default.contentsOfDirectory(atPath: path.string)
      guard content?.isEmpty == true else {
        throw Failure(
          .cannotCreate, "\(path): write: the folder is not empty (name another, or empty it)")
      }
    }
    try checkParent(of: path)
  }

  private static func checkParent(of path: FilePath) throws {
    let name = path.removingLastComponent().string
    let parent = name.isEmpty ? "." : name
    guard FilePath.isFolder(parent), FileManager.default.isWritableFile(atPath: parent) else {
      throw Failure(
        .cannotCreate, "\(path): write: no such folder, or it cannot be written (make it first)")
    }
  }
}

extension JSONEncoder {
  /// JSON without line ends, for many raw samples, where one line per sample would be most of the file.
  package static var compact: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// JSON for people and diffs: sorted keys, unescaped slashes.
  package static var report: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
