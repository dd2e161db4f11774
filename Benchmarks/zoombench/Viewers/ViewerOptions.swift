internal import ArgumentParser
internal import SystemPackage
internal import ZoomLaws
internal import ZoomViewers

struct ViewerSettings: ParsableArguments {
  @Option(help: "The headless Chromium for viewers. Also ZOOMBENCH_BROWSER.")
  var browser: String?

  @Option(
    help: """
      The schemes that viewers read, comma-separated: plain, dzi (the default), iiif2, iiif1, \
      iiif0, zoomify, xyz.
      """)
  var tiles: NameList?

  @Option(
    help: """
      Device pixel ratios for viewers, comma-separated (default: 1,1.25,1.5,2,3 for laws, 1 for \
      times).
      """)
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
    try ratios?.names.map { name in
      // Chromium draws a quarter to four times.
      guard let ratio = Double(name), (0.25...4).contains(ratio) else {
        throw ValidationError("--ratios: '\(name)' is not a number from 0.25 to 4")
      }
      return ratio
    } ?? standard
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

/// A viewer as the command line describes it: NAME=PAGE.
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
  /// Creates the failure of a viewer that cannot be tested, or of the browser.
  init(_ failure: ViewerFailure, of viewer: String? = nil) {
    self.init(
      failure.ofMachine == nil ? .badInput : .unavailable,
      "--viewer\(viewer.map { " \($0)" } ?? ""): \(failure)")
  }
}
