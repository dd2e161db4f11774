import Foundation
import Measurement
import MeasurementHistory
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

/// Results for tests of their readers: with known numbers, or arbitrary ones from a seed.
enum Samples {
  /// Names that break writers without escaping.
  static let hostileNames = [
    "<script>alert(1)</script>", "\"quoted\" & 'single'", "a|b`c`*d*_e_[f](https://example.org)",
    "line\none\r\ntwo\u{2028}three", "]]>--><!-- {{x}} {{{y}}} </style>",
    "\u{0}\u{1B}[31m\u{FFFE}\u{7F}",
    "\"\u{0301} onmouseover=alert(1) x=\"\u{0301}", "<\u{0338}img src=x>",
    "=1+1,\t\\ %0A::error::x",
    "日本語の写真/パノラマ 🇲🇾👨‍👩‍👧‍👦", "", " ", "::warning file=x,line=1::y", "# EOF", "Benchmark 1 2 ns/op",
    String(repeating: "long-", count: 120), "e\(String(repeating: "\u{0301}", count: 300))",
    "../../etc/passwd", "</title></svg></script><script>alert(2)</script>", "@everyone #1 -----",
  ]

  static func machine(_ model: String = "one") -> MachineDescription {
    var machine = MachineDescription()
    machine.cpuModel = model
    return machine
  }

  /// Returns a standard normal number (Box and Muller 1958).
  static func gaussian(_ random: inout SeededRandom) -> Double {
    (-2 * log(max(random.unit(), 1e-12))).squareRoot() * cos(2 * .pi * random.unit())
  }
}

/// Results with hostile names.
extension Samples {
  /// Returns a comparison, a benchmark and a verification.
  static func hostileResults(seed: UInt64) throws -> [RunResult] {
    let names = hostileNames
    let measured = bench(
      seed: seed, pictures: Array(names.prefix(3)), sources: ["naive"] + names.suffix(9), rounds: 7,
      disagreements: Int(seed) % 2)
    var tried = names.map { name in
      law("X", verdict: .broken, breaches: [breach(input: name, complaint: name)])
    }
    tried[0].reason = names[0]
    tried += [law("Y"), law("Z", verdict: .undecided)]
    return [try hostile(seed: seed, cases: 40), measured, laws(tried)]
  }
}

/// Comparisons with known numbers.
extension Samples {
  static func launch(
    base: [UInt64], candidate: [UInt64], wallFactor: UInt64 = 1, repeats: Int = 1
  ) -> PairedLaunch {
    func arm(_ samples: [UInt64]) -> PairedLaunch.Arm {
      PairedLaunch.Arm(
        first: Elapsed(wallNanoseconds: 9_000_000, cpuNanoseconds: 8_000_000),
        wallNanoseconds: samples.map { wallFactor * $0 }, cpuNanoseconds: samples)
    }
    return PairedLaunch(
      startNanoseconds: 0, repeats: repeats, warmUpPairs: 0, base: arm(base),
      candidate: arm(candidate),
      candidateRanFirst: base.indices.map { $0.isMultiple(of: 2) })
  }

  static func estimate(_ ratio: Double, _ verdict: Verdict = .same) -> ChangeEstimate {
    ChangeEstimate(
      pairs: 80, launches: 4, ratio: ratio, interval: nil, spread: 0.02,
      detectableChange: 0.021, chance: 0.5, verdict: verdict)
  }

  /// Returns a case of one launch whose base takes 5 ms.
  static func peek(
    _ name: String = "peek", ratio: Double = 1, verdict: Verdict = .same,
    base: [String: Int] = [:], candidate: [String: Int] = [:], differing: [Int] = [],
    reason: String? = nil, role: CaseComparison.Role = .gated
  ) -> CaseComparison {
    let nanoseconds = (0..<20).map { UInt64(5_000_000 + 1000 * $0) }
    let slower = nanoseconds.map { UInt64((Double($0) * ratio).rounded()) }
    return CaseComparison(
      name: name, role: role, launches: [launch(base: nanoseconds, candidate: slower)],
      counters: .init(base: base, candidate: candidate), answersCompared: 20,
      differingRounds: differing, cpu: estimate(ratio, verdict), wall: estimate(ratio, verdict),
      verdict: verdict, reason: reason)
  }

