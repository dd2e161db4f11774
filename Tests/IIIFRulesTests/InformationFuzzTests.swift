import Foundation
import Measurement
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ForeignPipelines
@testable import IIIFRules

/// A hostile info.json may only cause findings.
@Suite("An info.json that was changed at random")
struct InformationFuzzTests {
  private static let documents = [
    """
    {"@context": "http://iiif.io/api/image/3/context.json", "id": "http://localhost/p",
     "type": "ImageService3", "protocol": "http://iiif.io/api/image", "profile": "level2",
     "width": 113, "height": 79, "maxWidth": 200, "maxHeight": 200, "maxArea": 40000,
     "sizes": [{"width": 57, "height": 40}, {"width": 113, "height": 79}],
     "tiles": [{"width": 16, "height": 32, "scaleFactors": [1, 2, 4]}, {"width": 64, "scaleFactors": [1]}],
     "extraFormats": ["tif", "webp"], "extraQualities": ["color", "gray", "bitonal"],
     "extraFeatures": ["regionByPct", "mirroring", "rotationArbitrary", "sizeUpscaling"]}
    """,
    """
    {"@context": "http://iiif.io/api/image/2/context.json", "@id": "http://localhost/p",
     "protocol": "http://iiif.io/api/image", "width": 113, "height": 79,
     "profile": ["http://iiif.io/api/image/2/level1.json",
      {"formats": ["png", "gif"], "qualities": ["gray"], "supports": ["mirroring", "sizeAboveFull"],
       "maxWidth": 150, "maxArea": 20000}],
     "sizes": [{"width": 28, "height": 20}], "tiles": [{"width": 32, "scaleFactors": [1, 2, 4, 8]}]}
    """,
  ]

  /// Replacement values: numbers at the limits of types, and values of other types.
  private static var values: [Any] {
    [
      0, -1, 1, 2, 65_536, 1 << 31, 1 << 32, 1 << 53, Int.max, Int.min, 1.5, -0.0, 1e308,
      UInt64.max, "", "max", "100", "level2", "\u{0}\u{1B}[31m",
      String(repeating: "x", count: 3000),
      true, NSNull(), [Any](), [String: Any](), [[[[1]]]], ["width": ["width": 1]],
      [Int](repeating: 1, count: 2000), [["width": 16, "scaleFactors": [Int.max, 0, -1, 1]]],
      [["width": Int.max, "height": 1]], ["png", "png", 7],
    ]
  }

  private struct Mutator {
    var random: SeededRandom

    mutating func number(below bound: Int) -> Int {
      Int.random(in: 0..<max(1, bound), using: &random)
    }

    /// Changes one value of a document at a random depth.
    mutating func changed(_ value: Any) -> Any {
      if var object = value as? [String: Any], !object.isEmpty, number(below: 6) > 0 {
        let key = object.keys.sorted()[number(below: object.count)]
        switch number(below: 6) {
        case 0: object[key] = nil
        case 1: object[key] = object[object.keys.sorted()[number(below: object.count)]]
        default: object[key] = changed(object[key] ?? 0)
        }
        return object
      }
      if var list = value as? [Any], !list.isEmpty, number(below: 6) > 0 {
        let index = number(below: list.count)
        switch number(below: 6) {
        case 0: list.remove(at: index)
        case 1: list = Array(repeatElement(list, count: 50).joined())
        default: list[index] = changed(list[index])
        }
        return list
      }
      return InformationFuzzTests.values[number(below: InformationFuzzTests.values.count)]
    }

    mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      for _ in 0...number(below: 4) where !bytes.isEmpty {
        let place = number(below: bytes.count)
        switch number(below: 6) {
        case 0: bytes[place] = UInt8(number(below: 256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + number(below: 20)))
        case 2: bytes = Array(bytes[..<place])
        case 3: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        case 4: bytes.insert(contentsOf: Array("99999999999999999999".utf8), at: place)
        default:
          bytes.insert(contentsOf: [UInt8](repeating: 0x5B, count: number(below: 3000)), at: place)
        }
      }
      return bytes
    }
  }

  /// A server that answers with one info.json and refuses every other request.
  private struct Hostile: ServerTransport {
    let information: [UInt8]

    func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
      request.path == "/info.json" || request.path.isEmpty
        ? ServerAnswer(
          status: 200, headers: ["content-type": "application/json"], body: information)
        : ServerAnswer(status: 400, headers: ["content-type": "text/plain"], body: Array("no".utf8))
    }
  }

  @Test("is read or refused, and never trusted with a calculation")
  func survives() throws {
    let environment = ProcessInfo.processInfo.environment
    // 20,000 take some minutes: ZOOMBENCH_INFO_FUZZ=20000.
    let count = environment["ZOOMBENCH_INFO_FUZZ"].flatMap { Int($0) } ?? 400
    let size = try PixelSize(width: 113, height: 79)
    let pixels = TestCard.pixels(of: size)
    var mutator = Mutator(random: SeededRandom(seed: 36, label: "info.json"))
    var (read, laidOut, refused) = (0, 0, 0)
    for number in 0..<count {
      let document = Self.documents[number % Self.documents.count]
      var bytes = Array(document.utf8)
      if number % 3 != 0 {
        var root = try JSONSerialization.jsonObject(with: Data(bytes))
        for _ in 0...mutator.number(below: 3) { root = mutator.changed(root) }
        bytes = [UInt8](
          try JSONSerialization.data(withJSONObject: root, options: .fragmentsAllowed))
      }
      if number % 3 != 1 { bytes = mutator.changed(bytes) }
      do {
        let information = try IIIFInformation(json: bytes)
        read += 1
        // Calls everything that is calculated from it.
        _ = (information.fullSize, information.format, information.hasLimits)
        for feature in ["mirroring", "regionByPct"] { _ = information.supports(feature) }
        _ = information.nextLevel(with: ["regionByPx", "sizeByW"])
      } catch { refused += 1 }
      let layout = try? TileLayout.find(
        "http://h/p/info.json", size: size, exists: { _, _ in false }, read: { _ in bytes })
      if let layout {
        laidOut += 1
        for (column, row) in [(0, 0), (3, 2), (size.width, size.height)] {
          guard let tile = try? layout.region(column, row, of: size) else { continue }
          #expect(tile.isInside(size))
          #expect(layout.address(column, row, tile).hasPrefix("http://h/p/"))
        }
      }
      // All rules, with few requests of each kind.
      if number % 8 == 0 {
        let report = try IIIFVerifier(
          Hostile(information: bytes), picture: pixels, seed: 1, mostRequests: 60
        ).run()
        // The server refuses every picture, so there is at least one finding.
        #expect(!report.findings.isEmpty && report.requests > 0)
      }
    }
    // Each outcome must be frequent, or the changes would test only one.
    #expect(read > count / 5 && refused > count / 10 && laidOut > count / 10)
  }
}
