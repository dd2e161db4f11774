internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// Counts the instructions of a piece of work under valgrind's callgrind.
///
/// Estimates of cycles are not used: they depend on memory layout.
struct InstructionCount {
  static let counter = "instructions"
  /// The rounds whose instructions are counted; a second process runs twice as many.
  static let rounds = 4

  let executable: FilePath
  let arguments: [String]

  /// Returns the instructions of `rounds` peeks of a case, in all threads.
  ///
  /// Three processes run the rounds, and three run twice as many. Starting, opening and warming up take the
  /// same in both, so their difference is the count. `index` is the case's in the worker's list.
  ///
  /// - Throws: `Failure` when valgrind is not installed or the worker fails under it.
  func count(caseAt index: Int) async throws -> Int {
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    let program = try await withoutDebugInformation(in: scratch.path)
    let once = try await least(of: program, index, rounds: Self.rounds)
    let twice = try await least(of: program, index, rounds: 2 * Self.rounds)
    return twice - once
  }

  /// Returns the least of three totals, because threads that wait for each other add instructions.
  ///
  /// Single counts of a case with a million instructions per peek varied by 3 %, which would be a false
  /// finding; the least of three varied by less than half a per cent.
  private func least(of program: FilePath, _ index: Int, rounds: Int) async throws -> Int {
    var least = Int.max
    for _ in 0..<3 { least = min(least, try await total(of: program, index, rounds: rounds)) }
    return least
  }

  /// Returns a copy of the executable that valgrind can read.
  ///
  /// Valgrind up to 3.19 fails on Swift's debug information. A file that cannot be stripped, such as a
  /// script, is run unchanged.
  private func withoutDebugInformation(in folder: FilePath) async throws -> FilePath {
    let copy = folder.appending("program")
    let answer = try? Tool.strip.run(["-g", "-o", copy.string, executable.string])
    return answer?.isSuccess == true ? copy : executable
  }

  private func total(of program: FilePath, _ index: Int, rounds: Int) async throws -> Int {
    // All commands are sent at once; the worker's answers are not needed.
    let samples = (0..<rounds).map { "sample \(index) \($0 % Self.rounds) 1 0\n" }
    let script = "hello 1\nopen \(index)\n" + samples.joined() + "quit\n"
    let answer = try Tool.valgrind.run(
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.string] + arguments,
      input: script)
    guard answer.isSuccess, let count = Self.collected(in: answer.errors) else {
      let said = answer.errors.split(whereSeparator: \.isNewline)
      let reason = said.last { $0.hasPrefix("valgrind:") } ?? said.last { $0.count > 12 }
      throw Failure(
        .badInput,
        "\(executable): count instructions: \(reason ?? "valgrind counted none") (is it a program "
          + "and not a script? leave out --instructions otherwise)")
    }
    return count
  }

  /// The total of callgrind's summary: `==123== Collected : 573019088`.
  static func collected(in text: String) -> Int? {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].hasSuffix("Collected ") else { continue }
      return Int(parts[1].trimmingCharacters(in: .whitespaces))
    }
    return nil
  }
}
