import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Damaged and odd JPEGs: every source shows what naive shows, or refuses.
struct DamagedJPEGTests {
  static let patches: [(String, @Sendable (inout JPEGBytes) -> Void)] = [
    ("nothing", { _ in }),
    ("a restart marker numbered one too high", { $0.bytes[$0.restarts[2]] += 1 }),
    ("two restart markers swapped", { $0.bytes.swapAt($0.restarts[1], $0.restarts[2]) }),
    (
      "a restart marker cut out",
      { $0.bytes.removeSubrange($0.restarts[4] - 1...$0.restarts[4]) }
    ),
    (
      "the last segment cut out",
      { jpeg in
        guard let last = jpeg.restarts.last else { return }
        jpeg.bytes.removeSubrange(last - 1..<jpeg.end - 1)
      }
    ),
    (
      "a whole segment cut out",
      { $0.bytes.removeSubrange($0.restarts[3] - 1..<$0.restarts[4] - 1) }
    ),
    (
      "a segment too many",
      { jpeg in
        let segment = jpeg.bytes[jpeg.restarts[3] - 1..<jpeg.restarts[4] - 1]
        jpeg.bytes.insert(contentsOf: segment, at: jpeg.end - 1)
      }
    ),
    ("the end marker cut off", { $0.bytes.removeSubrange(($0.end - 1)...) }),
    ("cut inside the coded data", { $0.bytes.removeSubrange(($0.restarts[5] + 40)...) }),
    ("zeros after the end", { $0.bytes += [UInt8](repeating: 0, count: 999) }),
    ("markers after the end", { $0.bytes += [0xFF, 0xD3, 0xFF, 0xDA, 0xFF, 0xD9, 0xFF] }),
    ("a second picture after the end", { $0.bytes += $0.bytes }),
    (
      "a second scan after the first",
      { jpeg in
        let scan = jpeg.bytes[jpeg.places(of: 0xDA)[0] - 1..<jpeg.end - 1]
        jpeg.bytes.insert(contentsOf: scan, at: jpeg.end - 1)
      }
    ),
    (
      "a table after the scan",
      { jpeg in
        let table = jpeg.places(of: 0xDB)[0]
        let segment = jpeg.bytes[table - 1..<table + 2 + 66]
        jpeg.bytes.insert(contentsOf: segment, at: jpeg.end - 1)
      }
    ),
    ("the frame called progressive", { $0.frame(0xC2) }),
    ("the frame called extended", { $0.frame(0xC1) }),
    ("the frame called lossless", { $0.frame(0xC3) }),
    ("the frame called arithmetic", { $0.frame(0xC9) }),
    ("the frame called hierarchical", { $0.frame(0xC5) }),
    ("12 bits a sample", { $0.bytes[$0.places(of: 0xC0)[0] + 3] = 12 }),
    (
      "a height of zero",
      { jpeg in
        let frame = jpeg.places(of: 0xC0)[0]
        jpeg.bytes[frame + 4] = 0
        jpeg.bytes[frame + 5] = 0
      }
    ),
    (
      "fill bytes before the frame",
      { $0.bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF], at: $0.places(of: 0xC0)[0] - 1) }
    ),
    (
      "fill bytes before a restart marker",
      { $0.bytes.insert(contentsOf: [0xFF, 0xFF], at: $0.restarts[2] - 1) }
    ),
    (
      "fill bytes before the end marker",
      { $0.bytes.insert(contentsOf: [0xFF, 0xFF], at: $0.end - 1) }
    ),
    ("a restart interval of 7", { $0.interval(7) }),
    ("a restart interval of two rows", { $0.interval(20) }),
    ("a restart interval of zero", { $0.interval(0) }),
    ("half the height", { $0.bytes[$0.places(of: 0xC0)[0] + 5] /= 2 }),
    (
      "bytes before the frame",
      { $0.bytes.insert(0x11, at: $0.places(of: 0xC0)[0] - 1) }
    ),
  ]

  @Test(arguments: 0..<patches.count)
  func `every source shows what naive shows, or refuses`(_ number: Int) throws {
    let (what, patch) = Self.patches[number]
    var jpeg = try JPEGBytes.small()
    patch(&jpeg)
    let folder = try TestFolder()
    let path = try folder.write(jpeg.bytes, as: "patched.jpg")
    try expectSameAsNaive(path, what)
    guard let reference = try? Reference(path), let source = try? IndexedPipeline().open(path)
    else { return }
    for region in try TellingRegions(of: reference.region.size).all() {
      let pixels = try source.read(RegionRequest(region)).pixels
      #expect(pixels.difference(from: reference.crop(region)) == nil, "\(what): \(region)")
    }
  }

  /// What is above the damage is entered; what is below is left to libvips, which guesses.
  @Test func `above a marker out of turn windows are used, and below it none`() throws {
    var jpeg = try JPEGBytes.small()
    jpeg.bytes[jpeg.restarts[5]] ^= 1
    let folder = try TestFolder()
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    let source = try IndexedPipeline().open(path)
    let rows = try JPEGStructure(of: path).mcuRows
    func isWindow(_ y: Int) throws -> Bool {
      let work = try source.read(
        RegionRequest(PixelRegion(x: 20, y: y, width: 9, height: 9))
      ).work
      return work.unitsDecoded.map { $0 < rows } ?? false
    }
    for _ in 0..<2 {
      #expect(try isWindow(40))
      #expect(try !isWindow(150))
    }
  }

  /// Whatever else serves the file gives naive's pixels, or throws where naive does.
  private func expectSameAsNaive(_ path: FilePath, _ what: String) throws {
    let reference = try? Reference(path)
    for pipeline in StandardPipelines().all where pipeline.name != "naive" {
      let source: any RegionSource
      do {
        source = try pipeline.open(path)
      } catch {
        #expect(error.file == path, "\(what): \(pipeline.name)")
        continue
      }
      guard let reference else {
        let whole = RegionRequest(PixelRegion(whole: source.size))
        let error = #expect(throws: PipelineError.self, "\(what): \(pipeline.name)") {
          try source.read(whole)
        }
        #expect(error?.code == .damaged, "\(what): \(pipeline.name)")
        continue
      }
      let pixels = try source.read(RegionRequest(reference.region)).pixels
      #expect(pixels.difference(from: reference.pixels) == nil, "\(what): \(pipeline.name)")
    }
  }
}

extension JPEGBytes {
  /// Gives the frame another marker.
  fileprivate mutating func frame(_ code: UInt8) { bytes[places(of: 0xC0)[0]] = code }

  /// Sets the restart interval.
  fileprivate mutating func interval(_ mcus: Int) {
    let segment = places(of: 0xDD)[0]
    bytes[segment + 3] = UInt8(mcus >> 8)
    bytes[segment + 4] = UInt8(mcus & 255)
  }
}
