internal import ArgumentParser
internal import ForeignPipelines
internal import ZoomPipeline

/// The colours that a command reads pictures in.
struct ColourOptions: ParsableArguments {
  @Option(
    help: """
      The colours of answers: as stored in the file, or converted by its colour profile. \
      Other programs must say that they convert: NAME=KIND,colour=srgb:WHAT.
      """)
  var colour: Colour = .asStored

  enum Colour: String, ExpressibleByArgument, CaseIterable {
    case asStored = "as-stored"
    case srgb, p3
  }

  /// The colours to convert to; nil for colours as stored.
  var target: ColourTarget? { ColourTarget(rawValue: colour.rawValue) }

  /// Throws a usage error if a program answers in other colours.
  func check(_ programs: [ForeignPipeline]) throws {
    for program in programs where program.colour != target {
      let own = program.colour?.rawValue ?? Colour.asStored.rawValue
      let advice =
        target.map { "give it the option colour=\($0.rawValue) if it converts" }
        ?? "use --colour \(own)"
      throw ValidationError(
        "--colour \(colour.rawValue): the colours of \(program.name) are \(own) (\(advice))")
    }
  }
}
