internal import PixelLaws
internal import PropertyTesting
internal import Foundation
package import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The law that each source answers with the pixels of a full decode or refuses with an error.
package struct MutantLaw: Sendable {
  /// The outcome of a mutant that satisfies the law.
  package enum Outcome: String, Sendable, CaseIterable {
    /// The full decode and another source gave the same pixels.
    case agreed
    /// Only the full decode answered.
    case refused
    /// Only another source answered: the damage is elsewhere, or a full decode would be too large.
    case regionOnly
    /// No source answered.
    case unreadable
    /// Full decodes differ from each other, so there is nothing to compare with.
    ///
    /// libde265 1.0.11 (damaged HEIC) and OpenJPEG 2.5.0 (JPEG 2000) return uninitialised memory.
    case unstable
  }

  package struct Finding: Error, CustomStringConvertible {
    package let description: String
  }

  private let folder: FilePath
  private let store: SidecarStore
  private let mostSeconds: Double

  /// The most pixels of a full decode: mutants claim sizes that would take gigabytes.
  private static let mostPixels = 1 << 20

  /// The factor by which a region of a larger picture may take longer.
  private static let largeFactor = 8.0

  /// Creates a law that writes files into `folder`, which is not removed.
  ///
  /// `mostSeconds` limits the processor time of all threads of this process for each step.
  package init(folder: FilePath, mostSeconds: Double = 1) {
    self.folder = folder
    self.mostSeconds = mostSeconds
    store = SidecarStore(in: folder)
  }

  /// Checks a mutant; its file remains if the check ends the process.
  /// - Throws: `Finding` if the law is broken.
  package func check(_ mutant: Mutant) throws -> Outcome {
    let path = folder.appending("mutant-\(mutant.number).\(mutant.suffix)")
    try Data(mutant.bytes).write(to: URL(fileURLWithPath: path.string))
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    // Memory for a raster of each source that keeps one.
    let limits = PictureLimits(memory: MemoryBudget(limit: 64 << 20), loaders: .all)
    let pipelines = StandardPipelines(limits: limits)
    let opened = try timely(mutant, "open", 1) { try? Picture(path, limits: limits) }
    guard let picture = opened else {
      guard mutant.changeCount > 0 || mutant.isUnreadable else {
        throw Finding(description: "\(mutant.label): a valid picture is not opened")
      }
      return .unreadable
    }
    let isSmall = picture.size.area <= Self.mostPixels
    let factor = isSmall ? 1 : Self.largeFactor
    // What `zoombench inspect` runs.
    _ = try timely(mutant, "choose", factor) { try? pipelines.automatic.choose(picture).name }
    for pipeline in pipelines.pictureReaders {
      _ = try timely(mutant, "open by \(pipeline.name)", factor) {
        try? pipeline.open(picture).explanation
      }
    }
    // In a large picture only regions near the top: most formats are decoded from there.
    let requests = try Self.requests(
      mutant.regionSeed, in: picture.size, lowest: isSmall ? picture.size.height : 256)
    var known = [[Resampling: Pixels]](repeating: [:], count: requests.count)
    var (isDecoded, hasOther) = (false, false)
    // These pipelines always decode the whole picture.
    let thorough = picture.reach == .regions ? ["naive"] : ["naive", "random"]
    for pipeline in pipelines.pictureReaders where isSmall || !thorough.contains(pipeline.name) {
      let answers = try timely(mutant, pipeline.name, factor) {
        Self.answers(of: pipeline, to: requests, picture)
      }
      if pipeline.name == "naive" {
        isDecoded = answers[0] != nil
      } else {
        hasOther = hasOther || answers[0] != nil
      }
      do {
        try compare(mutant, pipeline.name, answers, &known, requests)
      } catch {
        guard Self.isUnstable(picture, requests[0]) else { throw error }
        return .unstable
      }
    }
    if [.jpeg, .png].contains(mutant.format) {
      let answers = try timely(mutant, "stored index", factor) {
        stored(path, requests, mayIndex: isSmall)
      }
      hasOther = hasOther || answers.first.flatMap(\.self) != nil
      try compare(mutant, "stored index", answers, &known, requests)
    }
    if mutant.changeCount == 0, !mutant.isUnreadable {
      let isWindow = mutant.isOfWindows ? Self.isWindow(requests[0].region, in: path) : true
      guard isDecoded, hasOther, isWindow else {
        throw Finding(
          description: "\(mutant.label): \(requests[0].region) of a valid picture is not "
            + (isDecoded ? hasOther ? "of a window" : "served" : "decoded"))
      }
    }
    switch (hasOther, isDecoded) {
    case (true, true): return .agreed
    case (false, true): return .refused
    case (true, false): return .regionOnly
    case (false, false): return .unreadable
    }
  }

  /// Whether full decodes of a picture differ, as uninitialised memory often does.
  private static func isUnstable(_ picture: Picture, _ request: RegionRequest) -> Bool {
    let answers = (0..<16).map { _ in
      try? NaivePipeline(limits: picture.limits).open(picture).read(request).pixels
    }
    return answers.contains { $0 != answers[0] }
  }

  private static func answers(
    of pipeline: any PicturePipeline, to requests: [RegionRequest], _ picture: Picture
  ) -> [RegionAnswer?] {
    let source = try? pipeline.open(picture)
    return requests.map { try? source?.read($0) }
  }

  /// Compares answers with the first answers that were reduced by the same filter.
  private func compare(
    _ mutant: Mutant, _ name: String, _ answers: [RegionAnswer?],
    _ known: inout [[Resampling: Pixels]], _ requests: [RegionRequest]
  ) throws {
    for (place, answer) in answers.enumerated() {
      guard let answer else { continue }
      let wanted = known[place][answer.resampling] ?? answer.pixels
      known[place][answer.resampling] = wanted
      guard let difference = answer.pixels.difference(from: wanted) else { continue }
      let (region, reduction) = (requests[place].region, requests[place].reduction.rawValue)
      throw Finding(
        description: "\(mutant.label): \(name): \(region) by \(reduction): \(difference)")
    }
  }

  /// Runs a step and throws if it exceeds the time limit.
  private func timely<Answer>(
    _ mutant: Mutant, _ what: String, _ factor: Double, _ read: () -> Answer
  ) throws -> Answer {
    let start = Self.processorSeconds()
    let answer = read()
    let seconds = Self.processorSeconds() - start
    guard seconds < mostSeconds * factor else {
      throw Finding(description: "\(mutant.label): \(what) took \(seconds) s")
    }
    return answer
  }

  /// Returns the answers of `partial` with a stored index.
  private func stored(
    _ path: FilePath, _ requests: [RegionRequest], mayIndex: Bool
  ) -> [RegionAnswer?] {
    guard mayIndex, (try? store.build(for: path)) != nil else { return [] }
    defer { _ = try? store.remove(for: path) }
    let source = try? PartialPipeline(stores: [store]).open(path)
    return requests.map { try? source?.read($0) }
  }

  /// Whether a region is decoded from its window; a pass from the top would be exact as well.
  private static func isWindow(_ region: PixelRegion, in path: FilePath) -> Bool {
    guard let source = try? PartialPipeline().open(path),
      let answer = try? source.read(RegionRequest(region)),
      let window = try? (source as? any JPEGWindowSource)?.window(for: region)
    else { return false }
    return answer.work.unit == .mcu && answer.work.pixelsDecoded == window.stored.area
  }

  /// Returns a request for a region of at most 80x80 and a reduced one for the blocks around it.
  private static func requests(
    _ seed: UInt64, in size: PixelSize, lowest: Int
  ) throws -> [RegionRequest] {
    let top = try PixelSize(width: size.width, height: min(lowest, size.height))
    let region = try TellingRegions(of: top, seed: seed).random(1, longest: 80)[0]
    var random = SplitMix64(seed: ~seed)
    let reduction = Reduction.real.randomElement(using: &random) ?? .half
    return [
      RegionRequest(region),
      RegionRequest(region.holdingBlocks(of: reduction.rawValue, in: size), reduction: reduction),
    ]
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Mutant {
  /// Identifies the mutant in findings.
  fileprivate var label: String { "\(number) (\(format.rawValue), \(changeCount) changes)" }

  /// Whether the file is valid but no decoder here can read it.
  fileprivate var isUnreadable: Bool { jpeg?.height == .late }

  /// Whether every region can be decoded from a window, which a second height at the end prevents.
  fileprivate var isOfWindows: Bool { jpeg?.isOneScan == true && jpeg?.height == .early }
}
