import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// JPEGs with markers patched: refused, or exactly what a full decode gives, never other pixels.
struct RestartDamageTests {
  /// Each patch, and the code that `restart` refuses it with; nil where it has to serve it.
  static let patches: [(String, PipelineError.Code?, @Sendable (inout JPEGBytes) -> Void)] = [
    ("nothing", nil, { _ in }),
    ("a restart marker numbered one too high", .damaged, { $0.bytes[$0.restarts[2]] += 1 }),
    ("two restart markers swapped", .damaged, { $0.bytes.swapAt($0.restarts[1], $0.restarts[2]) }),
    (
      "a restart marker cut out", .damaged,
      { $0.bytes.removeSubrange($0.restarts[4] - 1...$0.restarts[4]) }
    ),
    (
      "the last segment cut out", .damaged,
      { jpeg in
        guard let last = jpeg.restarts.last else { return }
        jpeg.bytes.removeSubrange(last - 1..<jpeg.end - 1)
      }
    ),
    (
      "a whole segment cut out", .damaged,
      { $0.bytes.removeSubrange($0.restarts[3] - 1..<$0.restarts[4] - 1) }
    ),
    (
      "a segment too many", .damaged,
      { jpeg in
        let segment = jpeg.bytes[jpeg.restarts[3] - 1..<jpeg.restarts[4] - 1]
        jpeg.bytes.insert(contentsOf: segment, at: jpeg.end - 1)
      }
    ),
    ("the end marker cut off", .damaged, { $0.bytes.removeSubrange(($0.end - 1)...) }),
    ("cut inside the coded data", .damaged, { $0.bytes.removeSubrange(($0.restarts[5] + 40)...) }),
    ("zeros after the end", nil, { $0.bytes += [UInt8](repeating: 0, count: 999) }),
    ("markers after the end", nil, { $0.bytes += [0xFF, 0xD3, 0xFF, 0xDA, 0xFF, 0xD9, 0xFF] }),
    ("a second picture after the end", nil, { $0.bytes += $0.bytes }),
    (
      "a second scan after the first", .unsupported,
      { jpeg in
        let scan = jpeg.bytes[jpeg.places(of: 0xDA)[0] - 1..<jpeg.end - 1]
        jpeg.bytes.insert(contentsOf: scan, at: jpeg.end - 1)
      }
    ),
    (
      "a table after the scan", .unsupported,
      { jpeg in
        let table = jpeg.places(of: 0xDB)[0]
        let segment = jpeg.bytes[table - 1..<table + 2 + 66]
        jpeg.bytes.insert(contentsOf: segment, at: jpeg.end - 1)
      }
    ),
    ("the frame called progressive", .unsupported, { $0.frame(0xC2) }),
    ("the frame called extended", nil, { $0.frame(0xC1) }),
    ("the frame called lossless", .unsupported, { $0.frame(0xC3) }),
    ("the frame called arithmetic", .unsupported, { $0.frame(0xC9) }),
    ("the frame called hierarchical", .unsupported, { $0.frame(0xC5) }),
    ("12 bits a sample", .unsupported, { $0.bytes[$0.places(of: 0xC0)[0] + 3] = 12 }),
    (
      "a height of zero", .unsupported,
      { jpeg in
        let frame = jpeg.places(of: 0xC0)[0]
        jpeg.bytes[frame + 4] = 0
        jpeg.bytes[frame + 5] = 0
      }
    ),
    (
      "fill bytes before the frame", nil,
      { $0.bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF], at: $0.places(of: 0xC0)[0] - 1) }
    ),
    (
      "fill bytes before a restart marker", nil,
      { $0.bytes.insert(contentsOf: [0xFF, 0xFF], at: $0.restarts[2] - 1) }
    ),
    (
      "fill bytes before the end marker", nil,
      { $0.bytes.insert(contentsOf: [0xFF, 0xFF], at: $0.end - 1) }
    ),
    ("a restart interval of 7", .unsupported, { $0.interval(7) }),
    ("a restart interval of two rows", .damaged, { $0.interval(20) }),
    ("a restart interval of zero", .unsupported, { $0.interval(0) }),
    ("half the height", .damaged, { $0.bytes[$0.places(of: 0xC0)[0] + 5] /= 2 }),
    (
      "bytes before the frame", .unsupported,
      { $0.bytes.insert(0x11, at: $0.places(of: 0xC0)[0] - 1) }
    ),
  ]

  @Test(arguments: 0..<patches.count)
  func `refused or exact`(_ number: Int) throws {
    let (what, refusal, patch) = Self.patches[number]
    var jpeg = try JPEGBytes.small()
    patch(&jpeg)
    let folder = try TestFolder()
    let path = try folder.write(jpeg.bytes, as: "patched.jpg")
    do {
      let source = try RestartPipeline().open(path)
      #expect(refusal == nil, "\(what): served")
      let reference = try Reference(path)
      for region in try TellingRegions(of: reference.region.size).all() {
        let pixels = try source.read(RegionRequest(region)).pixels
        #expect(pixels.difference(from: reference.crop(region)) == nil, "\(what): \(region)")
      }
    } catch let error as PipelineError {
      // libvips may refuse the headers first, as damaged; an answer of restart's own is `refusal`.
      #expect(refusal != nil, "\(what): \(error)")
      let isReadable = (try? Picture(path)) != nil
      if isReadable { #expect(error.code == refusal, "\(what): \(error)") }
      #expect([.damaged, .unsupported, .notAPicture].contains(error.code), "\(what): \(error)")
      #expect(error.file == path)
    }
    try expectSameAsNaive(path, what)
  }

  /// One bit of the coded data changed at a time.
  ///
  /// A decoder may not notice, but where it would give other pixels than a full decode it must throw.
  @Test func `a flipped bit in the coded data never gives pixels that naive does not`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small(70, 100)
    var numbers = SplitMix64(seed: 61)
    var (served, refused) = (0, 0)
    for _ in 0..<80 {
      let place = Int.random(in: jpeg.codedStart..<jpeg.end - 1, using: &numbers)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &numbers)
      let path = try folder.write(jpeg.patched { $0[place] ^= bit }.bytes, as: "flipped.jpg")
      guard let source = try? RestartPipeline().open(path), let reference = try? Reference(path)
      else {
        refused += 1
        continue
      }
      for region in try TellingRegions(of: reference.region.size, seed: 62).random(4)
        + [reference.region]
      {
        guard let answer = try? source.read(RegionRequest(region)) else {
          refused += 1
          continue
        }
        served += 1
        let difference = answer.pixels.difference(from: reference.crop(region))
        #expect(difference == nil, "byte \(place) bit \(bit): \(region)")
      }
    }
    #expect(served > 0)
    #expect(refused > 0)
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
