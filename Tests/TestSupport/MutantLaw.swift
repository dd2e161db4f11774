internal import Foundation
package import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The law that whatever a JPEG's bytes are, a region is refused, or has the pixels of a full decode.
package struct MutantLaw: Sendable {
  /// What became of a mutant that keeps the law.
  package enum Outcome: String, Sendable, CaseIterable {
    /// Both answered, alike.
    case agreed
    /// Only the full decode answered.
    case refused
    /// Only the region was answered: what is broken lies elsewhere, or the picture is too large.
    case regionOnly
    /// Neither answered.
    case unreadable
  }

  /// How the law was broken.
  package struct Finding: Error, CustomStringConvertible {
    package let description: String
  }

  private let folder: FilePath
  private let store: SidecarStore
  private let mostSeconds: Double

  /// A full decode of more pixels than this is left out: mutants claim sizes that take gigabytes.
  private static let mostPixels = 1 << 20

  /// Uses a folder for the mutants' files.
  /// - Parameters:
  ///   - folder: stays where it is.
  ///   - mostSeconds: what one source may take for one region, in seconds of processor time: other
  ///     processes count nothing, but all threads of this one do, for parts are decoded on several.
  package init(folder: FilePath, mostSeconds: Double = 1) {
    self.folder = folder
    self.mostSeconds = mostSeconds
    store = SidecarStore(in: folder)
  }

  /// Checks a mutant; its file is left behind if that ends the process.
  /// - Throws: `Finding` when the law is broken.
  package func check(_ mutant: JPEGMutant) throws -> Outcome {
    let path = folder.appending("mutant-\(mutant.number).jpg")
    try Data(mutant.bytes).write(to: URL(fileURLWithPath: path.string))
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    guard let picture = try? Picture(path) else {
      // Whatever it is, it must not take the process down.
      _ = try? IndexedPipeline().open(path)
      _ = try? SkipPipeline().open(path)
      return .unreadable
    }
    let region = try Self.region(mutant.regionSeed, in: picture.size)
    let isSmall = picture.size.area <= Self.mostPixels
    let request = RegionRequest(region)
    let answer = try timely(mutant) { indexed(path, request, mayIndex: isSmall) }
    let skipped = try timely(mutant) { try? SkipPipeline().open(path).read(request) }
    let whole = isSmall ? try? NaivePipeline().open(path).read(request) : nil
    for other in [answer, skipped] {
      guard let other, let whole, let difference = other.pixels.difference(from: whole.pixels)
      else { continue }
      throw Finding(description: "\(mutant.number): \(region): \(difference)")
    }
    // Where the height is told twice, the scan's end is not as it should be, and a region that reaches
    // it is left to libvips.
    if mutant.changeCount == 0, mutant.original.isOneScan, mutant.original.height == .early,
      !Self.isWindow(answer, of: region, in: path)
    {
      throw Finding(
        description: "\(mutant.number): \(region) of a valid picture is not of a window")
    }
    switch (answer, whole) {
    case (_?, _?): return .agreed
    case (nil, _?):
      guard mutant.changeCount > 0 else {
        throw Finding(description: "\(mutant.number): a valid picture is refused")
      }
      return .refused
    case (_?, nil): return .regionOnly
    case (nil, nil): return .unreadable
    }
  }

  /// Lets a source answer.
  private func timely(
    _ mutant: JPEGMutant, _ read: () -> RegionAnswer?
  ) throws -> RegionAnswer? {
    let start = Self.processorSeconds()
    let answer = read()
    let seconds = Self.processorSeconds() - start
    guard seconds < mostSeconds else {
      throw Finding(description: "\(mutant.number): took \(seconds) s")
    }
    return answer
  }

  /// What the seek index gives; of a picture that has none in itself, by way of one in a file.
  private func indexed(
    _ path: FilePath, _ request: RegionRequest, mayIndex: Bool
  ) -> RegionAnswer? {
    if let source = try? IndexedPipeline().open(path) { return try? source.read(request) }
    guard mayIndex, (try? store.build(for: path)) != nil else { return nil }
    defer { _ = try? store.remove(for: path) }
    return try? IndexedPipeline(stores: [store]).open(path).read(request)
  }

  /// Whether a region's pixels came out of a window of just its MCUs, and not by way of a pass from the
  /// top, which would be exact as well.
  private static func isWindow(
    _ answer: RegionAnswer?, of region: PixelRegion, in path: FilePath
  ) -> Bool {
    guard let answer, let source = try? IndexedPipeline().open(path),
      let window = try? (source as? any JPEGWindowSource)?.window(for: region)
    else { return false }
    return answer.work.unit == .mcu && answer.work.pixelsDecoded == window.stored.area
  }

  /// A region of at most 80 by 80, as likely at an edge as not.
  private static func region(_ seed: UInt64, in size: PixelSize) throws -> PixelRegion {
    var random = SplitMix64(seed: seed)
    func range(_ side: Int) -> (start: Int, count: Int) {
      let count = Int.random(in: 1...min(80, side), using: &random)
      let start =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: 0
        case 1: side - count
        default: Int.random(in: 0...side - count, using: &random)
        }
      return (start, count)
    }
    let (x, y) = (range(size.width), range(size.height))
    return try PixelRegion(x: x.start, y: y.start, width: x.count, height: y.count)
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
