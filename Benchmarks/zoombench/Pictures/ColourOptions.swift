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
      throw ValidationError(
        "--colour \(colour.rawValue): the colours of \(program.name) are \(own) (use --colour \(own),"
          + " or change the program's option colour=)")
    }
  }
}
