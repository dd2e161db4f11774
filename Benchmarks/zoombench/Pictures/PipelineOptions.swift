internal import ArgumentParser
package import ForeignPipelines
internal import Foundation
package import ZoomPipeline

/// Other programs, as the command line describes them.
package struct PipelineOptions: ParsableArguments {
  @Option(
    name: .customLong("pipeline"),
    help: ArgumentHelp(
      """
      Another program: NAME=KIND:WHAT, where KIND is command, worker, tiles, iiif or http; \
      or one of vips, imagemagick, graphicsmagick, gdal_translate, djpeg and jpegtran. Repeat it \
      for several.
      """, valueName: "pipeline"))
  var descriptions: [String] = []

  @Option(
    name: .customLong("pipelines"),
    help: ArgumentHelp("A JSON file that lists such programs.", valueName: "file.json"))
  var list: String?

  package init() {}

  var isEmpty: Bool { descriptions.isEmpty && list == nil }

  /// Returns the programs in the order they were named; throws if one is not installed.
  package func installed(_ limits: PictureLimits) throws -> [ForeignPipeline] {
    let pipelines = try pipelines(limits)
    for pipeline in pipelines { try pipeline.assertInstalled() }
    return pipelines
  }

  func pipelines(_ limits: PictureLimits = .standard) throws -> [ForeignPipeline] {
    var pipelines: [ForeignPipeline] = []
    if let list {
      let bytes = [UInt8](try ResultFile.contents(of: list, limit: Self.mostBytes))
      do { pipelines += try ForeignPipeline.list(json: bytes, limits: limits) } catch {
        throw Failure(.badInput, "\(list): pipelines: \(error)")
      }
    }
    pipelines += try described(limits)
    // The floor's name is reserved, because reports look it up.
    var names = Set(StandardPipelines().names + [FloorPipeline.name])
    for pipeline in pipelines where !names.insert(pipeline.name).inserted {
      let option = list == nil ? "--pipeline" : "--pipelines"
      throw ValidationError("\(option): there are two sources named \(pipeline.name)")
    }
    return pipelines
  }

  /// The largest accepted list; thousands of programs need less.
  private static let mostBytes = 1 << 24

  /// Checks only the descriptions: an error in a file is not a usage error.
  package func validate() throws { _ = try described(.standard) }

  /// Returns the programs that the command line describes.
  private func described(_ limits: PictureLimits) throws -> [ForeignPipeline] {
    do { return try descriptions.map { try ForeignPipeline($0, limits: limits) } } catch {
      throw ValidationError("--pipeline: \(error)")
    }
  }
}
