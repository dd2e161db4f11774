internal import IIIFRules
internal import Measurement
internal import ZoomLaws

/// The lines above and below the tables of a benchmark.
extension RunResult {
  var benchHeading: [String] {
    let machine = environment.machine
    let parts = [
      tool, environment.libvips.map { "libvips \($0)" }, machine.cpuModel,
      machine.logicalCores.map { "\($0) cores" }, machine.operatingSystem, "seed \(seed)",
    ]
    let debug =
      "DEBUG BUILD: these times are not comparable, and the very large picture is left out by"
      + " default. Use swift run -c release zoombench."
    return [parts.compactMap(\.self).joined(separator: ", ")]
      + (machine.buildConfiguration == .debug ? [debug] : [])
  }

  /// Returns remarks on the rows of a picture: reasons, differences, and how sources read it.
  func remarks(on rows: [Row]) -> [String] {
    let refusals = rows.compactMap(\.group).unique.flatMap { groups[$0]?.refusals ?? [] }
    let lines = refusals.map { "\($0.source) cannot read it: \($0.reason)" }
    return (lines + rows.flatMap { remarks(on: $0) }).unique
  }

  private func remarks(on row: Row) -> [String] {
    let (name, group) = (row.contender ?? "", row.group.flatMap { groups[$0] })
    let state = group?.state?.rawValue ?? ""
    let conditions = "\(name) (\(group?.peek?.name ?? ""), \(state))"
    var lines: [String] = []
    if row.verdict.word == .failed {
      lines.append("\(name) FAILED (\(state)): \(row.verdict.reason ?? "")")
    }
    if let alike = row.bench?.alike, alike.count > 0 {
      let mean = Format.significant(alike.meanSum / Double(alike.count))
      lines.append(
        "\(conditions): samples differ by up to \(Format.number(alike.largest)), \(mean) on"
          + " average")
    }
    if let difference = row.bench?.alike?.firstDifference {
      lines.append("\(conditions) DIFFERS: \(difference)")
    }
    // The median times of the parts of a server's answers.
    let parts = ["first byte, ns", "last byte, ns", "decoding, ns"].compactMap { name in
      row.counters[name].map { Format.milliseconds(Double($0)) }
    }
    if parts.count == 3 {
      let last = group?.state == .cold ? "opening and decoding" : "decoding"
      lines.append(
        "\(conditions): first byte after \(parts[0]), last after \(parts[1]), \(last) took "
          + parts[2])
    }
    if let method = row.bench?.method { lines.append("\(name) reads it by \(method)") }
    return lines
  }

  /// The lines below the summary of many pictures.
  var summaryNotes: [String] {
    let outliers = (summary ?? []).flatMap(\.standsOut)
    var lines = Array(outliers.prefix(10))
    if outliers.count > 10 { lines.append("\(outliers.count - 10) more stand out.") }
    lines.append(
      "gain: the median of the pictures' gains, and their range, or with seven pictures a 98 %"
        + " interval. All figures: --format json -o run.json, and zoombench report run.json"
        + " -o run.html.")
    return lines
  }

