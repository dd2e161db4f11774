internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A way to reach a program, with what its kind needs.
enum ForeignAdapter: Sendable {
  case command(CommandTemplate)
  case worker(words: [String], IdleWorkers)
  /// The description of a tile pyramid, or a template of its tiles' addresses.
  case tiles(String)
  /// A server of the IIIF Image API, versions 2 and 3: `http://host/iiif/{name}`.
  case iiif(String)
  /// A server whose addresses name regions: `http://host/crop/{x}x{y}:{right}x{bottom}/{name}`.
  case http(String)

  /// Parses what follows the kind in the description of the pipeline `name`.
  init(
    _ kind: ForeignPipeline.Kind, _ what: String, of name: String
  ) throws(PipelineArgumentError) {
    guard !what.isEmpty else { throw PipelineArgumentError("\(name): nothing follows '\(kind):'") }
    let words =
      kind == .command ? try CommandTemplate.split(what).filter { !$0.contains(" ") } : [what]
    if let known = Placeholders.names[kind],
      let unknown = words.lazy.compactMap({ Placeholders.unknown(in: $0, known) }).first
    {
      let names = known.map { "{\($0)}" }.joined(separator: ", ")
      throw PipelineArgumentError("\(name): the placeholder {\(unknown)} is unknown (use \(names))")
    }
    switch kind {
    case .command: self = .command(try CommandTemplate(what))
    case .worker: self = .worker(words: try CommandTemplate.split(what), IdleWorkers())
    case .tiles: self = .tiles(what)
    case .iiif, .http:
      guard HTTPClient.isAddress(what) else {
        throw PipelineArgumentError(
          "\(name): '\(what)' is not an address (it begins with http:// or https://)")
      }
      self = kind == .iiif ? .iiif(what) : .http(what)
    }
  }

  /// The way in which the program is reached, in one line.
  var summary: String {
    switch self {
    case .command(let template): "run \(template.words[0]) for each region"
    case .worker(let words, _): "ask a process: \(words.joined(separator: " "))"
    case .tiles(let place): "put tiles together: \(place)"
    case .iiif(let base): "ask an IIIF server: \(base)"
    case .http(let template): "ask a server: \(template)"
    }
  }

  /// The program that is run on this machine; nil if none is.
  var program: String? {
    switch self {
    case .command(let template): template.words[0]
    case .worker(let words, _): words[0]
    case .tiles, .iiif, .http: nil
    }
  }

  /// The address of a server, with its placeholders; nil for programs, and for tiles in a folder.
  var address: String? {
    switch self {
    case .tiles(let place) where HTTPClient.isAddress(place): place
    case .iiif(let address), .http(let address): address
    case .command, .worker, .tiles: nil
    }
  }

  /// The address of the picture service that offers a file; nil unless it is an IIIF server.
  func service(of file: FilePath) -> String? {
    guard case .iiif(let base) = self else { return nil }
    return Placeholders.fill(base, Placeholders.values(of: file), encoded: true)
  }

  func open(_ session: ForeignSession) throws(PipelineError) -> any ForeignConnection {
    let file = session.picture.path
    switch self {
    case .command(let template): return try CommandConnection(template, session)
    case .worker(let words, let idle):
      let isWatched = session.observations.watchesMemory
      let connection = WorkerConnection(words, session, isWatched ? IdleWorkers() : idle)
      try connection.start(until: session.options.deadline())
      return connection
    case .tiles(let place): return try TilesConnection(place, session)
    case .iiif:
      let service = service(of: file) ?? ""
      let information = try IIIFInformation(service, session)
      // The size, the best format offered and the word for the full size are all that matters.
      let ending = "/\(information.fullSize)/0/default.\(information.format)"
      return try HTTPConnection(session) { region in
        "\(service)/\(region.x),\(region.y),\(region.width),\(region.height)" + ending
      }
    case .http(let template):
      return try HTTPConnection(session) { region in
        Placeholders.fill(template, Placeholders.values(region, of: file), encoded: true)
      }
    }
  }
}

/// A picture that a program reads, with the options and the observations of its pipeline.
struct ForeignSession: Sendable {
  let picture: Picture
  let options: ForeignOptions
  let observations: ForeignObservations

  /// The size of the picture in which regions are requested.
  var size: PixelSize { options.isUpright ? picture.size : picture.storedSize }

  func client() throws(PipelineError) -> HTTPClient {
    do { return try HTTPClient(headers: options.headers) } catch {
      throw self.error(error.reason, .fault, "open")
    }
  }

  func error(
    _ reason: String, _ code: PipelineError.Code = .misbehaved, _ operation: String = "read",
    advice: String? = nil
  ) -> PipelineError {
    PipelineError(code, operation: operation, file: picture.path, reason: reason, advice: advice)
  }

  /// Returns the failure of a program or an address, `speaker`, as an error of reading the picture.
  func error(_ failure: AnswerFailure, of speaker: String) -> PipelineError {
    error("\(speaker): \(failure.reason)", failure.code, advice: failure.advice)
  }
}

/// A connection that requests regions of one picture; used by one thread at a time.
protocol ForeignConnection: AnyObject, Sendable {
  /// The state that the connection keeps between two answers.
  var state: SourceState { get }
  /// Requests a region at 1:1, as the file stores it, or upright with the option `upright`.
  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer
  /// Frees everything that the next request can set up again.
  func forget()
}

extension ForeignConnection {
  func forget() {}
}

struct ForeignAnswer: Sendable {
  var pixels: Pixels
  var isLossy = false
}