  /// Returns a case of two launches whose candidate takes the given nanoseconds per run of the work, and
  /// twice as much wall time.
  static func item(
    _ name: String, _ role: CaseComparison.Role, candidate: UInt64, ratio: Double = 1,
    repeats: Int = 1, counters: [String: Int] = [:], unsteady: [String] = []
  ) -> CaseComparison {
    var one = peek(name, ratio: ratio, candidate: counters, role: role)
    one.counters.unsteady = unsteady
    func samples(_ once: UInt64) -> [UInt64] { [once, once].map { $0 * UInt64(repeats) } }
    let launch = Self.launch(
      base: samples(999), candidate: samples(candidate), wallFactor: 2, repeats: repeats)
    one.launches = [launch, launch]
    return one
  }

  static func result(
    second: Int = 0, commit: String? = "candidate", base: String? = "base",
    isBaseDirty: Bool? = nil, machine: MachineDescription = Self.machine(),
    contamination: [String] = [], cases: [CaseComparison]
  ) -> RunResult {
    var result = RunResult(
      kind: .compare, startedAt: "2027-01-15T08:00:\(second < 10 ? "0" : "")\(second)Z",
      seconds: 1, seed: 1, environment: RunResult.Environment(machine: machine),
      settings: RunResult.Settings(gate: GateSettings()),
      contenders: [
        .init(name: "v1", kind: .build, tool: "worker 1", commit: base, isDirty: isBaseDirty),
        .init(name: "HEAD", kind: .build, tool: "worker 1", commit: commit),
      ])
    result.contamination = contamination
    result.compare(cases)
    return result
  }

  /// Returns run number n of a machine, with the case "peek" and its ratio to the control.
  static func run(
    _ number: Int, _ value: Double, model: String = "one", counters: [String: Int] = [:],
    contamination: [String] = []
  ) throws -> RunRecord {
    var run = try RunRecord(
      result(
        second: number, machine: machine(model), contamination: contamination,
        cases: [item("peek", .gated, candidate: 1, counters: counters)]),
      revision: RunRecord.Revision(commit: "c\(number)"), baseline: nil)
    run.cases[0].cpuToControl = RunRecord.Ratio(value: value)
    return run
  }
}

/// Comparisons with noise.
extension Samples {
  static func comparison(seed: UInt64 = 1, contamination: [String] = []) throws -> RunResult {
    var random = SeededRandom(seed: seed)
    let cases = [
      peek("forest/restart/750x750/warm", ratio: 1.052, verdict: .slower),
      peek(
        "pharmacy/restart/750x750/cold", ratio: 0.913, verdict: .faster,
        base: ["MCUs decoded": 9_216], candidate: ["MCUs decoded": 8_190]),
      peek("petronas/partial/375x375/warm", ratio: 1.002),
      peek("panorama/random/375x375/cold", verdict: .inconclusive, reason: "time ran out"),
      peek("A/A: forest, warm/restart", role: .sameBuild),
      peek("control: full decode by frozen code", role: .control),
      peek("canary: 5 % more rows", ratio: 1.05, verdict: .slower, role: .canary),
    ]
    return result(
      contamination: contamination, cases: try cases.map { try noisy($0, &random) })
  }

  /// Returns any number of cases, with hostile names and every verdict.
  static func hostile(seed: UInt64, cases: Int) throws -> RunResult {
    var random = SeededRandom(seed: seed)
    func one<Value>(of values: [Value]) -> Value { values[random.index(below: values.count)] }
    let roles: [CaseComparison.Role] = [.gated, .gated, .gated, .sameBuild, .control, .canary]
    let made = try (0..<cases).map { index in
      let (name, count) = (hostileNames[index % hostileNames.count], random.index(below: 5))
      let peek = Self.peek(
        index < hostileNames.count ? name : "\(name)\(index)",
        ratio: exp(gaussian(&random) * 0.05), verdict: one(of: Verdict.allCases),
        base: [name: 3], candidate: [name: count],
        differing: random.unit() < 0.1 ? [0, 2] : [], role: one(of: roles))
      return try noisy(
        peek, milliseconds: exp(gaussian(&random) * 3), launches: random.index(below: 6), &random)
    }
    var result = Self.result(
      contamination: random.unit() < 0.3 ? [one(of: hostileNames)] : [], cases: made)
    result.onlyInBase = [one(of: hostileNames)]
    result.onlyInCandidate = [one(of: hostileNames)]
    result.compare(made)
    return result
  }

