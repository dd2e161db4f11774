import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomCorpus

@Suite struct ConformanceSetTests {
  private static let limits = PictureLimits(loaders: .all)
  /// The pictures that libvips (8.14) refuses: a late height, and planes in tiles.
  private static let refused = ["dnl.jpg", "planar-tiles.tif"]

  /// The pictures of each trap, made once.
  private static let made:
    Result<[(trap: ConformanceTrap, pictures: [ConformancePicture])], PipelineError> = Result {
      () throws(PipelineError) in
      let scratch = try ScratchFolder()
      return try ConformanceTrap.all.map { trap throws(PipelineError) in
        (
          trap: trap,
          pictures: try trap.pictures.map { recipe throws(PipelineError) in
            try recipe.picture(in: scratch)
          }
        )
      }
    }

  @Test func `made twice the set is the same, in all its bytes`() throws {
    let (one, other) = (try TestFolder(), try TestFolder())
    let set = try ConformanceSet()
    try set.write(to: one.path)
    try ConformanceSet().write(to: other.path)
    for folder in ["", "pictures", "expected"] {
      let path = one.path.appending(folder)
      let names = try names(in: path).filter { $0.contains(".") }
      #expect(try names == self.names(in: other.path.appending(folder)).filter { $0.contains(".") })
      for name in names {
        let twin = other.path.appending(folder).appending(name)
        #expect(try isSame(bytes(of: path.appending(name)), bytes(of: twin)), "\(name)")
      }
    }
    #expect(
      set.digest == ConformanceSet.versionDigest,
      "a changed set needs another version; its digest is \(set.digest)")
    #expect(set.files.reduce(0) { $0 + $1.bytes.count } < 30_000_000)
    #expect(set.files.count { $0.name.hasPrefix("pictures/") } > 60)
    #expect(ConformanceTrap.all.count > 30)
  }

  @Test func `every trap has pictures, and no two have the same name`() {
    let traps = ConformanceTrap.all
    #expect(Set(traps.map(\.name)).count == traps.count)
    #expect(traps.allSatisfy { !$0.pictures.isEmpty })
    let files = traps.flatMap { $0.pictures.map { $0.file.prefix { $0 != "." } } }
    #expect(Set(files).count == files.count)
  }

  @Test func `samples that are stored as they are decode to the pattern`() throws {
    let scratch = try ScratchFolder()
    let pattern = Pixels(pattern: 99, 117)
    let recipes = ConformanceTrap.all.flatMap(\.pictures).filter { recipe in
      ["strips", "planar", "ends-at-a-page"].contains { recipe.file.hasPrefix($0) }
    }
    #expect(recipes.count > 4)
    for recipe in recipes {
      let picture = try recipe.picture(in: scratch)
      #expect(picture.expected.size == pattern.size, "\(recipe.file)")
      #expect(isSame(picture.expected.bytes, pattern.bytes), "\(recipe.file)")
    }
  }

  @Test func `a change of a JPEG leaves its pixels alone`() throws {
    let (folder, scratch) = (try TestFolder(), try ScratchFolder())
    let recipes = ConformanceTrap.all.flatMap(\.pictures).filter {
      $0.change != nil && !Self.refused.contains($0.file)
    }
    #expect(!recipes.isEmpty)
    for recipe in recipes {
      let picture = try recipe.picture(in: scratch)
      let path = try folder.write(picture.bytes, as: picture.file)
      let seen = try Picture(path).storedPixels()
      #expect(isSame(seen.bytes, picture.expected.bytes), "\(picture.file)")
    }
  }

  @Test func `every source gives what is expected, or refuses the picture`() throws {
    let folder = try TestFolder()
    let pipelines = StandardPipelines(limits: Self.limits)
    var answered: [String: Int] = [:]
    for (trap, pictures) in try Self.made.get() {
      for picture in pictures where !Self.refused.contains(picture.file) {
        let path = try folder.write(picture.bytes, as: picture.file)
        for pipeline in pipelines.all {
          guard let source = try opened(pipeline, path) else { continue }
          for region in trap.regions(of: picture.expected.size) {
            let pixels = try source.read(RegionRequest(region)).pixels
            #expect(
              isSame(pixels.bytes, picture.expected.cut(region).bytes),
              "\(picture.file) \(region) by \(pipeline.name)")
            answered[pipeline.name, default: 0] += 1
          }
        }
      }
    }
    #expect(answered.count == pipelines.all.count)
    #expect(answered.values.allSatisfy { $0 > 30 }, "\(answered)")
  }

  /// Returns nil if the pipeline refuses the picture.
  private func opened(_ pipeline: any Pipeline, _ path: FilePath) throws -> (any RegionSource)? {
    do { return try pipeline.open(path) } catch  where error.isRefusal { return nil }
  }

  @Test func `regions are inside, the whole is the first, and none comes twice`() throws {
    let made = try Self.made.get()
    #expect(made.count == ConformanceTrap.all.count)
    for (trap, pictures) in made {
      #expect(!pictures.isEmpty)
      for picture in pictures {
        for pixels in [picture.expected] + picture.levels {
          let regions = trap.regions(of: pixels.size)
          #expect(regions.first == PixelRegion(whole: pixels.size))
          #expect(regions.allSatisfy { $0.isInside(pixels.size) })
          #expect(Set(regions).count == regions.count)
        }
      }
    }
  }

  private func names(in folder: FilePath) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
  }
}
