internal import ArgumentParser
internal import ForeignPipelines
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomLoad
internal import ZoomPipeline

/// Rates or numbers of viewers, such as `1,2,4`.
struct RateList: ExpressibleByArgument {
  let rates: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    rates = parts.compactMap { Double($0) }.filter { (0.01...LoadOptions.mostRate).contains($0) }
    if rates.count < parts.count { return nil }
  }
}

/// The steps and the viewers of a load.
struct LoadOptions: ParsableArguments, CustomStringConvertible {
  @Option(
    help: ArgumentHelp(
      "The bound for the time to full view, such as p99<500ms.", valueName: "bound"),
    transform: { text in
      if let bound = LoadBound(text) { return bound }
      throw ValidationError("--bound takes a percentile and a time, such as p95<1s or p99<500ms")
    })
  var bound = LoadBound.usual

  @Option(
    help: ArgumentHelp(
      "Only these rates, in views per second, comma-separated.", valueName: "list"))
  var rates: RateList?

  @Option(
    help: ArgumentHelp(
      "Instead of rates, numbers of viewers, each waiting for a full view.", valueName: "list"))
  var closed: RateList?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "Hold the one rate of --rates for a time, during which memory, threads and files must be flat.",
      valueName: "time"),
    transform: DurationArgument.init(parsing:))
  var soak: DurationArgument?

  @Flag(
    help: """
      At the one rate of --rates, compare one viewer of the largest picture and many of the others \
      with each being alone.
      """)
  var fair = false

  @Option(
    help: ArgumentHelp("The viewers' screen, with its pixels per point.", valueName: "WxH@K"),
    transform: { text in
      guard let given = ViewportArgument(argument: text) else {
        throw ValidationError("it is not a size such as 1280x800 or 375x667@2")
      }
      return try Screen(size: given.size, scale: given.scale).pixels
    })
  var screen = PixelRegion(uncheckedX: 0, y: 0, width: 1280, height: 800).size

  @Option(
    help: ArgumentHelp(
      "A gesture script, whose views at rest the viewers repeat (see replay).", valueName: "script")
  )
  var script: String?

  @Option(
    help: ArgumentHelp("The zoom system that plays the script.", valueName: "name"),
    transform: ZoomSystem.init(named:))
  var system = ZoomSystem.doubleTap

  @Option(
    help: ArgumentHelp(
      "The side of the tiles that are read from sources and programs; 0 for whole regions.",
      valueName: "px"))
  var tile = 512

  @Option(help: ArgumentHelp("The mean time between two views of a viewer.", valueName: "seconds"))
  var pause = 2.0

  @Option(
    help: ArgumentHelp(
      "The most requests at a time (default: 64; other machines: 6; programs: 4).", valueName: "n"))
  var connections: Int?

  @Option(
    help: ArgumentHelp("The shortest step.", valueName: "time"),
    transform: DurationArgument.init(parsing:))
  var step = DurationArgument(seconds: 10)

  @Option(help: "The seed of views and arrivals.")
  var seed: UInt64 = 1

  /// More views per second than a machine of this size can ask for.
  static let mostRate = 100_000.0
  /// The purpose of the steps of stated rates.
  static let ratePurpose = "rate"

  func validate() throws {
    let (isSoak, most) = (soak != nil, LoadSettings.mostViewers)
    let isOpen = rates != nil || isSoak || fair
    let isWhole = closed?.rates.allSatisfy { $0 == $0.rounded() && $0 <= Double(most) } ?? true
    let faults: [(Bool, String)] = [
      (closed != nil && isOpen, "--closed excludes --rates, --for and --fair"),
      ((isSoak || fair) && rates?.rates.count != 1, "--for and --fair need one rate: --rates 20"),
      (isSoak && fair, "--for excludes --fair"),
      // Until then, caches fill, which looks like a leak.
      ((soak?.seconds ?? 300) < 300, "--for must be at least 5m (--for 5m)"),
      (!isWhole, "--closed takes whole numbers up to \(most)"),
      (isSoak && tile == 0, "--for needs tiles: whole regions are kept until they are compared"),
      (tile != 0 && !(16...8192).contains(tile), "--tile must be 0 or 16...8192"),
      (!(0.01...3600).contains(pause), "--pause must be 0.01...3600 seconds"),
      (!(1...1024).contains(connections ?? 1), "--connections must be 1...1024"),
    ]
    for (isFault, text) in faults where isFault { throw ValidationError(text) }
  }

  func play(_ run: inout LoadRun, isRemote: Bool) {
    for viewers in closed?.rates ?? [] {
      run.step("closed", rate: nil, viewers: Int(viewers))
    }
    for rate in rates?.rates ?? [] {
      if fair { return run.fairness(rate: rate) }
      let isSoak = soak != nil
      run.step(
        isSoak ? "soak" : Self.ratePurpose, rate: rate, seconds: soak?.seconds, isSoak: isSoak)
    }
    if closed != nil || rates != nil { return }
    run.capacity(from: 2, most: isRemote ? Self.mostRemoteRate : Self.mostRate, repetitions: 3)
    let capacity = run.report.capacity?.center ?? 0
    // The tail of a server that is not at its limit.
    if capacity > 0 { run.step("half of the capacity", rate: capacity / 2) }
  }

  /// Refuses pictures on servers, which sources would load, too.
  static func refuseRemote(_ pictures: [String]) throws {
    if let address = pictures.first(where: { RemoteAddress.isName(FilePath($0)) }) {
      throw ValidationError(
        "\(address): name a local copy of the picture, which answers are compared with")
    }
  }

  /// The workload in words.
  var description: String {
    let views = script.map { "\($0) in \(system.rawValue)" } ?? "seed \(seed)"
    return "screen \(screen), tile \(tile), pause \(Format.number(pause)), step \(step), \(views)"
  }

  /// Opens pictures by a pipeline, and returns the settings of its load.
  ///
  /// All connections share a source of ours; programs have a process for each.
  func open(
    _ pipeline: any Pipeline, _ paths: [FilePath], _ limits: PictureLimits
  ) throws -> (subject: any LoadSubject, settings: LoadSettings) {
    let foreign = pipeline as? ForeignPipeline
    let few = foreign?.isRemote == true ? Self.mostRemoteConnections : 64
    let count = connections ?? (foreign?.runsHere == true ? 4 : few)
    let subject: any LoadSubject =
      if let foreign, !foreign.runsHere {
        try ServerSubject(foreign, paths, lanes: count, limits: limits)
      } else {
        try SourceSubject(
          pipeline, paths, tile: tile == 0 ? nil : try PixelSize(width: tile, height: tile),
          rows: foreign == nil ? 1 : count, limits: limits)
      }
    var settings = LoadSettings(bound: bound, model: .seeded(screen: screen))
    if let script {
      let gestures = try ScriptFile.load(script)
      settings.model = .scripted(
        try subject.pictures.map {
          try ViewerStream.views(of: gestures, system: system, picture: $0.size)
        })
    }
    (settings.pause, settings.seed) = (pause, seed)
    (settings.connections, settings.stepSeconds) = (count, step.seconds)
    return (subject, settings)
  }

  /// The highest rate, in views per second, and the most connections, those of one browser, for a server on another machine.
  static let (mostRemoteRate, mostRemoteConnections) = (2.0, 6)
}
