internal import ArgumentParser
internal import ForeignPipelines
internal import IIIFRules
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The choice of subjects and laws by options.
extension VerifyCommand {
  /// Returns the chosen suites, by default for all systems and exact sources, and the omissions.
  func choices(_ sources: [any Pipeline]) async throws -> Chosen {
    let choices = try suitesOfNumbers()
    guard !sources.isEmpty else { return Chosen(suites: choices) }
    let pictures = try await pictures()
    let end = seconds.map { ContinuousClock.now.advanced(by: .seconds($0)) }
    if let end {
      for case let program as ForeignPipeline in sources { program.endAnswers(at: end) }
    }
    let servers = try ServerTrial.trials(
      sources.compactMap { $0 as? ForeignPipeline }, pictures: pictures)
    if asksForRulesOnly {
      return Chosen(servers: servers.trials, leftOut: servers.leftOut, end: end)
    }
    let found = try VerifyCatalogue.sources(
      sources, pictures: pictures, areNamed: !chosen.isEmpty || collection.list != nil)
    return Chosen(
      suites: choices + found.choices, servers: servers.trials,
      leftOut: servers.leftOut + found.leftOut, findings: found.findings, end: end)
  }

  /// Returns the suites of the chosen systems, and of arithmetic if nothing is chosen.
  func suitesOfNumbers() throws -> [VerifyCatalogue.ChosenSuite] {
    if systems == nil && (isAboutPixels || !viewers.isEmpty) { return [] }
    let chosen = try systems.map { try $0.names.map(ZoomSystem.init(named:)) }
    let suites = VerifyCatalogue.systems(
      chosen ?? ZoomSystem.allCases, form: original ? .original : .corrected)
    return suites + (chosen == nil && !original ? [VerifyCatalogue.arithmetic] : [])
  }

  /// Returns why the named laws, by default all, cannot be tried on the chosen ones of some viewers.
  func lacks(of viewers: [ViewerSubject]) -> [String] {
    let names = (laws?.names ?? ViewerTrials.laws).filter(ViewerTrials.laws.contains)
    return viewers.filter { subject == nil || $0.name == subject }.flatMap { viewer in
      names.compactMap { law in
        ViewerLaws.lack(of: viewer, for: law).map { "\(law) on \(viewer.name): needs \($0)" }
      }
    }
  }

  struct Chosen {
    var suites: [VerifyCatalogue.ChosenSuite] = []
    var servers: [ServerTrial] = []
    /// The sources that did not try a picture, with reasons.
    var leftOut: [String] = []
    /// Findings known before any law is tried: programs that cannot open a picture.
    var findings: [VerifyReport.LawRow] = []
    /// The end of the run; nil before the run begins, or without a time limit.
    var end: ContinuousClock.Instant?
  }

  /// Returns the servers whose rules are tried; none if only laws are named.
  func servers(of chosen: Chosen) throws -> [ServerTrial] {
    let names = laws?.names ?? []
    guard names.isEmpty || names.contains(where: { $0.hasPrefix(ServerTrial.prefix) }) else {
      return []
    }
    let known = Set(IIIFRule.allCases.map(\.id) + [ServerTrial.prefix])
    for name in names where name.hasPrefix(ServerTrial.prefix) && !known.contains(name) {
      throw ValidationError(no: "rule", named: name, known: IIIFRule.allCases.map(\.id))
    }
    let servers = chosen.servers.filter { trial in
      subject == nil || trial.subject == subject
    }
    if asksForRulesOnly && servers.isEmpty, let first = chosen.leftOut.first {
      throw Failure(.badInput, first)
    }
    if asksForRulesOnly && servers.isEmpty {
      throw ValidationError("rules are for IIIF servers (name one with --pipeline NAME=iiif:URL)")
    }
    return servers
  }

  /// Whether pictures, sources or programs are named.
  var isAboutPixels: Bool {
    sources != nil || !chosen.isEmpty || !foreign.isEmpty || collection.list != nil
  }

