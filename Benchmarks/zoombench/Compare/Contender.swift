internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

/// One side of a comparison, ready to be measured.
struct Contender {
  let command: WorkerCommand
  var build: RunResult.Contender
  /// The product if it was built here, so that an archive for linking it again may exist.
  var product: FilePath?
  /// A build of the working tree, which is removed after the comparison.
  var scratch: ScratchFolder?
}

extension Contender {
  /// A contender as described by an argument of `compare`.
  enum What: Hashable {
    case revision(String)
    case workingTree
    case executable(FilePath)
    case program(Program)

    /// Parses an argument: an existing file is an executable, NAME=KIND:WHAT a program, other names are
    /// revisions.
    ///
    /// - Throws: `Failure` for a file that does not exist, `ValidationError` for one that cannot run.
    init(_ argument: String) throws {
      guard FileManager.default.fileExists(atPath: argument) else {
        // Names of revisions contain no colon.
        if let sign = argument.firstIndex(of: "="), argument[sign...].contains(":") {
          let program = try Program(argument)
          try program.assertInstalled()
          self = .program(program)
          return
        }
        // A revision may contain slashes (origin/main), but does not start like this or end in .json.
        if argument.hasPrefix("/") || argument.hasPrefix("./") || argument.hasSuffix(".json") {
          throw Failure(.noInput, "\(argument): compare: no such file (check the name)")
        }
        self = .revision(argument)
        return
      }
      if FilePath.isFolder(argument) {
        // A branch may have the same name as a folder; git decides.
        self = argument == "." ? .workingTree : .revision(argument)
      } else if FileManager.default.isExecutableFile(atPath: argument) {
        self = .executable(.absolute(argument))
      } else {
        throw ValidationError(
          "\(argument): compare: it is neither an executable nor a revision (name a revision or an "
            + "executable; results of earlier runs are compared by zoombench history)")
      }
    }

    var name: String {
      switch self {
      case .revision(let name): name
      case .workingTree: "working tree"
      case .executable(let path): path.string
      case .program(let program): program.description
      }
    }

    var program: Program? {
      if case .program(let program) = self { program } else { nil }
    }

    /// Whether it is built from a revision.
    var isRevision: Bool {
      switch self {
      case .revision, .workingTree: true
      case .executable, .program: false
      }
    }
  }

  /// A program of any kind, which a worker of this zoombench times.
  enum Program: Hashable, CustomStringConvertible {
    /// A program that reads regions of pictures, in the syntax of `--pipeline`.
    case pipeline(String)
    /// A command that the shell runs.
    case shell(name: String, command: String)
    /// A web viewer.
    case viewer(NamedViewer)

    /// Parses NAME=shell:COMMAND, NAME=viewer:PAGE, or the description of a pipeline.
    ///
    /// - Throws: `ValidationError`.
    init(_ text: String) throws {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[1].hasPrefix("viewer:") {
        self = .viewer(try NamedViewer("\(parts[0])=\(parts[1].dropFirst("viewer:".count))"))
        return
      }
      guard parts.count == 2, parts[1].hasPrefix("shell:") else {
        do { _ = try ForeignPipeline(text) } catch { throw ValidationError("compare: \(error)") }
        self = .pipeline(text)
        return
      }
      let command = parts[1].dropFirst("shell:".count)
      guard !parts[0].isEmpty, !command.allSatisfy(\.isWhitespace) else {
        throw ValidationError(
          "compare: '\(text)' lacks a name or a command (write NAME=shell:COMMAND)")
      }
      self = .shell(name: String(parts[0]), command: String(command))
    }

    var name: String {
      switch self {
      case .pipeline(let text): String(text.prefix { $0 != "=" })
      case .shell(let name, _): name
      case .viewer(let viewer): viewer.name
      }
    }

    var description: String {
      switch self {
      case .pipeline(let text): text
      case .shell(let name, let command): "\(name)=shell:\(command)"
      case .viewer(let viewer): "\(viewer.name)=viewer:\(viewer.page)"
      }
    }

    /// The kind in words, for messages.
    var kind: String {
      switch self {
      case .pipeline: "pipeline"
      case .shell: "shell command"
      case .viewer: "viewer"
      }
    }

    /// Whether its cases are peeks at pictures.
    var takesPictures: Bool {
      if case .pipeline = self { true } else { false }
    }

    /// Throws if a pipeline's program is not installed; the shell itself reports a missing command.
    func assertInstalled() throws {
      if case .pipeline(let text) = self { try ForeignPipeline(text).assertInstalled() }
    }

    /// The clock that decides: wall time if the program's CPU time is unknown, as for servers; else nil.
    var decidingClock: PairedLaunch.Clock? {
      let knowsTime =
        switch self {
        case .pipeline(let text):
          (try? ForeignPipeline(text)).map(PeekWorkerCommand.knowsTime) ?? true
        case .shell, .viewer: LiveWorkers.processorTime() != nil
        }
      return knowsTime ? nil : .wall
    }

    /// Returns the arguments of the worker of zoombench that times it.
    ///
    /// Both contenders give the only case of a shell command the same `name`; `common` are the arguments for
    /// workers of pipelines, and `settings` those for viewers.
    func workerArguments(
      named name: String, common: [String], pictures: [String], settings: [String] = []
    ) -> [String] {
      switch self {
      case .pipeline(let text): [PeekWorkerCommand.name, "--pipeline", text] + common + pictures
      case .shell(_, let command):
        // A name or a command may begin with a dash.
        [ShellWorkerCommand.name, "--", name, "\(self)", command]
      case .viewer(let viewer): [ViewerWorkerCommand.name, "--viewer", "\(viewer)"] + settings
      }
    }
  }
}
