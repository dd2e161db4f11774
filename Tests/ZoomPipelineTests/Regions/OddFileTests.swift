import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// A file with a property that makes its parts hard to read.
struct OddFile: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let suffix: String
  /// Whether `partial` opens the file; nil if that does not matter.
  var isServed: Bool?
  /// Whether `partial` decodes only parts; otherwise it may have libvips decode from the top.
  var isReadInParts = false
  /// The reason why `partial` refuses the file; nil if it does not, or the reason does not matter.
  var reason: String?
  /// Whether libvips decodes the whole file; nil if that does not matter.
  var isDecoded: Bool?
  /// The codec that the file needs and libvips may lack.
  var codec: String?
  /// Whether building an index must fail.
  var isRefusedByStore = false
  let bytes: @Sendable () throws -> [UInt8]
}

extension OddFile {
  /// Pictures of other formats that are cut off or hold text.
  static let others: [OddFile] = [
    OddFile(testDescription: "a PPM of text", suffix: "ppm", isServed: false) {
      Array("P2\n2 2\n255\n1 2 3 4\n".utf8)
    },
    OddFile(testDescription: "a PPM that is cut off", suffix: "ppm", isServed: false) {
      Array("P6\n9 9\n255\n".utf8) + [UInt8](repeating: 7, count: 120)
    },
    OddFile(testDescription: "a WebP that is cut off", suffix: "webp", isServed: false) {
      let folder = try TestFolder()
      let path = folder.path.appending("a.webp")
      try Image(Pixels.noise(80, 80)).write(to: path, settings: "[lossless]")
      return Array(try TestSupport.bytes(of: path).dropLast(20))
    },
  ]
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
    if reference == nil, let codec = file.codec {
      reportMissingCodec(codec)
    } else if let isDecoded = file.isDecoded {
      #expect((reference != nil) == isDecoded)
    }
    let pipelines = StandardPipelines(limits: limits)
    var opened: Set<String> = []
    for pipeline in file.suffix == "jpg" ? pipelines.pictureReaders : [pipelines.partial] {
      let name = pipeline.name
      let source: any RegionSource
      do throws(PipelineError) {
        source = try pipeline.open(path)
      } catch {
        // A source may call a file damaged only if libvips cannot decode it either.
        #expect(error.isRefusal || reference == nil, "\(name): \(error)")
        #expect(error.file == path, "\(name)")
        if name == "partial", let reason = file.reason { #expect(error.reason == reason) }
        continue
      }
      opened.insert(name)
      // Windows do not notice damage elsewhere in a JPEG.
      let isWholeOnly = name != "partial" || file.suffix == "jpg" && reference == nil
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
    if let isServed = file.isServed { #expect(opened.contains("partial") == isServed) }
    if file.suffix == "jpg", reference != nil {
      #expect(opened.isSuperset(of: ["naive", "random", "resident", "automatic"]))
    }
    if file.reason != nil { #expect(!opened.contains("partial")) }
    if file.isRefusedByStore {
      #expect(throws: PipelineError.self) { try SidecarStore(in: folder.path).build(for: path) }
    }
  }
}