  /// The lines at the end, which explain the columns of pictures' tables if `hasTables`.
  func benchFooting(hasTables: Bool) -> [String] {
    let likeness = rows.compactMap(\.bench?.alike)
    let alike = likeness.reduce(0) { $0 + $1.count }
    let failed = failedContenders.joined(separator: ", ")
    let launches = rows.map(\.wall.count).max() ?? 0
    let figures = rows.filter { $0.bench != nil }.map(\.figures)
    var lines = [agreementLine(alike)]
    if !failed.isEmpty {
      lines.append("\(failed) FAILED and could not be compared (the reason is above).")
    }
    lines += [
      "gain: how many times faster than naive, pairs of the same touch.",
      launches > 1
        ? "Intervals are about launches: \(launches) processes were measured, each counts once."
        : "Intervals are about this one process; --launches makes them about launches.",
    ]
    if hasTables, figures.contains(where: { $0.timesFloor != nil }) {
      lines.append(
        "x floor: time over that of the decoder alone, in one thread, on a ready small file of the"
          + " region's parts (libjpeg-turbo for a JPEG, a copy for pixels that are not coded).")
    }
    if hasTables {
      lines += [
        "px/px, bytes/px: pixels decoded, bytes read for each pixel shown.",
        "memory: peak of a fresh process that makes one peek.",
      ]
    }
    if alike > 0 {
      lines.append(
        "alike: of a lossy format; other samples, but the same content in the same place (0.15 px)."
      )
    }
    if !likeness.isEmpty {
      lines.append("What other people's programs read and decode is not known.")
    }
    if contenders.contains(where: { $0.kind == .nothing }) {
      lines.append(
        "nothing: a program that does nothing; its time is overhead in that of each program.")
    }
    lines += notes ?? []
    lines += partial.map { ["This run was \($0)."] } ?? []
    lines += rows.filter { $0.verdict.word == .unmeasured }.map {
      "Not measured: \($0.verdict.reason ?? $0.name)"
    }
    if hasTables, figures.contains(where: { $0.p50 != nil && ($0.p95 == nil || $0.p99 == nil) }) {
      lines.append(
        "p95 needs 59 rounds, p99 needs 299; with fewer the table lacks them (--rounds).")
    }
    return lines
  }

  private func agreementLine(_ alike: Int) -> String {
    let (compared, differing) = agreement
    let hasFailed = !failedContenders.isEmpty
    if compared == 0 { return "Nothing was compared\(hasFailed ? "" : ": naive ran alone")." }
    if differing > 0 {
      return "\(differing) of \(compared) answers DIFFER from naive's pixels."
    }
    return "All \(compared) answers \(hasFailed ? "that were compared " : "")agree with naive's"
      + " pixels, "
      + (alike == 0
        ? "byte for byte (64-bit checksums)."
        : "\(compared - alike) byte for byte and \(alike) alike.")
  }
}

/// The lines above and below the table of a comparison.
extension RunResult {
  var comparisonHeading: [String] {
    let builds = zip(["base       ", "candidate  "], contenders).map { label, build in
      let commit = build.commit.map {
        " (\($0.prefix(12))\(build.isDirty == true ? ", with changes" : ""))"
      }
      var tool = build.tool ?? ""
      // The worker's name contains the program's, which may already be the contender's name.
      let ending = " with \(build.name)"
      if tool.hasSuffix(ending) { tool.removeLast(ending.count) }
      return "\(label)\(build.name)\(commit ?? ""), \(tool)"
    }
    let margins = settings.gate.map {
      "slower, faster: beyond \(Format.percent($0.margin)); same: within "
        + "\(Format.percent($0.sameMargin)); error rate per case: \(Format.percent($0.errorRate))"
    }
    let times = """
      base, candidate: the median time of one run of the work; all figures are of the last measurement \
      of a case and of the clock that decides: wall time if a program waits, otherwise CPU time
      """
    return builds + [margins, times, settings.claim].compactMap(\.self)
  }

  var caseNotes: [String] {
    let isContaminated = contamination?.isEmpty == false
    let allowed = Set(settings.allowedCounters ?? [])
    let cases = rows.flatMap { row -> [String] in
      var lines = row.changedCounters.filter { !$0.isRise || !allowed.contains($0.name) }
        .map(\.description)
      // Contamination is reported once, below.
      if !isContaminated, let reason = row.comparison?.reason { lines.append(reason) }
      // Counters that rose, and reasons that end a message, already have lines.
      let isSaid =
        row.verdict.word == .counterRose
        || isContaminated && row.verdict.standing == .undecided
      if let message = row.verdict.reason, !isSaid, !lines.contains(where: message.hasSuffix) {
        lines.append(message)
      }
      return lines.map { "\(row.name): \($0)" }
    }
    return cases + (notes ?? [])
      + (contamination ?? []).map { "the run cannot be trusted: \($0)" }
  }

  var comparisonSummary: [String] {
    let mean = overall.map { "; geometric mean \(Format.change($0))" }
    return [
      conclusion.title,
      "\(conclusion.tallied)\(mean ?? ""); \(Format.significant(seconds ?? 0)) s of measurement,"
        + " seed \(seed)",
    ]
  }
}

