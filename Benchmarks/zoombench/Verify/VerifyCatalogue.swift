internal import ArgumentParser
internal import ForeignPipelines
internal import PixelLaws
internal import PlantedFaults
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// What can be verified, by the names of the command line.
struct VerifyCatalogue {
  /// A suite of laws, and the options that choose its subject.
  struct ChosenSuite: Sendable {
    let suite: LawSuite
    let kind: VerifyPlan.Domain
    /// The system or source.
    let name: String
    let selection: [String]
    /// The faults that can be planted in the subject.
    var faults: (@Sendable () throws -> FaultSuite)?
  }

  /// The laws of some systems in one form.
  static func systems(_ systems: [ZoomSystem], form: ZoomForm) -> [ChosenSuite] {
    systems.flatMap { system in
      LawCatalogue.suites(of: system, form).enumerated().map { place, suite in
        ChosenSuite(
          suite: suite, kind: .geometry, name: system.rawValue,
          selection: ["--systems", system.rawValue] + (form == .original ? ["--original"] : []),
          faults: form == .original
            ? nil : { @Sendable in FaultCatalogue.suites(of: system)[place] })
      }
    }
  }

  /// The arithmetic that all systems share.
  static let arithmetic = ChosenSuite(
    suite: LawCatalogue.arithmetic, kind: .geometry, name: "arithmetic", selection: [],
    faults: { FaultCatalogue.arithmetic })

  /// The laws of pixels for some sources, each on generated pictures and on files it can open.
  ///
  /// - Parameters:
  ///   - pipelines: the sources.
  ///   - pictures: files.
  ///   - areNamed: whether the user named them: then they are tried first, and one that nobody can read is an error.
  /// - Returns: the choices, and which source did not try which picture and why.
  /// - Throws: `PipelineError` when a named picture cannot be opened by any of them, or is damaged.
  static func sources(
    _ pipelines: [any Pipeline], pictures: [BenchPlan.Subject], areNamed: Bool
  ) throws -> (choices: [ChosenSuite], leftOut: [String]) {
    var generated: [ChosenSuite] = []
    var choices: [ChosenSuite] = []
    var leftOut: [String] = []
    for pipeline in pipelines where (pipeline as? ForeignPipeline)?.opensAnyFile != false {
      do {
        generated.append(
          ChosenSuite(
            suite: try LawCatalogue.suite(of: pipeline), kind: .pixels, name: pipeline.name,
            selection: selection(of: pipeline),
            faults: { try FaultCatalogue.suite(of: pipeline) }))
      } catch {
        // `carved` opens no kind of file that is generated; it is tried on pictures that it opens.
        guard error.isRefusal, pipelines.count > 1 else { throw error }
      }
    }
    let limits = pipelines.lazy.compactMap { ($0 as? any PicturePipeline)?.limits }.first
    for picture in pictures {
      // Where naive cannot decode it, there is nothing to hold answers against.
      let corner = RegionRequest(try PixelRegion(x: 0, y: 0, width: 1, height: 1))
      _ = try NaivePipeline(limits: limits ?? .standard).open(picture.path).read(corner)
      var refusals: [PipelineError] = []
      for pipeline in pipelines {
        do {
          choices.append(
            ChosenSuite(
              suite: try LawCatalogue.suite(of: pipeline, picture: picture.path), kind: .pixels,
              name: pipeline.name,
              selection: selection(of: pipeline) + [picture.path.string]))
        } catch {
          // A source may refuse a picture. If all refuse it, that is an error.
          guard error.isRefusal || pipeline is ForeignPipeline else { throw error }
          refusals.append(error)
          leftOut.append("\(Format.oneLine(picture.name)) by \(pipeline.name): \(error.reason)")
        }
      }
      if areNamed, refusals.count == pipelines.count, let first = refusals.first { throw first }
    }
    return (areNamed ? choices + generated : generated + choices, leftOut)
  }

  /// The options that name a pipeline again.
  private static func selection(of pipeline: any Pipeline) -> [String] {
    (pipeline as? ForeignPipeline).map { ["--pipeline", $0.description] }
      ?? ["--sources", pipeline.name]
  }

  /// The systems that the command line names; an unknown name is wrong usage.
  static func systems(named names: [String]) throws -> [ZoomSystem] {
    try names.map { name in
      guard let system = ZoomSystem(rawValue: name) else {
        let known = ZoomSystem.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("there is no system named \(name) (use \(known))")
      }
      return system
    }
  }
}
