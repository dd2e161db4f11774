internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The words of a command, with placeholders for the values of a request.
struct CommandTemplate: Sendable, Hashable {
  let words: [String]
  /// The suffix of the output file; nil if the program writes to standard output.
  let suffix: String?

  /// Splits a line into words at spaces outside quotes; no shell is involved.
  init(_ line: String) throws(PipelineArgumentError) {
    words = try Self.split(line)
    guard words.contains(where: { $0.contains("{file}") }) else {
      throw PipelineArgumentError("the command does not name the picture: write {file}")
    }
    let all = words.joined(separator: " ")
    suffix = all.firstMatch(of: /\{out(?:\.([A-Za-z0-9]+))?\}/).map {
      $0.1.map(String.init) ?? "ppm"
    }
  }

  func words(_ place: [String: String]) -> [String] {
    words.map { Placeholders.fill($0, place) }
  }

  /// Returns the words of a line, at least one.
  static func split(_ line: String) throws(PipelineArgumentError) -> [String] {
    let quoted = /'([^']*)'|"([^"]*)"/
    guard !line.replacing(quoted, with: "").contains(where: { $0 == "'" || $0 == "\"" }) else {
      throw PipelineArgumentError("a quote in the command is not closed")
    }
    let words = line.matches(of: /(?:[^ '"]|'[^']*'|"[^"]*")+/).map { word in
      String(word.0).replacing(quoted) { text -> Substring in text.1 ?? text.2 ?? "" }
    }
    guard !words.isEmpty else { throw PipelineArgumentError("the command is empty") }
    return words
  }
}

/// A program that is run once per region: `vips crop {file} {out.png} {x} {y} {w} {h}`.
final class CommandConnection: ForeignConnection {
  private let template: CommandTemplate
  private let session: ForeignSession
  private let scratch: ScratchFolder
  let state = SourceState.nothing

  init(_ template: CommandTemplate, _ session: ForeignSession) throws(PipelineError) {
    (self.template, self.session) = (template, session)
    scratch = try ScratchFolder()
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    var place = Placeholders.values(region, of: session.picture.path)
    let out = template.suffix.map { scratch.path.appending("out.\($0)") }
    if let out, let suffix = template.suffix {
      place["out"] = out.string
      place["out.\(suffix)"] = out.string
      // A file left by an earlier run could be mistaken for this answer.
      removeFile(out)
    }
    let limits = AnswerLimits(
      region.size, of: session.picture, slack: session.options.slack)
    let output: [UInt8]
    do throws(AnswerFailure) {
      let child = try ForeignProcess(template.words(place), session)
      child.closeInput()
      // A command that writes a file may also print messages.
      output = try child.rest(
        limit: out == nil ? limits.mostBytes : CodedAnswer.mostTalk, until: deadline)
      if out == nil, output.isEmpty {
        throw AnswerFailure("it wrote nothing to standard output")
      }
    } catch {
      throw session.error(error, of: template.words[0])
    }
    if let out { return try CodedAnswer.decode(out, within: limits, isLocal: true) }
    return try CodedAnswer.decode(output, within: limits, in: scratch, isLocal: true)
  }
}