  /// Returns a case with launches whose samples vary, and with the estimate of its change from them.
  private static func noisy(
    _ peek: CaseComparison, milliseconds: Double = 7, launches: Int = 8,
    _ random: inout SeededRandom
  ) throws -> CaseComparison {
    var one = peek
    let repeats = max(1, Int((1 / milliseconds).rounded(.up)))
    one.launches = (0..<launches).map { _ in
      // A slow machine affects both samples of a pair; the rest is the pair's own noise.
      let base = (0..<20).map { _ in
        milliseconds * 1e6 * Double(repeats) * (1 + 0.04 * abs(gaussian(&random)))
      }
      let candidate = base.map { $0 * peek.cpu.ratio * exp(gaussian(&random) * 0.02) }
      return launch(
        base: base.map { UInt64(max(1, $0)) }, candidate: candidate.map { UInt64(max(1, $0)) },
        repeats: repeats)
    }
    if launches == 0 {
      (one.cpu.pairs, one.differingRounds) = (0, [])
    } else {
      one.cpu = try ChangeEstimate(
        of: one.launches, clock: .cpu, settings: GateSettings(), errorRate: 0.01)
    }
    one.wall = one.cpu
    return one
  }
}

/// Benchmarks.
extension Samples {
  /// Returns a contender's row of one launch with the same time in each round.
  static func row(
    _ contender: String, nanoseconds: UInt64, rounds: Int, differing: Int = 0,
    at picture: String = "forest", in group: RunResult.Group
  ) -> Row {
    var row = Row(contender, Row.Verdict(.agrees), at: picture, in: group)
    row.wall = [Array(repeating: nanoseconds, count: rounds)]
    row.cpu = [Array(repeating: nanoseconds / 2, count: rounds)]
    row.counters = ["pixels decoded": 600, "pixels delivered": 100, "peak memory": 12_345_678]
    row.bench = Row.Answers(agreed: rounds - differing, differing: differing)
    return row
  }

  /// Returns a result of one warm peek: naive in 8 ms, a second source in 2 ms, and perhaps a floor.
  static func report(
    rounds: Int = 3, differing: Int = 0, floor: UInt64? = nil,
    build: MachineDescription.BuildConfiguration = .release
  ) -> RunResult {
    var machine = MachineDescription()
    machine.buildConfiguration = build
    let group = RunResult.Group(
      peek: BenchPlan.PeekKind(side: 375, scale: 2), state: .warm,
      regions: Array(repeating: [4, 5, 10, 10], count: rounds), refusals: [])
    var rows = [
      row("naive", nanoseconds: 8_000_000, rounds: rounds, in: group),
      row("other", nanoseconds: 2_000_000, rounds: rounds, differing: differing, in: group),
    ]
    if let floor { rows.append(row("floor", nanoseconds: floor, rounds: rounds, in: group)) }
    var result = RunResult(
      kind: .bench, command: ["zoombench", "--seed", "7"], startedAt: "2027-01-15T08:00:00Z",
      seed: 7,
      environment: RunResult.Environment(
        machine: machine, libvips: "8", libvipsHeaders: "8", libvipsThreads: 2),
      pictures: [
        RunResult.PictureFacts(
          name: "forest", path: "forest.jpg", width: 1600, height: 1200, byteCount: 9,
          facts: ["1600x1200"])
      ], groups: ["forest/\(group.condition)": group], rows: rows)
    result.addContenders()
    result.judge()
    return result
  }

