internal import ArgumentParser
internal import ForeignPipelines
internal import Measurement
internal import PixelLaws
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The subjects and laws that can be verified, by their names on the command line.
struct VerifyCatalogue {
  /// A suite of laws, and the options that choose its subject.
  struct ChosenSuite: Sendable {
    let suite: LawSuite
    let kind: VerifyPlan.Domain
    let name: String
    let selection: [String]
    /// Releases the subject's memory until it is tried again.
    var release: (@Sendable () -> Void)?
    /// The web viewer, if the subject is one.
    var viewer: ViewerTrial?
  }

  static func systems(_ systems: [ZoomSystem], form: ZoomForm) -> [ChosenSuite] {
    systems.flatMap { system in
      LawCatalogue.suites(of: system, form).map { suite in
        ChosenSuite(
          suite: suite, kind: .geometry, name: system.rawValue,
          selection: ["--systems", system.rawValue] + (form == .original ? ["--original"] : []))
      }
    }
  }

  /// The laws of the arithmetic that all systems share.
  static let arithmetic = ChosenSuite(
    suite: LawCatalogue.arithmetic, kind: .geometry, name: "arithmetic", selection: [])

  /// Returns the laws of pixels for some sources, on generated pictures and on files.
  ///
  /// Files that the user named are tried first, and it is an error if no source can read any of them.
  ///
  /// - Returns: the choices; the sources that did not try a picture, with reasons; and findings for
  ///   programs that failed to open one.
  /// - Throws: `PipelineError` when no named picture can be opened.
  static func sources(
    _ pipelines: [any Pipeline], pictures: [NamedPicture], areNamed: Bool
  ) throws -> (choices: [ChosenSuite], leftOut: [String], findings: [VerifyReport.LawRow]) {
    var findings: [VerifyReport.LawRow] = []
    let generated = try Self.generated(pipelines, findings: &findings)
    var choices: [ChosenSuite] = []
    var leftOut: [String] = []
    var firstRefusal: PipelineError?
    for picture in pictures {
      for pipeline in pipelines {
        do {
          choices.append(try suite(of: pipeline, picture))
        } catch {
          if let row = finding(on: picture, by: pipeline, error) {
            findings.append(row)
            continue
          }
          guard pictures.count > 1 || error.isRefusal || pipeline is ForeignPipeline else {
            throw error
          }
          firstRefusal = firstRefusal ?? error
          leftOut.append(refusal(of: picture, by: pipeline, error))
        }
      }
    }
    if areNamed, choices.isEmpty, findings.isEmpty, let firstRefusal { throw firstRefusal }
    return (areNamed ? choices + generated : generated + choices, leftOut, findings)
  }

  /// Returns the laws of pixels for some sources on generated pictures; adds a row to `findings` for each
  /// program that fails to open one.
  static func generated(
    _ pipelines: [any Pipeline], findings: inout [VerifyReport.LawRow]
  ) throws -> [ChosenSuite] {
    var generated: [ChosenSuite] = []
    for pipeline in pipelines where (pipeline as? ForeignPipeline)?.opensAnyFile != false {
      do {
        generated.append(
          ChosenSuite(
            suite: try LawCatalogue.suite(of: pipeline), kind: .pixels, name: pipeline.name,
            selection: selection(of: pipeline)))
      } catch {
        if let row = finding(on: nil, by: pipeline, error) {
          findings.append(row)
          continue
        }
        // A source that opens no generated format is tried only on pictures that it can open.
        guard error.isRefusal, pipelines.count > 1 else { throw error }
      }
    }
    return generated
  }

  /// Returns the laws of one picture for one source.
  /// - Throws: `PipelineError` when the source cannot open it, or it cannot be decoded at all.
  static func suite(
    of pipeline: any Pipeline, _ picture: NamedPicture
  ) throws(PipelineError) -> ChosenSuite {
    let (suite, release) = try LawCatalogue.releasableSuite(of: pipeline, picture: picture.path)
    // If naive cannot decode it, the reference is missing.
    let limits = (pipeline as? any LimitedPipeline)?.limits ?? .standard
    _ = try NaivePipeline(limits: limits).open(picture.path).read(
      RegionRequest(PixelRegion.checked(0, 0, 1, 1)))
    return ChosenSuite(
      suite: suite, kind: .pixels, name: pipeline.name,
      selection: selection(of: pipeline, picture), release: release)
  }

  /// Returns the row for a program that failed to open a picture (nil for generated ones) or had no time;
  /// nil if it is not at fault.
  static func finding(
    on picture: NamedPicture?, by pipeline: any Pipeline, _ error: PipelineError
  ) -> VerifyReport.LawRow? {
    guard [.misbehaved, .outOfTime].contains(error.code) else { return nil }
    let words = ["zoombench", "verify"] + selection(of: pipeline, picture)
    return .unusable(
      subject: "\(pipeline.name) \(Format.oneLine(picture?.name ?? "generated"))",
      complaint: error.code == .misbehaved ? "\(error.operation): \(error.reason)" : nil,
      replay: words.map(ShellWord.quoted).joined(separator: " "))
  }

  /// Returns the line about a source that did not try a picture.
  static func refusal(
    of picture: NamedPicture, by pipeline: any Pipeline, _ error: PipelineError
  ) -> String {
    "\(Format.oneLine(picture.name)) by \(pipeline.name): \(error.reason)"
  }

  private static func selection(
    of pipeline: any Pipeline, _ picture: NamedPicture? = nil
  ) -> [String] {
    let subject =
      (pipeline as? ForeignPipeline).map { ["--pipeline", $0.description] }
      ?? ["--sources", pipeline.name]
    return subject + (pipeline.colour.map { ["--colour", $0.rawValue] } ?? [])
      + (picture.map { [RemoteAddress.text(of: $0.path)] } ?? [])
  }

}

extension ZoomSystem {
  /// Creates the system that the command line names; throws a usage error for an unknown name.
  init(named name: String) throws {
    guard let system = ZoomSystem(rawValue: name) else {
      throw ValidationError(no: "system", named: name, known: ZoomSystem.allCases.map(\.rawValue))
    }
    self = system
  }
}
