import Foundation
import Measurement
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

/// Constructs realistic results with hostile names from a seed.
enum SampleResults {
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

  /// The effect of a case on the candidate's time.
  struct Effect {
    var name: String
    var role = CaseComparison.Role.gated
    /// The ratio of candidate to base.
    var factor = 1.0
    /// The standard deviation of the logarithm of a pair's ratio.
    var noise = 0.018
    var milliseconds = 7.0
    var launches = 8
    /// The slow-down of the candidate from the first launch to the last, as a fraction.
    var drift = 0.0
    var counters: [String: (Int, Int)] = ["bytes read": (48_213, 48_213)]
    var differing: [Int] = []
  }

  static let usual: [Effect] = [
    Effect(name: "forest, 375 pt @2, warm/restart", factor: 1.052, launches: 12),
    Effect(
      name: "pharmacy, 375 pt @2, cold/restart", factor: 0.913, milliseconds: 2.4,
      counters: ["bytes read": (412_990, 371_022), "MCUs decoded": (9_216, 8_190)]),
    Effect(name: "petronas, 375 pt @1, warm/partial", factor: 1.002, milliseconds: 0.42),
    Effect(name: "panorama, 375 pt @2, warm/sequential", factor: 0.998, milliseconds: 61),
    Effect(name: "panorama, 375 pt @1, cold/random", factor: 1.015, noise: 0.12, launches: 4),
    Effect(
      name: "forest, 375 pt @1, warm/resident", factor: 1.001, milliseconds: 0.09, drift: 0.02),
    Effect(name: "A/A: forest, warm/restart", role: .sameBuild),
    Effect(name: "control: full decode by frozen code", role: .control, milliseconds: 66),
    Effect(name: "canary: 5 % more rows", role: .canary, factor: 1.05, milliseconds: 14),
  ]

  static func comparison(
    seed: UInt64 = 1, effects: [Effect] = usual, contamination: [String] = []
  ) throws -> BuildComparison {
    let settings = GateSettings()
    let cases = try effects.enumerated().map { index, effect in
      var random = SeededRandom(seed: seed, stream: UInt64(index))
      return try make(effect, settings, &random)
    }
    let gated = cases.filter { $0.role == .gated }
    let mean = exp(gated.map { log($0.cpu.ratio) }.reduce(0, +) / Double(max(1, gated.count)))
    return BuildComparison(
      startedAt: "2027-01-15T08:00:00Z", seconds: 104.7, seed: seed, settings: settings,
      machine: machine,
      base: BuildComparison.Build(
        name: "main", commit: "0f7c2d1a9be34c55d2f1", isDirty: false, tool: "zoombench 0.1.0"),
      candidate: BuildComparison.Build(
        name: "faster-index", commit: "b81e6607aa10c3f4e9d2", isDirty: true,
        tool: "zoombench 0.1.0"),
      cases: cases,
      overall: gated.isEmpty
        ? nil
        : BuildComparison.Overall(
          ratio: mean, interval: try interval(lower: mean * 0.994, upper: mean * 1.006)),
      contamination: contamination)
  }

  /// Returns any number of cases, with hostile names and every verdict.
  static func hostile(seed: UInt64, cases: Int) throws -> BuildComparison {
    var random = SeededRandom(seed: seed)
    let roles: [CaseComparison.Role] = [.gated, .gated, .gated, .sameBuild, .control, .canary]
    let effects = (0..<cases).map { index in
      let name = hostileNames[index % hostileNames.count]
      return Effect(
        name: index < hostileNames.count ? name : "\(name)\(index)",
        role: roles[random.index(below: roles.count)], factor: exp(gaussian(&random) * 0.05),
        noise: 0.002 + random.unit() * 0.1, milliseconds: exp(gaussian(&random) * 3),
        launches: random.index(below: 6), counters: [name: (3, random.index(below: 5))],
        differing: random.unit() < 0.1 ? [0, 2] : [])
    }
    let reasons = random.unit() < 0.3 ? [hostileNames[random.index(below: hostileNames.count)]] : []
    var result = try comparison(seed: seed, effects: effects, contamination: reasons)
    result.onlyInBase = [hostileNames[random.index(below: hostileNames.count)]]
    result.onlyInCandidate = [hostileNames[random.index(below: hostileNames.count)]]
    return result
  }

  static var machine: MachineDescription {
    var machine = MachineDescription()
    machine.cpuModel = "AMD EPYC 7763 64-Core Processor"
    machine.logicalCores = 2
    machine.memoryBytes = 8_203_137_024
    machine.operatingSystem = "Debian GNU/Linux 12 (bookworm)"
    machine.kernel = "Linux 6.1.0"
    machine.architecture = "x86_64"
    machine.isVirtualised = true
    machine.loadAverages = [0.1 + 0.2, 0.41, 0.2]
    machine.buildConfiguration = .release
    machine.swiftVersion = "6.3.1"
    return machine
  }

  /// Returns a standard normal number (Box and Muller 1958).
  static func gaussian(_ random: inout SeededRandom) -> Double {
    (-2 * log(max(random.unit(), 1e-12))).squareRoot() * cos(2 * .pi * random.unit())
  }

