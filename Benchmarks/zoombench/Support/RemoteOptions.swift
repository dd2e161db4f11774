internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import SystemPackage
package import ZoomPipeline

/// The limits of commands that also read pictures on web servers.
package struct PictureLimitOptions: ParsableArguments {
  @OptionGroup var local: LimitOptions

  @OptionGroup var remote: RemoteOptions

  package init() {}

  var memory: Int? { local.memory }

  var loaders: LimitOptions.Loaders { local.loaders }

  /// Limits with their own budget, for all pictures of a run.
  package var limits: PictureLimits { share(of: 1) }

  /// Returns the limits of each of several concurrent jobs, whose memory does not depend on other jobs.
  func share(of jobs: Int) -> PictureLimits { share(of: jobs, remote.access) }

  /// The same limits with an access that the jobs share, so that connections stay open between pictures.
  func share(of jobs: Int, _ access: RemoteAccess) -> PictureLimits {
    let limits = local.share(of: jobs)
    return PictureLimits(memory: limits.memory, loaders: limits.loaders, remote: access)
  }
}

/// Access to pictures on web servers.
struct RemoteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file of header lines for the server of the pictures, such as \"Authorization: Bearer ...\".",
      valueName: "file"),
    transform: HeaderLines.init(file:))
  var headers: HeaderLines?

  @Option(
    help: ArgumentHelp(
      "The assumed time from a request to its answer, by which requests for remote pictures are planned.",
      valueName: "ms"))
  var latency = RemoteAccess.Settings().latency

  @Option(help: ArgumentHelp("The assumed bandwidth, for the same purpose.", valueName: "Mbit/s"))
  var bandwidth = RemoteAccess.Settings().bandwidth

  /// The addresses and headers that a command passes to its workers.
  @Option(help: .hidden, transform: RemoteState.init(file:))
  var remoteState: RemoteState?

  func validate() throws {
    // The bounds keep the model's products finite; a minute is longer than any answer may take.
    guard (0...60_000).contains(latency) else {
      throw ValidationError("--latency must be 0...60000 milliseconds")
    }
    guard (0.001...1_000_000).contains(bandwidth) else {
      throw ValidationError("--bandwidth must be 0.001...1000000 megabits per second")
    }
    try assertOneServer()
  }

  /// Throws if header lines would be sent to several servers, because they may hold a secret of one.
  ///
  /// The addresses of a list are known only after it was read.
  func assertOneServer() throws {
    guard headers?.lines.isEmpty == false, GivenAddresses.book.servers.count > 1 else { return }
    throw ValidationError(
      "--headers: the addresses have several servers, and the headers may be meant for one (run the "
        + "command once for each server)")
  }

  /// The state for a worker.
  var state: RemoteState {
    remoteState
      ?? RemoteState(
        settings: settings, headers: headers?.lines ?? [], addresses: GivenAddresses.book.entries)
  }

  /// A new access; pictures of one run should share it.
  var access: RemoteAccess {
    // The whole state would have a copy of all addresses.
    let lines = remoteState?.headers ?? headers?.lines ?? []
    let book =
      remoteState.map { RemoteAddressBook(entries: $0.addresses) } ?? GivenAddresses.book
    return RemoteAccess(settings, book) { HTTPRanges(headers: lines) }
  }

  private var settings: RemoteAccess.Settings {
    if let remoteState { return remoteState.settings }
    var settings = RemoteAccess.Settings()
    (settings.latency, settings.bandwidth) = (latency, bandwidth)
    return settings
  }
}

/// Header lines from a file: as an argument, other users could read them in the list of processes.
struct HeaderLines: Sendable {
  let lines: [String]

  /// The largest accepted file; servers refuse heads of more than some kilobytes.
  private static let mostBytes = 1 << 16

  init(file: String) throws {
    let text = String(
      decoding: try ResultFile.contents(of: file, limit: Self.mostBytes), as: UTF8.self)
    lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    for (number, line) in lines.enumerated() {
      let name = line.prefix { $0 != ":" }
      guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), name.count < line.count,
        !name.isEmpty, !name.contains(" ")
      else { throw ValidationError("\(file): line \(number + 1) is not a header, NAME: VALUE") }
      // With another range, version or coding, a right answer would look like a fault of the server.
      let isOurs =
        name.lowercased().hasPrefix("if-")
        || ["range", "host", "content-length", "accept-encoding"].contains(name.lowercased())
      guard !isOurs else {
        throw ValidationError("\(file): line \(number + 1): zoombench sets \(name) itself")
      }
    }
  }
}

/// The settings, headers and addresses by which a worker reads remote pictures.
///
/// They are passed in a file, because other users could read arguments.
struct RemoteState: Codable, Sendable {
  var settings: RemoteAccess.Settings
  var headers: [String]
  /// The addresses by name.
  var addresses: [String: String]

  init(settings: RemoteAccess.Settings, headers: [String], addresses: [String: String]) {
    (self.settings, self.headers, self.addresses) = (settings, headers, addresses)
  }

  init(file: String) throws {
    self = try JSONDecoder().decode(Self.self, from: try ResultFile.contents(of: file))
  }

  /// Writes a file and returns the arguments that name it; none if no picture is remote.
  static func arguments(
    _ options: RemoteOptions, for pictures: [NamedPicture], in scratch: FilePath
  ) throws -> [String] {
    guard pictures.contains(where: { RemoteAddress.isName($0.path) }) else { return [] }
    let file = scratch.appending("remote.json")
    try JSONEncoder().encode(options.state).write(to: URL(filePath: file.string))
    return ["--remote-state", file.string]
  }
}
