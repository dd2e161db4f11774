internal import ArgumentParser
internal import PropertyTesting
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomViewers

struct ViewerTrials {
  private(set) var suites: [VerifyCatalogue.ChosenSuite] = []
  private(set) var subjects: [ViewerSubject] = []
  private(set) var contenders: [RunResult.Contender] = []

  static let laws = ViewerLaws.all.map(\.name) + GestureLaws.shared.sorted()

  /// Opens the pages and measures their traits; throws without a browser, or if a page cannot be tested.
  init(_ options: ViewerOptions, isQuiet: Bool) throws {
    guard !options.isEmpty else { return }
    let settings = options.settings
    let ratios = try settings.chosenRatios(otherwise: WebViewer.ratios)
    let entries = try options.named.map { try ViewerEntry($0.name, page: $0.page) }
    let browser = try settings.foundBrowser()
    let bar = ProgressBar(isQuiet: isQuiet)
    defer { bar.finish() }
    for (each, entry) in zip(options.named, entries) {
      bar.announce("measuring the traits of \(each.name)")
      let start = ContinuousClock.now
      let viewer = WebViewer(entry, schemes: try settings.schemes(), browser: browser)
      let subject: ViewerSubject
      do throws(ViewerFailure) {
        subject = try viewer.subject(ratios: ratios, sizes: WebViewer.sizes)
      } catch { throw Failure(error, of: each.name) }
      let seconds = Int(start.duration(to: .now) / .seconds(1))
      bar.announce("measured the traits of \(each.name) in \(seconds) s: \(subject.traits.inWords)")
      let trial = ViewerTrial(viewer: viewer, subject: subject)
      suites += LawCatalogue.suites(of: subject).map { suite in
        VerifyCatalogue.ChosenSuite(
          suite: suite, kind: .viewer, name: each.name,
          selection: ["--viewer", "\(each)"] + settings.arguments, viewer: trial)
      }
      subjects.append(subject)
      contenders.append(RunResult.Contender(name: each.name, kind: .viewer, tool: browser.version))
    }
  }

  func close() { for suite in suites { suite.viewer?.viewer.close() } }
}

extension ViewerTraits {
  /// The gestures with and without an effect: "drag by mouse, no pinch, wheel, flick, no double tap".
  var inWords: String {
    guard isRecognised else { return "the picture is not recognised" }
    return [
      ("drag by mouse", drags), ("pinch", pinches), ("wheel", wheelFactor != nil),
      ("flick", flicks), ("double tap", taps),
    ].map { $1 ? $0 : "no \($0)" }.joined(separator: ", ")
  }
}

/// A viewer whose breaches are seen again in new browser contexts, and filmed.
struct ViewerTrial: Sendable {
  let viewer: WebViewer
  let subject: ViewerSubject

  /// Returns the indices of the breaches that occur again in two new browser contexts; at least one is tried, even
  /// after the time: it takes two plays.
  func confirmed(_ report: LawReport, _ settings: PropertySettings) async -> [Int] {
    var fresh = subject
    fresh.play = subject.playFresh
    // The traits themselves break this law.
    if report.law == "W-S2", let traits = try? viewer.traits(fresh: true) { fresh.traits = traits }
    let trials = LawCatalogue.suites(of: fresh).flatMap(\.trials)
    guard let trial = trials.first(where: { $0.law == report.law }) else { return [] }
    var confirmed: [Int] = []
    for (index, breach) in report.breaches.enumerated() {
      if !confirmed.isEmpty, settings.end.map({ .now >= $0 }) ?? false { break }
      guard (breach.error as? ViewerFailure)?.ofMachine == nil, let token = breach.token else {
        continue
      }
      var again = settings
      (again.reproducing, again.phases) = ([token], [.reuse])
      (again.timeBudget, again.end) = (nil, nil)
      var occurs = true
      for _ in 1...2 where occurs {
        occurs = await trial.check(again).breaches.contains { $0.origin == breach.origin }
      }
      if occurs { confirmed.append(index) }
    }
    return confirmed
  }

