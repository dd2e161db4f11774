import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// A file with a property that makes its parts hard to read, and the sources that read it.
struct OddFile: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let suffix: String
  /// The sources that open the file, `carved` or `indexed`; nil if that does not matter.
  var readers: Set<String>?
  /// Whether the readers decode only parts; otherwise they may have libvips decode from the top.
  var isReadInParts = false
  /// The reasons of refusals, by the name of the source.
  var reasons: [String: String] = [:]
  /// Whether libvips decodes the whole file; nil if that does not matter.
  var isDecoded: Bool?
  /// Whether building an index must fail.
  var isRefusedByStore = false
  let bytes: @Sendable () throws -> [UInt8]
}

struct OddFileTests {
  @Test(arguments: [OddFile.jpegs, OddFile.pngs, OddFile.tiffs, OddFile.others].flatMap(\.self))
  func `each source refuses an odd file, or shows what a full decode shows`(
    _ file: OddFile
  ) throws {
    let folder = try TestFolder()
    let path = try folder.write(file.bytes(), as: "odd.\(file.suffix)")
    // libvips marks its PNM loader as untrusted.
    let limits = PictureLimits(loaders: file.suffix == "ppm" ? .all : .trusted)
    let reference = try? Reference(path, limits: limits)
    if let isDecoded = file.isDecoded { #expect((reference != nil) == isDecoded) }
    let ofParts: [any PicturePipeline] = [
      CarvedPipeline(limits: limits), IndexedPipeline(limits: limits),
    ]
    let pipelines = StandardPipelines(limits: limits)
    var opened: Set<String> = []
    for pipeline in file.suffix == "jpg" ? pipelines.pictureReaders : ofParts {
      let name = pipeline.name
      let source: any RegionSource
      do throws(PipelineError) {
        source = try pipeline.open(path)
      } catch {
        // A source may call a file damaged only if libvips cannot decode it either.
        #expect(error.isRefusal || reference == nil, "\(name): \(error)")
        #expect(error.file == path, "\(name)")
        if let reason = file.reasons[name] { #expect(error.reason == reason) }
        continue
      }
      opened.insert(name)
      let isOfParts = ["carved", "indexed"].contains(name)
      // Windows do not notice damage elsewhere in a JPEG.
      let isWholeOnly = !isOfParts || file.suffix == "jpg" && reference == nil
      let regions =
        isWholeOnly
        ? [PixelRegion(whole: source.size)] : try TellingRegions(of: source.size, seed: 3).all()
      for region in regions {
        let answer: RegionAnswer
        do throws(PipelineError) {
          answer = try source.read(RegionRequest(region))
        } catch {
          #expect(
            error.isRefusal || error.code == .damaged && reference == nil,
            "\(name) \(region): \(error)")
          continue
        }
        guard let reference else {
          // Like a pass from the top, a PNG's source does not notice damage below a region.
          let mayBeShown = file.suffix == "png" && region.maxY < source.size.height
          #expect(mayBeShown, "\(name) \(region)")
          continue
        }
        let difference = answer.pixels.difference(from: reference.crop(region))
        #expect(difference == nil, "\(name) \(region)")
        if file.isReadInParts { #expect(answer.work.unit != nil, "\(name) \(region)") }
      }
    }
    if let readers = file.readers {
      #expect(opened.intersection(["carved", "indexed"]) == readers)
    }
    if file.suffix == "jpg", reference != nil {
      #expect(opened.isSuperset(of: ["naive", "random", "tiled", "resident", "automatic"]))
    }
    #expect(opened.isDisjoint(with: file.reasons.keys))
    if file.isRefusedByStore {
      #expect(throws: PipelineError.self) { try SidecarStore(in: folder.path).build(for: path) }
    }
  }
}
