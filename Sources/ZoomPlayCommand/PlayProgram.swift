internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline
internal import ZoomPlay
internal import zoombench

/// `zoombench-play`, which `zoombench play` starts: serves an interactive page.
@main
struct PlayProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zoombench-play",
    abstract: "Press, pinch and double-tap pictures on a page in the browser.",
    discussion: """
      Serves one page on this machine, until Ctrl-C: any of the five zoom systems, as published and \
      corrected, side by side, live at the screen's rate, with what each source takes for each frame. \
      Gestures are recorded as scripts, scripts are played step by step, and with --replay a \
      counterexample that verify found opens at the step where it goes wrong.

      Examples:
        zoombench play photo.jpg --open
        zoombench play --pictures forest,pharmacy --record-to gestures
      """)

  static func main() async { await CommandProgram.run(PlayProgram.self) }

  static let tokenVariable = "ZOOMBENCH_TOKEN"

  @OptionGroup var chosen: PictureOptions

  @Option(help: "The port; 0 for any that is free.")
  var port = 8765

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Option(
    help: ArgumentHelp(
      "Listen on another address of this machine, such as 0.0.0.0, for other machines to open the page.",
      valueName: "ip"))
  var address: String?

  @Option(
    help: ArgumentHelp(
      "The token in the page's address (default: that of \(PlayProgram.tokenVariable), or a random one).",
      valueName: "word"))
  var token: String?

  @Flag(help: "Let every user and program of this machine open the page, without a token.")
  var noToken = false

  @Option(
    help: ArgumentHelp(
      "A page of your own that may open sessions, such as http://localhost:3000. Repeat it for several.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      "A folder in which the page may save gesture scripts.", valueName: "folder"))
  var recordTo: String?

  @Option(help: ArgumentHelp("The law of a counterexample to open.", valueName: "name"))
  var law: String?

  @Option(help: ArgumentHelp("What breaks it, such as 'peek original'.", valueName: "name"))
  var subject: String?

  @Option(help: ArgumentHelp("The counterexample's token, from a report.", valueName: "token"))
  var replay: String?

  @OptionGroup var programs: PipelineOptions

  @OptionGroup var indexes: IndexOptions

  @OptionGroup var limits: LimitOptions

  @OptionGroup var location: CorpusLocation

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be 0...65535") }
    guard !noToken || (token == nil && address == nil) else {
      throw ValidationError("--no-token excludes --token and --address")
    }
    if let token = chosenToken {
      // Other characters would need escaping in a URL.
      guard token.utf8.count >= 16,
        token.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 }),
        token.allSatisfy({ $0.isLetter || $0.isNumber })
      else {
        let name = self.token == nil ? Self.tokenVariable : "--token"
        throw ValidationError("\(name) takes at least 16 letters and digits")
      }
    }
    for origin in allowOrigin {
      // A browser's spelling: only scheme, host and port.
      let parts = URLComponents(string: origin)
      guard let parts, ["http", "https"].contains(parts.scheme), parts.host != nil,
        parts.path.isEmpty,
        parts.query == nil, parts.fragment == nil, parts.user == nil
      else {
        throw ValidationError("--allow-origin takes an origin such as http://localhost:3000")
      }
    }
    guard (law == nil) == (subject == nil), replay == nil || law != nil else {
      throw ValidationError("a counterexample is named by --law, --subject and --replay")
    }
    try OutputOptions.check(recordTo, of: "--record-to", needs: "a folder's name")
  }

  func run() async throws {
    let pictures = try await chosen.find(
      standard: Self.standardPictures, in: location, limits.limits, isQuiet: true, opensNamed: true)
    let temporary = try ScratchFolder.forAllTemporaryFiles()
    defer { temporary.remove() }
    let pipelines = StandardPipelines(limits: limits.limits, indexes: try indexes.places())
    let foreign = try programs.installed(limits.limits)
    let opener = PictureOpener(pipelines, foreign)
    let limits = pipelines.limits
    let folder = try recordTo.map { try GestureFolder(FilePath($0)) }
    let library = PlayLibrary(
      pictures: pictures.map { Self.entry($0, opener, limits) },
      sources: Self.sources(pipelines, foreign), foreign: Set(foreign.map(\.name)),
      scripts: try CorpusGestures.names.compactMap { name in
        guard let script = try CorpusGestures.named(name),
          let system = CorpusGestures.system(of: name)
        else { return nil }
        return (name: name, system: system, script: script)
      },
      memory: limits.memory,
      findCase: { try await FoundCases.find($0) },
      save: folder.map { folder in { @Sendable script, name in try folder.save(script, as: name) } }
    )
    let settings = PlayServer.Settings(
      host: address ?? "127.0.0.1", port: port,
      token: chosenToken ?? (noToken ? nil : Self.randomToken()), origins: allowOrigin)
    let server = try await listen(library, settings)
    let page = server.address + fragment
    try Output.write("press on \(page) (Ctrl-C ends it)\n", to: nil)
    if open { try openInBrowser(page, through: temporary.path.appending("open.html")) }
    try await server.run()
  }

  private func listen(
    _ library: PlayLibrary, _ settings: PlayServer.Settings
  ) async throws -> PlayServer {
    do {
      return try await PlayServer(library, settings)
    } catch {
      throw Failure(
        .unavailable,
        "play: cannot listen on \(settings.host) port \(settings.port): \(error)"
          + " (another program may have the port: try --port 0)")
    }
  }

  /// Returns a picture as pages open it, with the automatic source or the named one.
  static func entry(
    _ picture: NamedPicture, _ opener: PictureOpener, _ limits: PictureLimits
  ) -> PlayLibrary.Entry {
    PlayLibrary.Entry(
      name: picture.name, version: { try? FileVersion(of: picture.path) },
      open: { try opener.open(try Picture(picture.path, limits: limits), by: $0).source })
  }

  /// The token of the command line, or else of the environment; nil with `--no-token` or without a token.
  private var chosenToken: String? {
    noToken ? nil : token ?? ProcessInfo.processInfo.environment[Self.tokenVariable]
  }

  /// Returns the names of the selectable sources, automatic first.
  static func sources(_ pipelines: StandardPipelines, _ foreign: [ForeignPipeline]) -> [String] {
    let others = pipelines.names.filter { $0 != "automatic" }
    return ["automatic"] + others + foreign.map(\.name)
  }

  /// The fragment of the page's URL, which names the counterexample to open.
  private var fragment: String {
    guard let law, let subject else { return "" }
    var parts = URLComponents()
    parts.queryItems =
      [URLQueryItem(name: "law", value: law), URLQueryItem(name: "subject", value: subject)]
      + (replay.map { [URLQueryItem(name: "replay", value: $0)] } ?? [])
    return "#" + (parts.percentEncodedQuery ?? "").replacing("+", with: "%2B")
  }

  private static func randomToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
      .padding(toLength: 24, withPad: "z", startingAt: 0)
  }

  /// Opens the page in the desktop's browser, if any; the address has been printed already.
  ///
  /// All users can see a program's arguments, so the browser gets a file that only this user can read.
  private func openInBrowser(_ page: String, through file: FilePath) throws {
    let target = Escape.xml(page)
    let redirection =
      "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=\(target)\">\n"
    let descriptor = try FileDescriptor.open(
      file, .writeOnly, options: [.create, .exclusiveCreate],
      permissions: [.ownerRead, .ownerWrite])
    _ = try descriptor.closeAfter { try descriptor.writeAll(redirection.utf8) }
    #if os(macOS)
      let browser = "open"
    #else
      let browser = "xdg-open"
    #endif
    let command = WorkerCommand(
      label: browser, executable: "/bin/sh",
      arguments: ["-c", "exec \"$0\" \"$1\" </dev/null >/dev/null 2>&1", browser, file.string])
    do { try SpawnedProcess.startDetached(command) } catch {
      Diagnostics.say("play: no browser was found: open the page")
    }
  }

  /// The pictures of the corpus that resemble photographs.
  private static let standardPictures = ["petronas", "forest", "pharmacy"]
}