  /// Plays a breach once more, writes its film strip and an animation beside it, and returns the strip's path; nil if
  /// the breach holds nothing to play, or the page cannot be played again.
  func film(_ breach: LawReport.Breach, to path: FilePath) throws -> String? {
    let gesture = breach.gesture.map { ViewerCase(gesture: $0, tiles: subject.kinds[0]) }
    var frames: [FilmFrame] = []
    guard let each = breach.viewerCase ?? gesture,
      (try? viewer.play(each, recording: { frames.append($0) })) != nil, !frames.isEmpty
    else { return nil }
    let film = ViewerFilm(of: each, frames, breach: breach.error as? SightBreach)
    try film.writeStrip(to: path)
    var animation = path
    animation.extension = "webp"
    try film.writeAnimation(to: animation)
    return path.string
  }
}

struct ViewerSettings: ParsableArguments {
  @Option(help: "The headless Chromium for viewers. Also ZOOMBENCH_BROWSER.")
  var browser: String?

  @Option(
    help: """
      The schemes that viewers read, comma-separated: plain, dzi (the default), iiif2, iiif1, \
      iiif0, zoomify, xyz.
      """)
  var tiles: NameList?

  @Option(help: "Device pixel ratios for viewers (default: 1,1.25,1.5,2,3 for laws, 1 for times).")
  var ratios: NameList?

  func validate() throws { _ = try (schemes(), chosenRatios(otherwise: [])) }

  var arguments: [String] {
    let given: [(name: String, value: String?)] = [
      ("--browser", browser), ("--tiles", tiles?.description), ("--ratios", ratios?.description),
    ]
    return given.flatMap { name, value in value.map { [name, $0] } ?? [] }
  }

  func schemes() throws -> [TileScheme] {
    try (tiles?.names ?? ["dzi"]).flatMap { name in
      guard let kind = TileScheme.Kind(rawValue: name) else {
        let known = TileScheme.Kind.allCases.map(\.rawValue)
        throw ValidationError(no: "scheme", named: name, known: known)
      }
      return TileScheme.tried.filter { $0.kind == kind }
    }
  }

  func chosenRatios(otherwise standard: [Double]) throws -> [Double] {
    guard let names = ratios?.names else { return standard }
    // Chromium draws a quarter to four times.
    let found = names.compactMap { Double($0) }.filter { (0.25...4).contains($0) }
    guard Set(found).count == names.count else {
      throw ValidationError("--ratios takes different numbers from 0.25 to 4, such as 1,1.5")
    }
    return found
  }

  func foundBrowser() throws(ViewerFailure) -> BrowserCommand {
    try BrowserCommand.find(browser.map { FilePath($0) })
  }
}

struct ViewerOptions: ParsableArguments {
  @Option(
    name: .customLong("viewer"),
    help: ArgumentHelp(
      """
      A web viewer: NAME=PAGE, where PAGE is an HTML file, a folder with an index.html, or an \
      address. {picture} in it is replaced by the picture's address. Repeat it for several.
      """, valueName: "viewer"), transform: NamedViewer.init(_:))
  var named: [NamedViewer] = []

  @OptionGroup var settings: ViewerSettings

  var isEmpty: Bool { named.isEmpty }

  func validate() throws {
    if Set(named.map(\.name)).count < named.count {
      throw ValidationError("--viewer: two viewers have one name (name them apart)")
    }
    if isEmpty, let option = settings.arguments.first {
      throw ValidationError("\(option) is for --viewer")
    }
  }
}

struct NamedViewer: Hashable, CustomStringConvertible {
  let name, page: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw ValidationError("'\(text)' lacks a name or a page (write NAME=PAGE)")
    }
    (name, page) = (parts[0], parts[1])
  }

  var description: String { "\(name)=\(page)" }
}

extension Failure {
  init(_ failure: ViewerFailure, of viewer: String? = nil) {
    let status: ExitStatus =
      switch failure {
      case .pageFailed, .ended: .badInput
      case .cannotStart, .protocol: .unavailable
      case .picture, .cancelled: .fault
      }
    self.init(status, "--viewer\(viewer.map { " \($0)" } ?? ""): \(failure)")
  }
}
