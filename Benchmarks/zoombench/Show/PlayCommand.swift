internal import ArgumentParser
internal import Foundation
internal import SystemPackage

/// `zoombench play`: replaces this process with `zoombench-play`.
///
/// That program is a separate product, because its server needs SwiftNIO and most users need no server.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Press, pinch and double-tap pictures on a page in the browser.",
    discussion: """
      Starts zoombench-play, which is built separately: swift build -c release --product zoombench-play. \
      It is found beside zoombench or in PATH; `zoombench play --help` lists its options.
      """)

  static let program = "zoombench-play"

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Pictures and options of \(PlayCommand.program).", valueName: "arguments"))
  var arguments: [String] = []

  func run() throws {
    let own = Bundle.main.executablePath.map { FilePath($0) }
    let beside = own?.removingLastComponent().appending(Self.program).string
    // The program inherits terminal and signals, and sets the exit code. execvp looks in PATH for a name
    // without a slash, and returns only if it fails.
    for program in [beside, Self.program].compactMap({ $0 }) {
      let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
      execvp(program, words)
    }
    throw Failure(
      .unavailable,
      "play: \(Self.program) is not built (swift build -c release --product \(Self.program))")
  }
}
