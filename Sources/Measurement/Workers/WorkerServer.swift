/// The worker's side of the protocol, without input and output.
package struct WorkerServer {
  /// The peak resident memory of the whole process, in bytes, which is added to every case's counts.
  ///
  /// It is not the count of one run, because it never falls; `CounterRanges` treats it separately.
  package static let peakMemory = "peak memory"

  private let tool: String
  private let cases: [WorkerCase]
  private let stopwatch: Stopwatch
  private let memory: () -> UInt64?
  private var subjects: [Int: any WorkerSubject] = [:]

  /// Creates a server for cases, with a control and a canary unless there are some.
  ///
  /// If `memory` does not know the peak, it is not reported.
  package init(
    tool: String, cases: [WorkerCase], stopwatch: Stopwatch = Stopwatch(),
    memory: @escaping () -> UInt64? = { ProcessMemory.peakResidentBytes() }
  ) {
    self.tool = tool
    self.stopwatch = stopwatch
    self.memory = memory
    let checks = [WorkerCase.Role.control, .canary].filter { role in
      !cases.contains { $0.role == role }
    }
    self.cases =
      cases
      + checks.map { role in
        WorkerCase(name: "\(role.rawValue): inverse transform", role: role) { ControlWork() }
      }
  }

  /// Returns the answer to a line without its line feed, or nil if the worker must end.
  package mutating func answer(to line: String) -> WorkerAnswer? {
    do {
      switch try WorkerRequest(line: line) {
      case .hello: return hello()
      case .open(let index): return .opened(try open(index))
      case .sample(let index, let round, let repeats, let extra):
        var subject = try opened(index)
        defer { subjects[index] = subject }
        let (elapsed, digest) = try sample(&subject, round: round, repeats: repeats, extra: extra)
        if let digest, !WorkerAnswer.isDigest(digest) {
          return .error("the digest '\(digest.prefix(40))' is not 1 to 128 hexadecimal digits")
        }
        return .sample(elapsed, digest: digest)
      case .count(let index, let round):
        var subject = try opened(index)
        defer { subjects[index] = subject }
        var counts = try subject.counters(round: round)
        // A count of this name from the case itself takes precedence.
        if let peak = memory(), counts[Self.peakMemory] == nil {
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

  /// Removes and returns the subject of an open case, so that it is mutated in place.
  private mutating func opened(_ index: Int) throws(WorkerLineError) -> any WorkerSubject {
    guard let subject = subjects.removeValue(forKey: index) else {
      throw WorkerLineError(line: "case \(index)", expected: "a case after 'open \(index)'")
    }
    return subject
  }

  /// Measures the first latency for a user: opening and one run, without the preparation.
  private mutating func open(_ index: Int) throws -> Elapsed {
    guard cases.indices.contains(index) else {
      throw WorkerLineError(line: "case \(index)", expected: "0 to \(cases.count - 1)")
    }
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

/// Frozen work that is the same in every build, for the control and the canary.
///
/// It resembles decoding without being the code under test: an inverse 8x8 transform of synthetic
/// coefficients, block after block, written into a plane of bytes. Its computation must never change: a
/// control that changed with a commit would hide the effects that it must show. An improved control is a
/// new type with a new name.
///
/// The transform is that of Walsh and Hadamard, with only additions, so it is exact everywhere.
package struct ControlWork: WorkerSubject {
  /// Rows of blocks in each run: a multiple of 20, so that five per cent more is exact.
  package static let rows = 40
  /// Blocks in each row: 400 KiB of pixels, more than first-level caches, in 2 to 3 ms.
  package static let columns = 160

  private var plane = [UInt8](repeating: 0, count: rows * columns * 64)

  package init() {}

  /// Transforms `rows` rows of blocks, and the requested additional ones.
  ///
  /// - Returns: The number of rows transformed.
  package mutating func run(round: Int, extra: Int) -> Int {
    let rows = Self.rows + Self.rows * extra / 1000
    let needed = rows * Self.columns * 64
    if plane.count < needed { plane += [UInt8](repeating: 0, count: needed - plane.count) }
    plane.withUnsafeMutableBufferPointer { plane in
      for row in 0..<rows { Self.transform(row: row, round: round, into: plane) }
    }
    return rows
  }

  /// Returns the digest of the rows that every run does, without the additional work.
  package func digest(of rows: Int) -> String? {
    var digest = AnswerDigest()
    digest.add(plane.prefix(Self.rows * Self.columns * 64))
    return digest.hexadecimal
  }

  package mutating func counters(round: Int) -> [String: Int] { ["rows": Self.rows] }

  @inline(never)
  private static func transform(
    row: Int, round: Int, into plane: UnsafeMutableBufferPointer<UInt8>
  ) {
    let stride = columns * 8
    var state = UInt64(truncatingIfNeeded: round) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(row)
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { block in
      for column in 0..<columns {
        for index in 0..<64 {
          // Knuth's multiplier (MMIX); low frequencies get larger coefficients.
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          block[index] = Int32(truncatingIfNeeded: state >> 32) >> Int32(20 + (index >> 4))
        }
        for line in 0..<8 { butterfly(block, start: line * 8, step: 1) }
        for line in 0..<8 { butterfly(block, start: line, step: 8) }
        let corner = row * 8 * stride + column * 8
        for index in 0..<64 {
          let level = (block[index] >> 6) &+ 128
          plane[corner + (index >> 3) * stride + (index & 7)] = UInt8(clamping: level)
        }
      }
    }
  }

  @inline(__always)
  private static func butterfly(
    _ block: UnsafeMutableBufferPointer<Int32>, start: Int, step: Int
  ) {
    var half = 4
    while half > 0 {
      for pair in 0..<4 {
        let low = (pair / half) * half * 2 + pair % half
        let (a, b) = (start + low * step, start + (low + half) * step)
        (block[a], block[b]) = (block[a] &+ block[b], block[a] &- block[b])
      }
      half >>= 1
    }
  }
}