  private static func make(
    _ effect: Effect, _ settings: GateSettings, _ random: inout SeededRandom
  ) throws -> CaseComparison {
    let launches = (0..<effect.launches).map { launch(effect, $0, effect.launches, &random) }
    let cpu = try estimate(launches, \.cpuNanoseconds, settings, effect.noise)
    let wall = try estimate(launches, \.wallNanoseconds, settings, effect.noise * 1.6)
    let isSlower = cpu.verdict == .slower && effect.role == .gated
    let confirmation = isSlower ? (0..<8).map { launch(effect, $0, 8, &random) } : []
    let confirmed =
      isSlower ? try estimate(confirmation, \.cpuNanoseconds, settings, effect.noise) : nil
    let agrees = confirmed.map { $0.verdict == .slower } ?? true
    return CaseComparison(
      name: effect.name, role: effect.role, launches: launches, confirmation: confirmation,
      counters: CaseComparison.Counters(
        base: effect.counters.mapValues { $0.0 }, candidate: effect.counters.mapValues { $0.1 }),
      answersCompared: launches.isEmpty ? 0 : 20,
      differingRounds: launches.isEmpty ? [] : effect.differing, cpu: cpu,
      wall: wall, confirmed: confirmed, verdict: agrees ? cpu.verdict : .inconclusive,
      reason: agrees
        ? (cpu.verdict == .inconclusive ? "the budget ended before the interval was narrow" : nil)
        : "fresh processes did not confirm it")
  }

  private static func launch(
    _ effect: Effect, _ index: Int, _ count: Int, _ random: inout SeededRandom
  ) -> PairedLaunch {
    let pairs = 20
    let repeats = max(1, Int((1 / effect.milliseconds).rounded(.up)))
    let level = effect.milliseconds * 1e6 * Double(repeats) * exp(gaussian(&random) * 0.03)
    let drift = 1 + effect.drift * Double(index) / Double(max(1, count - 1))
    var base = PairedLaunch.Arm(
      first: Elapsed(wallNanoseconds: UInt64(level * 4), cpuNanoseconds: UInt64(level * 3)),
      wallNanoseconds: [], cpuNanoseconds: [])
    var candidate = base
    candidate.first.wallNanoseconds = UInt64(level * 4 * effect.factor)
    var order: [Bool] = []
    for _ in 0..<pairs {
      // A slow machine affects both samples of a pair; the rest is the pair's own noise.
      let common = level * (1 + 0.04 * abs(gaussian(&random)))
      let other = common * effect.factor * drift * exp(gaussian(&random) * effect.noise)
      base.cpuNanoseconds.append(UInt64(max(1, common)))
      candidate.cpuNanoseconds.append(UInt64(max(1, other)))
      // Sometimes another process has the core, which affects wall time and not CPU time.
      func wait() -> Double { random.unit() < 0.06 ? exp(gaussian(&random)) : 0.01 * random.unit() }
      base.wallNanoseconds.append(UInt64(max(1, common * (1 + wait()))))
      candidate.wallNanoseconds.append(UInt64(max(1, other * (1 + wait()))))
      order.append(random.unit() < 0.5)
    }
    return PairedLaunch(
      startNanoseconds: UInt64(index) * 2_600_000_000, repeats: repeats, warmUpPairs: 3, base: base,
      candidate: candidate, candidateRanFirst: order)
  }

  private static func estimate(
    _ launches: [PairedLaunch], _ clock: KeyPath<PairedLaunch.Arm, [UInt64]>,
    _ settings: GateSettings, _ noise: Double
  ) throws -> ChangeEstimate {
    let base = launches.flatMap { $0.base[keyPath: clock] }
    let candidate = launches.flatMap { $0.candidate[keyPath: clock] }
    guard !base.isEmpty else {
      return ChangeEstimate(
        pairs: 0, launches: 0, ratio: 1, interval: nil, unit: .pair, spread: 0,
        detectableChange: nil, chance: 1, verdict: .inconclusive)
    }
    let ratio = try PairedRatio(numerators: candidate, denominators: base, confidence: 0.996)
    var verdict = Verdict.inconclusive
    if let interval = ratio.interval {
      let (margin, same) = (1 + settings.margin, 1 + settings.sameMargin)
      if interval.lower > margin {
        verdict = .slower
      } else if interval.upper < 1 / margin {
        verdict = .faster
      } else if interval.lower > 1 / same, interval.upper < same {
        verdict = .same
      }
    }
    return ChangeEstimate(
      pairs: base.count, launches: launches.count, ratio: ratio.ratio, interval: ratio.interval,
      unit: .pair, spread: noise,
      detectableChange: settings.margin + 4 * noise / Double(base.count).squareRoot(),
      chance: 0.5, verdict: verdict)
  }

  /// Returns an interval with given ends; its initialiser is internal to its module.
  static func interval(
    lower: Double, upper: Double, coverage: Double = 0.98
  ) throws -> PairedRatio.Interval {
    let json = "{\"lower\":\(lower),\"upper\":\(upper),\"coverage\":\(coverage)}"
    return try JSONDecoder().decode(PairedRatio.Interval.self, from: Data(json.utf8))
  }
}
