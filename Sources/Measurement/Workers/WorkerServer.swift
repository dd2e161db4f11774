/// The worker's side of the protocol, apart from where its lines come from and go to.
package struct WorkerServer {
  /// The names of the cases that are added if the author has none of their roles.
  package static let controlName = "control: inverse transform"
  package static let canaryName = "canary: inverse transform"

  /// The peak of the whole process' resident memory, in bytes, which is added to every case's counts.
  ///
  /// No count of one run: it has not fallen since the process began. `CounterLedger` knows it.
  package static let peakMemory = "peak memory"

  private let tool: String
  private let cases: [WorkerCase]
  private let stopwatch: Stopwatch
  private let memory: () -> ProcessMemory
  private var subjects: [Int: any WorkerSubject] = [:]

  /// Puts the cases of a worker together, and a control and a canary unless there are some.
  ///
  /// - Parameters:
  ///   - tool: The program's name and version.
  ///   - cases: The author's cases.
  ///   - stopwatch: What times the work.
  ///   - memory: What is asked for the process' peak memory; where it knows none, none is told.
  package init(
    tool: String, cases: [WorkerCase], stopwatch: Stopwatch = Stopwatch(),
    memory: @escaping () -> ProcessMemory = { .current() }
  ) {
    self.tool = tool
    self.stopwatch = stopwatch
    self.memory = memory
    let own = cases
    var cases = cases
    for (name, role) in [(Self.controlName, WorkerCase.Role.control), (Self.canaryName, .canary)]
    where !own.contains(where: { $0.role == role }) {
      cases.append(WorkerCase(name: name, role: role) { ControlWork() })
    }
    self.cases = cases
  }

  /// Answers one line.
  ///
  /// - Parameter line: The line without its line feed.
  /// - Returns: The answer, or nil if the worker is to end.
  package mutating func answer(to line: String) -> WorkerAnswer? {
    do {
      switch try WorkerRequest(line: line) {
      case .hello: return hello()
      case .open(let index): return .opened(try open(index))
      case .sample(let index, let round, let repeats, let extra):
        try check(index)
        guard var subject = subjects.removeValue(forKey: index) else {
          return .error("case \(index) is not open: send 'open \(index)' first")
        }
        defer { subjects[index] = subject }
        let (elapsed, digest) = try sample(&subject, round: round, repeats: repeats, extra: extra)
        if let digest, !WorkerAnswer.isDigest(digest) {
          return .error("the digest '\(digest.prefix(40))' is not 1 to 128 hexadecimal digits")
        }
        return .sample(elapsed, digest: digest)
      case .count(let index, let round):
        try check(index)
        guard var subject = subjects.removeValue(forKey: index) else {
          return .error("case \(index) is not open: send 'open \(index)' first")
        }
        defer { subjects[index] = subject }
        var counts = try subject.counters(round: round)
        // An author's own count of this name stays.
        if let peak = memory().peakResidentBytes, counts[Self.peakMemory] == nil {
          counts[Self.peakMemory] = Int(clamping: peak)
        }
        if let (name, count) = counts.first(where: { $0.value < 0 }) {
          return .error("the count of '\(name)' is negative: \(count)")
        }
        return .counters(counts)
      case .quit: return nil
      }
    } catch {
      return .error("\(error)")
    }
  }

  private func hello() -> WorkerAnswer {
    let listing = WorkerListing(
      tool: tool, cases: cases.map { WorkerListing.Entry(name: $0.name, role: $0.role) })
    return listing.problem.map { .error($0) } ?? .hello(listing)
  }

  private func check(_ index: Int) throws(WorkerLineError) {
    guard cases.indices.contains(index) else {
      throw WorkerLineError(line: "case \(index)", expected: "0 to \(cases.count - 1)")
    }
  }

  /// What a user waits for the first time: opening and one run, without the preparation.
  private mutating func open(_ index: Int) throws -> Elapsed {
    try check(index)
    let opened = try stopwatch.measure { () throws -> any WorkerSubject in
      try cases[index].open()
    }
    var subject = opened.value
    let (first, _) = try sample(&subject, round: 0, repeats: 1, extra: 0)
    subjects[index] = subject
    return Elapsed(
      wallNanoseconds: opened.elapsed.wallNanoseconds.addingSaturating(first.wallNanoseconds),
      cpuNanoseconds: opened.elapsed.cpuNanoseconds.addingSaturating(first.cpuNanoseconds))
  }

  private func sample<Subject: WorkerSubject>(
    _ subject: inout Subject, round: Int, repeats: Int, extra: Int
  ) throws -> (Elapsed, digest: String?) {
    try subject.prepare(round: round)
    let (answer, elapsed) = try stopwatch.measure { () throws -> Subject.Answer in
      for _ in 1..<repeats { blackHole(try subject.run(round: round, extra: extra)) }
      return try subject.run(round: round, extra: extra)
    }
    blackHole(answer)
    return (elapsed, try subject.digest(of: answer))
  }
}
