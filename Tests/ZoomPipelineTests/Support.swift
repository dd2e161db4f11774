import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Expects an error of one of two codes that names the file, if one is given.
@discardableResult
func expectError<Result>(
  _ code: PipelineError.Code, or other: PipelineError.Code? = nil, of file: FilePath? = nil,
  _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  in body: () throws -> Result
) -> PipelineError? {
  let error = #expect(
    throws: PipelineError.self, comment, sourceLocation: sourceLocation, performing: body)
  guard let error else { return nil }
  #expect([code, other].contains(error.code), comment, sourceLocation: sourceLocation)
  if let file { #expect(error.file == file, comment, sourceLocation: sourceLocation) }
  return error
}

/// Expects that a source answers regions with the pixels of a full decode, decoding these units only.
///
/// An answer from a full decode would be exact as well, but counts no units.
func expectCrops(
  _ source: any RegionSource, _ regions: [PixelRegion], of reference: Reference,
  unit: Work.Unit? = nil, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var wrong: [String] = []
  for region in regions {
    let answer = try source.read(RegionRequest(region))
    if let difference = answer.pixels.difference(from: reference.crop(region)) {
      wrong.append("\(region): \(difference)")
    } else if let unit, answer.work.unit != unit {
      wrong.append("\(region): a full decode")
    }
  }
  #expect(
    !regions.isEmpty && wrong.isEmpty,
    "\(comment): \(wrong.count) of \(regions.count): \(wrong.prefix(5))",
    sourceLocation: sourceLocation)
}

/// Reports that a test tries less because libvips lacks a codec.
///
/// With the libvips that ci/setup installs it is a failure, so that no test is weakened unnoticed.
func reportMissingCodec(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let isFailure = ProcessInfo.processInfo.environment["ZOOMBENCH_CI"] != nil
  Issue.record(
    "libvips lacks a codec for \(name) here", severity: isFailure ? .error : .warning,
    sourceLocation: sourceLocation)
}

extension AutomaticPipeline {
  func choose(_ path: FilePath) throws(PipelineError) -> Choice {
    try choose(try Picture(path, limits: limits))
  }
}

extension PictureLimits {
  /// Creates limits with trusted loaders and a memory budget.
  init(bytes: Int) { self.init(memory: MemoryBudget(limit: bytes)) }
}

extension SidecarStore {
  func load(for picture: FilePath) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    let file = try FileReader(picture)
    return try load(for: file, try IndexedHeaders(file))
  }

  /// Returns the reason why a picture's sidecar cannot be used; nil if all of its parts can.
  func refusal(for picture: FilePath) throws(PipelineError) -> SidecarRefusal? {
    let facts = try facts(for: try FileReader(picture), checksPoints: true)
    guard case .failure(let refusal) = facts else { return nil }
    return refusal
  }
}