  /// Returns the sources to try, none if only systems are named.
  ///
  /// Each has its own pipelines with a share of the memory, because several run at the same time.
  func chosenSources() throws -> [(name: String, pipelines: StandardPipelines)] {
    guard isAboutPixels || (systems == nil && !original && viewers.isEmpty) else { return [] }
    let known = StandardPipelines(limits: limits.limits)
    for name in sources?.names ?? [] where known.named(name) == nil {
      throw ValidationError(noSourceNamed: name, among: known.names)
    }
    let standard = known.all.filter(\.isExact).map(\.name)
    // If other programs are named, our own sources are tried only if they are named too.
    let names = sources?.names ?? (foreign.isEmpty ? standard : [])
    let places = try indexes.places(otherwise: .served)
    return names.map { name in
      (name, StandardPipelines(limits: limits.share(of: min(jobs, names.count)), indexes: places))
    }
  }

  /// Returns the pipelines of sources and programs, in the colours that are asked for.
  func pipelines(
    _ sources: [(name: String, pipelines: StandardPipelines)], _ programs: [ForeignPipeline]
  ) throws -> [any Pipeline] {
    try colour.check(programs)
    let own: [any Pipeline] = sources.compactMap { source in
      source.pipelines.reader(named: source.name)?.converting(to: colour.target)
    }
    return own + programs
  }

  /// Returns the named pictures, or by default some small ones of the corpus.
  ///
  /// A replay of a single case uses none unless they are named.
  private func pictures() async throws -> [NamedPicture] {
    if !collection.isEmpty {
      var found: [NamedPicture] = []
      let paths = try collection.paths(chosen.named, limits.remote) { names in
        try PictureFinder.find(names, opensNamed: false).map(\.path)
      }
      try paths.forEach { found.append(NamedPicture($0)) }
      return found
    }
    let found = try await chosen.find(
      standard: replay != nil ? [] : Self.standardPictures, in: location,
      limits.limits, isQuiet: quiet)
    // The files of a folder are known only after the search.
    try Output.checkWritable(output.path, sparing: found.map(\.path))
    return found
  }

  /// One picture for each coding that sources read differently, and for each container.
  static let standardPictures = [
    "jpeg-422", "jpeg-restart-part", "jpeg-scans", "jpeg-optimised", "cmyk", "orientation-6",
    "tiny-17x3", "png-16", "png-interlaced", "webp", "tiff-tiled",
  ]

  func everyItem(of choices: [VerifyCatalogue.ChosenSuite]) -> [VerifyPlan.Item] {
    choices.flatMap { choice in
      choice.suite.trials.map { trial in
        VerifyPlan.Item(
          trial: trial, kind: choice.kind, choice: choice.name, selection: choice.selection,
          cases: VerifyPlan.cases(of: trial, asked: askedCases), release: choice.release,
          viewer: choice.viewer)
      }
    }
  }

  /// Whether an item matches --subject and --laws.
  func isWanted(_ item: VerifyPlan.Item) -> Bool {
    (subject == nil || item.trial.subject == subject)
      && laws?.names.contains(item.trial.law) ?? true
  }

  /// Returns the laws to try, from the chosen suites.
  func items(
    of choices: [VerifyCatalogue.ChosenSuite], servers: [ServerTrial] = []
  ) throws -> [VerifyPlan.Item] {
    let all = everyItem(of: choices)
    guard !all.isEmpty else {
      throw ValidationError("no law is about these sources and pictures (name others)")
    }
    let ofSubject = all.filter { subject == nil || $0.trial.subject == subject }
    guard !ofSubject.isEmpty || servers.contains(where: { $0.subject == subject }) else {
      throw ValidationError(
        no: "subject", named: subject ?? "", known: Set(all.map(\.trial.subject)).sorted())
    }
    guard let names = laws?.names.filter({ !$0.hasPrefix(ServerTrial.prefix) }) else {
      return ofSubject
    }
    // The result names the laws that a viewer cannot be tried on.
    let known = Set(ofSubject.map(\.trial.law) + (viewers.isEmpty ? [] : ViewerTrials.laws))
    for name in names where !known.contains(name) {
      throw ValidationError(no: "law", named: name, known: known.sorted())
    }
    return ofSubject.filter { names.contains($0.trial.law) }
  }
}
