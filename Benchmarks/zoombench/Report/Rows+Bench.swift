internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

extension RunResult.Environment {
  static func current() -> RunResult.Environment {
    RunResult.Environment(
      machine: .current(), libvips: VipsLibrary.version, libvipsHeaders: VipsLibrary.headerVersion,
      libvipsThreads: VipsLibrary.concurrency)
  }
}

extension RunResult.PictureFacts {
  init(_ picture: Picture, named name: String) {
    self.init(
      name: name, path: RemoteAddress.text(of: picture.path), width: picture.size.width,
      height: picture.size.height, byteCount: picture.version.length, format: picture.kind,
      facts: picture.facts)
  }
}

extension RunResult.Group {
  /// "375x375/warm": the nominal size of the peek in picture pixels, and the state of the file; for
  /// viewers, the script.
  var condition: String {
    guard let peek, let state else { return script ?? "" }
    return "\(peek.pixels)x\(peek.pixels)/\(state.rawValue)"
  }
}

extension RunResult {
  /// Adds a row for each source that refuses a picture under one condition but reads it under others.
  mutating func addRefusals(of picture: String) {
    let own = rows.filter { $0.picture == picture }
    let readers = Set(own.filter { $0.bench != nil }.compactMap(\.contender))
    for group in own.compactMap(\.group).unique.compactMap({ groups[$0] }) {
      rows += group.refusals.filter { readers.contains($0.source) }.map {
        Row($0.source, Row.Verdict(.refused, reason: $0.reason), at: picture, in: group)
      }
    }
  }

  /// The numbers of answers that were compared with naive's, and that differed from them.
  var agreement: (compared: Int, differing: Int) {
    let judged = rows.filter { $0.contender != "naive" && $0.bench?.isJudged == true }
    return (
      judged.compactMap(\.figures.answers).reduce(0, +),
      judged.compactMap(\.bench?.differing).reduce(0, +)
    )
  }

  /// The contenders that failed although naive did not, without duplicates.
  var failedContenders: [String] {
    rows.filter { $0.verdict.word == .failed }.compactMap(\.contender).unique
  }
}

extension [Row] {
  /// Computes the verdicts and figures of a benchmark's rows from their samples and counts; gains
  /// are relative to one contender.
  mutating func measure(against reference: String) {
    func samples(of contender: String) -> [String: [[UInt64]]] {
      let own = filter { $0.contender == contender }.map { ($0.group ?? "", $0.wall) }
      return Dictionary(own, uniquingKeysWith: { $1 })
    }
    let references = samples(of: reference)
    let floors = samples(of: FloorPipeline.name)
    for index in indices {
      self[index].figures = Row.Figures()
      guard let answers = self[index].bench, let group = self[index].group else {
        self[index].verdict.standing = self[index].verdict.word.standing
        continue
      }
      self[index].verdict = answers.verdict(of: self[index].contender)
      self[index].figures = Row.Figures(self[index], answers)
      self[index].figures.gain = references[group].flatMap {
        Row.Ratio($0, over: self[index].wall)
      }
      self[index].figures.timesFloor = floors[group].flatMap {
        Row.Ratio(self[index].wall, over: $0)
      }
    }
  }
}

extension Row.Answers {
  /// Whether a difference from naive's pixels is a finding.
  var isJudged: Bool { isExact || alike != nil }

  fileprivate func verdict(of contender: String?) -> Row.Verdict {
    if contender == "naive" { return Row.Verdict(.reference) }
    if differing == 0 { return Row.Verdict((alike?.count ?? 0) > 0 ? .alike : .agrees) }
    let count = agreed + (alike?.count ?? 0) + differing
    return Row.Verdict(
      isJudged ? .pixelsDiffer : .inexact,
      reason: "\(differing) of \(count) answers differ from naive's pixels")
  }
}

extension Row.Figures {
  fileprivate init(_ row: Row, _ answers: Row.Answers) {
    func doubles(_ launches: [[UInt64]]) -> [[Double]] {
      launches.map { $0.map { Double($0) } }
    }
    let delivered = Double(max(1, row.counters["pixels delivered"] ?? 0))
    func perPixel(_ counter: String) -> Double? {
      row.counters[counter].map { Double($0) / delivered }
    }
    self.init()
    setTimes(wall: doubles(row.wall), cpu: doubles(row.cpu))
    memory = row.counters["peak memory"].map { Double($0) }
    pixelsPerPixel = perPixel("pixels decoded")
    bytesPerPixel = perPixel("bytes read")
    agreed = answers.agreed + (answers.alike?.count ?? 0)
    self.answers = row.wall.reduce(0) { $0 + $1.count }
    seconds = row.wall.joined().reduce(0) { $0 + Double($1) } / 1e9
  }
}

extension Row.Ratio {
  /// Compares paired samples; with several launches, the interval is over launches.
  ///
  /// Nil if a sample was too short for the clock.
  fileprivate init?(_ numerators: [[UInt64]], over denominators: [[UInt64]]) {
    let launches = numerators.count > 1 ? numerators.map(\.count) : nil
    let ratio = try? PairedRatio(
      numerators: numerators.flatMap { $0 }, denominators: denominators.flatMap { $0 },
      launches: launches)
    guard let ratio else { return nil }
    self.init(ratio.ratio, ratio.interval, pairs: ratio.pairs)
  }
}

extension Row {
  /// Creates a row of a benchmark without samples.
  init(
    _ contender: String, _ verdict: Verdict, at picture: String, in group: RunResult.Group
  ) {
    self.init(
      name: "\(picture)/\(contender)/\(group.condition)",
      group: "\(picture)/\(group.condition)", picture: picture, contender: contender,
      verdict: verdict)
  }
}
