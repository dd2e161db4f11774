import Measurement

/// Sorts rows of numbers that depend on the round alone.
///
/// `--slower 100` sorts a tenth more rows each time: a slow-down for `ci/test` to find.
struct Sorting: WorkerSubject {
  /// In thousandths of the rows.
  static let slowDown =
    CommandLine.arguments.firstIndex(of: "--slower")
    .flatMap { CommandLine.arguments.dropFirst($0 + 1).first }.flatMap { Int($0) } ?? 0

  let rows: Int
  let columns: Int
  var numbers: [[UInt64]] = []

  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }

  mutating func prepare(round: Int) {
    if CommandLine.arguments.contains("--chatty") { print("sorting the numbers of \(round)") }
    var random = SeededRandom(seed: UInt64(round))
    numbers = (0..<rows).map { _ in (0..<columns).map { _ in random.next() } }
  }

  func run(round: Int, extra: Int) -> [[UInt64]] {
    // Whole rows, so that so many thousandths more rows take so many thousandths more time.
    for row in 0..<rows * (extra + Self.slowDown) / 1000 { blackHole(numbers[row % rows].sorted()) }
    return numbers.map { $0.sorted() }
  }

  func digest(of sorted: [[UInt64]]) -> String? {
    var digest = AnswerDigest()
    for number in sorted.joined() { digest.add(number) }
    return digest.hexadecimal
  }

  func counters(round: Int) -> [String: Int] { ["numbers": rows * columns] }
}

BenchmarkWorker.serve(
  tool: "sorting 1.0",
  cases: [
    WorkerCase(name: "sort 100 rows of 200") { Sorting(rows: 100, columns: 200) },
    WorkerCase(name: "sort 20 rows of 25") { Sorting(rows: 20, columns: 25) },
  ])