  /// Returns a benchmark of several pictures and sources with noise, in which one picture was not measured.
  static func bench(
    seed: UInt64 = 1, pictures: [String] = ["pharmacy", "forest", "petronas", "panorama"],
    sources: [String] = ["naive", "random", "sequential", "resident", "partial"],
    rounds: Int = 60, disagreements: Int = 0
  ) -> RunResult {
    var random = SeededRandom(seed: seed, label: "bench")
    var result = report(rounds: rounds)
    let (facts, regions) = (result.pictures[0], result.groups.values.first?.regions ?? [])
    (result.pictures, result.groups, result.rows) = ([], [:], [])
    for picture in pictures {
      var own = facts
      (own.name, own.path) = (picture, "\(picture).jpg")
      result.pictures.append(own)
      for (peek, state) in BenchPlan.standardPeeks.flatMap({ peek in
        BenchPlan.FileState.allCases.map { (peek, $0) }
      }) {
        let group = RunResult.Group(
          peek: peek, state: state, regions: regions,
          refusals: [.init(source: "iiif", reason: "no server answers")])
        result.groups["\(picture)/\(group.condition)"] = group
        for (index, source) in sources.enumerated() {
          var row = Self.row(
            source, nanoseconds: 1, rounds: rounds,
            differing: source == "naive" ? 0 : min(disagreements, rounds), at: picture, in: group)
          let times = (0..<rounds).map { _ in
            UInt64(9e7 / Double(1 + index * index) * exp(abs(gaussian(&random)) * 0.05))
          }
          (row.wall, row.cpu) = ([times], [times.map { $0 * 9 / 10 }])
          result.rows.append(row)
        }
      }
    }
    result.rows.append(unmeasured("broken"))
    result.addContenders()
    result.judge()
    return result
  }

  static func unmeasured(_ picture: String) -> Row {
    Row(name: picture, verdict: Row.Verdict(.unmeasured, reason: "\(picture).jpg: no picture"))
  }
}

extension RunResult {
  /// Lists the contenders of the rows.
  fileprivate mutating func addContenders() {
    contenders = rows.compactMap(\.contender).unique.map {
      Contender(name: $0, kind: $0 == "floor" ? .floor : .source, clock: .cpu)
    }
  }

  /// Adds the failure of a contender under the condition of the first row, and judges again.
  mutating func addFailure(of contender: String, _ reason: String) {
    guard let picture = rows[0].picture, let group = rows[0].group.flatMap({ groups[$0] }) else {
      return
    }
    rows.append(Row(contender, Row.Verdict(.failed, reason: reason), at: picture, in: group))
    judge()
  }
}

/// Laws.
extension Samples {
  static func law(
    _ law: String, verdict: VerifyReport.LawVerdict = .held, kind: VerifyPlan.Domain = .geometry,
    breaches: [VerifyReport.BreachRow] = [], classes: [VerifyReport.ClassShare] = []
  ) -> VerifyReport.LawRow {
    VerifyReport.LawRow(
      law: law, statement: "The crop lies inside the picture.", source: "ForceZoom",
      subject: "peek original", kind: kind, cases: 12_345, discards: 6, isExhaustive: false,
      classes: classes, verdict: verdict, reason: verdict == .undecided ? "too few <cases>" : nil,
      seconds: 0.25, breaches: breaches)
  }

  static func breach(
    input: String = "touch (375, 474.1) on 1600x1200 in 375x667",
    complaint: String = "the crop ends 187.5 px past the right edge"
  ) -> VerifyReport.BreachRow {
    VerifyReport.BreachRow(
      input: input, complaint: complaint,
      token: "zt1-abc", replay: "zoombench verify --law FZ-P1 --replay zt1-abc", evaluations: 31,
      failureRate: [0.25, 0.5], picture: "out/FZ-P1.png")
  }

  static func laws(
    _ rows: [VerifyReport.LawRow], strict: Bool = false, programs: [String] = []
  ) -> RunResult {
    var result = RunResult(
      kind: .verify, command: ["zoombench", "verify"], startedAt: "2027-01-15T08:00:00Z",
      seconds: 1.5, seed: 7, environment: RunResult.Environment(machine: MachineDescription()),
      settings: RunResult.Settings(strict: strict),
      contenders: programs.map { RunResult.Contender(name: $0, kind: .program) }, leftOut: [],
      notes: [])
    result.judge(rows)
    return result
  }
}
