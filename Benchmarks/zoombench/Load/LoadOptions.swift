internal import ArgumentParser
internal import ForeignPipelines
internal import ZoomGeometry
internal import ZoomLoad

/// Rates or numbers of viewers, such as `1,2,4`.
struct RateList: ExpressibleByArgument {
  let rates: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    rates = parts.compactMap { Double($0) }
    guard rates.count == parts.count, rates.allSatisfy({ (0.01...LoadShape.mostRate).contains($0) })
    else { return nil }
  }
}

/// The steps of a load.
struct LoadShape: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The bound for the time to full view, such as p99<500ms.", valueName: "bound"),
    transform: { text in
      guard let bound = LoadBound(text) else {
        throw ValidationError("--bound takes a percentile and a time, such as p95<1s or p99<500ms")
      }
      return bound
    })
  var bound = LoadBound.usual

  @Option(
    help: ArgumentHelp(
      "Only these rates, in views per second, comma-separated.", valueName: "list"))
  var rates: RateList?

  @Option(
    help: ArgumentHelp(
      "Instead of rates, numbers of viewers, each waiting for a full view.",
      valueName: "list"))
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

  @Option(help: "The number of searches for the capacity.")
  var repetitions = 3

  /// More views per second than a machine of this size can ask for.
  static let mostRate = 100_000.0
  /// The seconds of the shortest soak.
  private static let shortestSoak = 300.0
  /// The first rate of a search.
  private static let firstRate = 2.0

  func validate() throws {
    if closed != nil, rates != nil || soak != nil || fair {
      throw ValidationError("--closed excludes --rates, --for and --fair")
    }
    if soak != nil || fair {
      guard rates?.rates.count == 1, soak == nil || !fair else {
        throw ValidationError("--for and --fair need one rate: --rates 20, and exclude each other")
      }
    }
    if let soak, soak.seconds < Self.shortestSoak {
      throw ValidationError(
        "--for must be at least 5m: before, caches fill, which looks like a leak")
    }
    let mostViewers = Double(LoadSettings.mostViewers)
    if closed?.rates.contains(where: { $0 != $0.rounded() || $0 > mostViewers }) == true {
      throw ValidationError("--closed takes whole numbers up to \(LoadSettings.mostViewers)")
    }
    guard (1...100).contains(repetitions) else {
      throw ValidationError("--repetitions must be 1...100")
    }
  }

  /// Plays the steps; `progress` is called after each.
  func play(
    _ run: inout LoadRun, most: Double, progress: (LoadStep) -> Void
  ) -> (capacity: LoadCapacity?, fairness: LoadFairness?) {
    if let closed {
      for viewers in closed.rates {
        progress(run.step("closed", .closed, viewers: Int(viewers)))
      }
      return (nil, nil)
    }
    guard let rates = rates?.rates else {
      let capacity = run.capacity(
        from: min(Self.firstRate, most), most: most, repetitions: repetitions, progress: progress)
      // The tail of a server that is not at its limit.
      if capacity.center > 0 {
        progress(run.step("half of the capacity", .open(rate: capacity.center / 2)))
      }
      return (capacity, nil)
    }
    if fair { return (nil, run.fairness(rate: rates[0], progress: progress)) }
    for rate in rates {
      progress(
        run.step(
          soak == nil ? "rate" : "soak", .open(rate: rate), seconds: soak?.seconds,
          reads: soak != nil))
    }
    return (nil, nil)
  }
}

/// The viewers of a load.
struct LoadWorkload: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The viewers' screen, with its pixels per point (default: 1280x800).", valueName: "WxH@K"))
  var screen: ViewportArgument?

  @Option(
    help: ArgumentHelp(
      "A gesture script, whose views at rest the viewers repeat (see replay).", valueName: "script")
  )
  var script: String?

  @Option(
    help: ArgumentHelp("The zoom system that plays the script.", valueName: "name"),
    transform: { text in
      guard let system = ZoomSystem(rawValue: text) else {
        throw ValidationError(
          no: "zoom system", named: text, known: ZoomSystem.allCases.map(\.rawValue))
      }
      return system
    })
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
      "The most requests at a time (default: 64, or 4 processes of a program).", valueName: "n"))
  var connections: Int?

  @Option(
    help: ArgumentHelp("The shortest step.", valueName: "time"),
    transform: DurationArgument.init(parsing:))
  var step = DurationArgument(seconds: 10)

  @Option(help: "The seed of views and arrivals.")
  var seed: UInt64 = 1

  func validate() throws {
    guard tile == 0 || (16...8192).contains(tile) else {
      throw ValidationError("--tile must be 0 or 16...8192")
    }
    guard (0.01...3600).contains(pause) else {
      throw ValidationError("--pause must be 0.01...3600 seconds")
    }
    guard (1...1024).contains(connections ?? 1) else {
      throw ValidationError("--connections must be 1...1024")
    }
    do { _ = try screenPixels } catch { throw ValidationError("--screen: \(error)") }
  }

  private var screenPixels: PixelSize {
    get throws(GeometryError) {
      guard let screen else { return try PixelSize(width: 1280, height: 800) }
      return try Screen(size: screen.size, scale: screen.scale).pixels
    }
  }

  /// The size of tiles; nil for whole regions.
  var tileSize: PixelSize? {
    get throws { tile == 0 ? nil : try PixelSize(width: tile, height: tile) }
  }

  func settings(
    _ bound: LoadBound, for pictures: [TileGrid], _ connections: Int
  ) throws -> LoadSettings {
    let model: ViewerStream.Model
    if let script {
      let gestures = try ScriptFile.load(script)
      model = .scripted(
        try pictures.map {
          try ViewerStream.views(of: gestures, system: system, picture: $0.size)
        })
    } else {
      model = .seeded(screen: try screenPixels)
    }
    var settings = LoadSettings(bound: bound, model: model)
    (settings.pause, settings.connections, settings.seed) = (pause, connections, seed)
    settings.stepSeconds = step.seconds
    return settings
  }
}