/// The lines below the tables of laws.
extension RunResult {
  /// The broken laws, and those with remarks, each with its statement and its counterexamples.
  var explainedLaws: [[String]] {
    rows.compactMap(\.law).filter { $0.verdict == .broken || !$0.breaches.isEmpty }
      .map(Self.explained)
  }

  private static func explained(_ law: VerifyReport.LawRow) -> [String] {
    let isOpen = law.strength == IIIFRule.Strength.may.rawValue
    let verdict =
      law.verdict != .held
      ? law.verdict.rawValue
      : isOpen ? "left open by the specification, but unusual" : "not as it should be"
    var lines = ["\(law.law) \(law.subject): \(verdict). \(law.statement)"]
    lines += [law.reason].compactMap(\.self).map { "  \($0)" }
    for defect in PublishedDefect.all where law.defects?.contains(defect.code) == true {
      lines.append("  \(defect.code): \(defect.summary)")
    }
    for breach in law.breaches {
      let cause = breach.cause.map { " [\($0)]" } ?? ""
      let input = breach.input.split(separator: "\n", omittingEmptySubsequences: false)
      let first = "  \(input[0])"
      // An input of several lines is a list of events, so the complaint goes on its own line.
      if input.count == 1 {
        lines.append("\(first): \(breach.complaint)\(cause)")
      } else {
        lines += [first] + input.dropFirst().map { "    \($0)" } + ["  \(breach.complaint)\(cause)"]
      }
      if let rate = breach.failureRate {
        let bounds = rate.map { Format.significant(100 * $0) }.joined(separator: " to ")
        lines.append("  not every time: in \(bounds) % of repetitions")
      }
      lines.append("  again: \(breach.replay)")
      if let play = breach.play { lines.append("  seen:  \(play)") }
      if let picture = breach.picture, !picture.hasPrefix(VerifyReport.drawingPrefix) {
        lines.append("  drawn: \(picture)")
      }
    }
    return lines
  }

  /// The undecided laws, grouped by reason, because a time limit leaves many.
  var undecidedLaws: [String] {
    let open = rows.compactMap(\.law).filter { $0.verdict == .undecided && $0.breaches.isEmpty }
    func about(_ law: VerifyReport.LawRow) -> String { "on \(law.subject): \(law.reason ?? "")" }
    let groups = Dictionary(grouping: open, by: about)
    return open.map(about).unique.map { reason in
      let laws = groups[reason] ?? []
      let (names, cases) = (laws.map(\.law), laws.map { "\($0.cases)" }.joined(separator: ", "))
      let isOpen = reason.contains("more cases") || reason.hasSuffix(VerifyReport.noTimeLeft)
      let more = " (\(cases) tried; --laws \(names.joined(separator: ",")) --budget 5m)"
      return "undecided: \(names.joined(separator: ", ")) \(reason)\(isOpen ? more : "")"
    }
  }

  var lawSummary: [String] {
    let laws = rows.compactMap(\.law)
    func count(_ verdict: VerifyReport.LawVerdict) -> Int { laws.count { $0.verdict == verdict } }
    let nouns: [(VerifyPlan.Domain, String)] = [
      (.geometry, "geometry case"), (.pixels, "pixel case"), (.server, "server check"),
      (.viewer, "viewer case"),
    ]
    let cases = nouns.compactMap { kind, noun -> String? in
      let count = laws.reduce(0) { $0 + ($1.kind == kind ? $1.cases : 0) }
      return count > 0 ? Format.count(count, noun) : nil
    }
    // Published systems have marks: the laws that they are known to break.
    let marked = laws.filter { $0.isBrokenAsPublished != nil }
    let surprises = marked.count {
      $0.verdict != .undecided && ($0.verdict == .broken) != $0.isBrokenAsPublished
    }
    let marks = surprises == 0 ? "every result" : "\(Format.count(surprises, "result")) not"
    let published = marked.isEmpty ? "" : "\(marks) as expected of the published systems; "
    let tried = cases.isEmpty ? "0 cases" : cases.joined(separator: ", ")
    return [
      "\(count(.held)) held, \(count(.broken)) broken, \(count(.undecided)) undecided; "
        + "\(published)\(tried); \(Format.significant(seconds ?? 0)) s; seed \(seed)"
    ] + (notes ?? [])
  }
}
