internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// Counts the instructions of a piece of work under valgrind's callgrind: plain counts, no
/// estimate of cycles, which would turn the layout of memory into noise.
struct InstructionCount {
  static let counter = "instructions"
  /// The rounds whose instructions are counted; twice as many run in a second process.
  static let rounds = 4

  let executable: FilePath
  let arguments: [String]

  /// Instructions that the rounds of a case take, in all threads.
  ///
  /// Three processes run, and three with twice the rounds: what starting, opening and warming up take is
  /// the same in both and falls out of the difference.
  ///
  /// - Parameter index: the case's place in the worker's list.
  /// - Returns: the instructions of `rounds` peeks.
  /// - Throws: `Failure` when valgrind is not installed or the worker fails under it.
  func count(caseAt index: Int) async throws -> Int {
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    let program = try await withoutDebugInformation(in: scratch.path)
    let once = try await least(of: program, index, rounds: Self.rounds)
    let twice = try await least(of: program, index, rounds: 2 * Self.rounds)
    return twice - once
  }

  /// The least of three totals: threads that wait for each other only add instructions.
  ///
  /// A case of a million instructions a peek varied by 3 % between single counts of the same program,
  /// which would be a false finding; the least of three by less than half a per cent.
  private func least(of program: FilePath, _ index: Int, rounds: Int) async throws -> Int {
    var least = Int.max
    for _ in 0..<3 { least = min(least, try await total(of: program, index, rounds: rounds)) }
    return least
  }

  /// A copy of the executable that valgrind can read.
  ///
  /// Valgrind up to 3.19 gives up on what Swift writes for debuggers. What cannot be stripped, such as a script, is run as it is.
  private func withoutDebugInformation(in folder: FilePath) async throws -> FilePath {
    let copy = folder.appending("program")
    let answer = try? await Tool.strip.run(["-g", "-o", copy.string, executable.string])
    return answer?.isSuccess == true ? copy : executable
  }

  private func total(of program: FilePath, _ index: Int, rounds: Int) async throws -> Int {
    // The worker is told everything beforehand; its answers are not needed.
    let samples = (0..<rounds).map { "sample \(index) \($0 % Self.rounds) 1 0\n" }
    let script = "hello 1\nopen \(index)\n" + samples.joined() + "quit\n"
    let answer = try await Tool.valgrind.run(
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
