internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A program that is run once per region: `vips crop {file} {out.png} {x} {y} {w} {h}`.
struct CommandAdapter: ForeignAdapter {
  let template: CommandTemplate
  let options: ForeignOptions
  var summary: String { "run \(template.words[0]) for each region" }
  var opensAnyFile: Bool { true }
  var program: String? { template.words[0] }

  func open(
    _ picture: Picture, _ observations: ForeignObservations
  ) throws(PipelineError) -> any ForeignConnection {
    CommandConnection(template, options, observations, picture, try ScratchFolder())
  }
}

/// The words of a command, with placeholders for the values of a request.
struct CommandTemplate: Sendable, Hashable {
  let words: [String]
  /// The suffix of the output file; nil if the program writes to standard output.
  let suffix: String?

  /// Splits a line into words at spaces outside quotes; no shell is involved.
  init(_ line: String) throws(PipelineArgumentError) {
    words = try Self.split(line)
    guard !words.isEmpty else { throw PipelineArgumentError("the command is empty") }
    guard words.contains(where: { $0.contains("{file}") }) else {
      throw PipelineArgumentError("the command does not name the picture: write {file}")
    }
    let all = words.joined(separator: " ")
    suffix = all.firstMatch(of: /\{out(?:\.([A-Za-z0-9]+))?\}/).map {
      $0.1.map(String.init) ?? "ppm"
    }
  }

  func words(_ place: [String: String]) -> [String] {
    words.map { Placeholders.fill($0, place) { $0 } }
  }

  static func split(_ line: String) throws(PipelineArgumentError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw PipelineArgumentError("a quote in the command is not closed") }
    return words + (word.map { [$0] } ?? [])
  }
}

private final class CommandConnection: ForeignConnection {
  private let template: CommandTemplate
  private let options: ForeignOptions
  private let observations: ForeignObservations
  private let picture: Picture
  private let scratch: ScratchFolder
  let state = SourceState.nothing

  init(
    _ template: CommandTemplate, _ options: ForeignOptions, _ observations: ForeignObservations,
    _ picture: Picture, _ scratch: ScratchFolder
  ) {
    (self.template, self.options, self.observations) = (template, options, observations)
    (self.picture, self.scratch) = (picture, scratch)
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    var place = Placeholders.values(region, of: picture.path)
    let out = template.suffix.map { scratch.path.appending("out.\($0)") }
    if let out, let suffix = template.suffix {
      place["out"] = out.string
      place["out.\(suffix)"] = out.string
      // A file left by an earlier run could be mistaken for this answer.
      removeFile(out)
    }
    let limits = AnswerLimits(region.size, of: picture, slack: options.slack)
    let output: (bytes: [UInt8], failure: String?)
    do {
      let child = try ChildProcess(
        template.words(place), options, observations)
      child.closeInput()
      // A command that writes a file may also print messages.
      output = try child.rest(
        limit: out == nil ? limits.mostBytes : CodedAnswer.mostTalk, until: deadline)
    } catch {
      throw error.error(of: template.words[0], reading: picture.path)
    }
    // A failure status counts even if a picture was written.
    if let failure = output.failure { throw fault(failure) }
    guard let out else {
      guard !output.bytes.isEmpty else { throw fault("it wrote nothing to standard output") }
      return try CodedAnswer.decode(output.bytes, within: limits, in: scratch, isLocal: true)
    }
    return try CodedAnswer.decode(out, within: limits, isLocal: true)
  }

  func forget() {}

  private func fault(_ reason: String) -> PipelineError {
    AnswerFailure(reason).error(of: template.words[0], reading: picture.path)
  }
}
