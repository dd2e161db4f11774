import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ForeignPipelines
@testable import PixelLaws
@testable import ZoomPipeline

private func numbers(_ target: String) -> [Int] {
  target.split { !$0.isNumber }.compactMap { Int($0) }
}

extension Foreign {
  struct ServerPipelineTests {
    private let picture: TellingPicture

    init() throws { picture = try TellingPicture() }

    private func iiif(_ version: Int) throws -> LoopbackServer {
      let picture = picture
      let context = "http://iiif.io/api/image/\(version)/context.json"
      let profile = version == 3 ? "\"level2\"" : "[\"http://iiif.io/api/image/2/level2.json\"]"
      let information =
        "{\"@context\": \"\(context)\", \"width\": 83, \"height\": 61, \"profile\": \(profile)}"
      return try LoopbackServer { target in
        if target.hasSuffix("/info.json") {
          return .ok(Array(information.utf8), type: "application/json")
        }
        let place = numbers(String(target.dropFirst("/iiif/telling.png/".count)))
        guard target.contains(version == 3 ? "/max/" : "/full/"), place.count >= 4,
          let region = try? PixelRegion(
            x: place[0], y: place[1], width: place[2], height: place[3]),
          let png = try? picture.png(region)
        else { return .status(400) }
        return .ok(png, type: "image/png")
      }
    }

    @Test(arguments: [2, 3])
    func `an IIIF server's regions are the picture's pixels`(version: Int) throws {
      let server = try iiif(version)
      defer { server.stop() }
      let source = try ForeignPipeline("i=iiif:http://127.0.0.1:\(server.port)/iiif/{name}")
        .open(picture.path)
      let region = try PixelRegion(x: 5, y: 9, width: 31, height: 17)
      #expect(try source.read(RegionRequest(region)).pixels == picture.pixels.crop(region))
      let turned = try source.read(RegionRequest(region, turn: .clockwise)).pixels
      #expect(turned.size == PixelSize(checked: 17, 31))
    }

    @Test func `a template's answer is the picture's pixels`() throws {
      let picture = picture
      let server = try LoopbackServer { target in
        let place = numbers(target)
        guard
          let region = try? PixelRegion(
            x: place[0], y: place[1], width: place[2] - place[0], height: place[3] - place[1]),
          let png = try? picture.png(region)
        else { return .status(400) }
        return .ok(png, type: "image/png")
      }
      defer { server.stop() }
      let source = try ForeignPipeline(
        "h=http:http://127.0.0.1:\(server.port)/{x}x{y}:{right}x{bottom}/a"
      ).open(picture.path)
      let region = try PixelRegion(x: 80, y: 58, width: 3, height: 3)
      #expect(try source.read(RegionRequest(region)).pixels == picture.pixels.crop(region))
    }

    @Test func `the first byte of an answer comes no later than its last`() throws {
      let picture = picture
      let server = try LoopbackServer { _ in
        (try? picture.png(PixelRegion(x: 0, y: 0, width: 16, height: 16))).map {
          .ok($0, type: "image/png")
        } ?? .status(500)
      }
      defer { server.stop() }
      let pipeline = try ForeignPipeline("h=http:http://127.0.0.1:\(server.port)/{w}x{h}")
      _ = try pipeline.open(picture.path)
      let arrivals = pipeline.takeArrivals()
      #expect(arrivals.count == 1 && pipeline.takeArrivals().isEmpty)
      for arrival in arrivals {
        #expect(arrival.connected <= arrival.firstByte && arrival.firstByte <= arrival.lastByte)
        #expect((1..<60_000_000_000).contains(arrival.lastByte))
      }
    }

    @Test(arguments: ["deep zoom", "zoomify", "level 0", "web map"])
    func `regions are put together from tiles, across their borders`(kind: String) throws {
      let picture = picture
      let descriptions = [
        "deep zoom": (
          "p.dzi",
          "<Image TileSize='16' Overlap='1' Format='png'><Size Width='83' Height='61'/></Image>"
        ),
        "zoomify": (
          "ImageProperties.xml", "<IMAGE_PROPERTIES WIDTH=\"83\" HEIGHT=\"61\" TILESIZE=\"16\" />"
        ),
        "level 0": (
          "info.json",
          "{\"width\": 83, \"height\": 61, \"tiles\": [{\"width\": 16, \"scaleFactors\": [1, 2]}]}"
        ),
      ]
      // A wrong level or group is answered with 404, as on any server.
      let folders = [
        "deep zoom": "/a/p_files/7/", "zoomify": "/a/TileGroup0/3-", "level 0": "/a/",
        "web map": "/a/0/0/0.png",
      ]
      let server = try LoopbackServer { target in
        if let (name, text) = descriptions[kind], target.hasSuffix(name) {
          return .ok(Array(text.utf8), type: "text/plain")
        }
        guard let folder = folders[kind], target.hasPrefix(folder) else { return .status(404) }
        let place = numbers(target)
        let region: PixelRegion?
        switch kind {
        case "level 0":
          region = try? PixelRegion(x: place[0], y: place[1], width: place[2], height: place[3])
        case "web map":
          // One tile of 256 pixels, padded with transparent ones.
          var bytes = [UInt8](repeating: 0, count: 256 * 256 * 4)
          for y in 0..<61 {
            for x in 0..<83 {
              let start = (y * 83 + x) * 3
              let pixel = picture.pixels.bytes[start..<start + 3] + [255]
              bytes.replaceSubrange((y * 256 + x) * 4..<(y * 256 + x + 1) * 4, with: pixel)
            }
          }
          let padded = Pixels(
            size: PixelSize(checked: 256, 256), bands: 4, format: .uint8, interpretation: .srgb,
            bytes: bytes)
          let file = picture.folder.path.appending("padded.png")
          guard
            (try? Image(padded).write(to: file, as: .png(compression: 1, interlaced: false)))
              != nil,
            let data = FileManager.default.contents(atPath: file.string)
          else { return .status(500) }
          return .ok([UInt8](data), type: "image/png")
        default:
          let (column, row) = (place[place.count - 2], place[place.count - 1])
          let overlap = kind == "deep zoom" ? 1 : 0
          let (left, top) = (max(0, column * 16 - overlap), max(0, row * 16 - overlap))
          region = try? PixelRegion(
            x: left, y: top, width: min(83, column * 16 + 16 + overlap) - left,
            height: min(61, row * 16 + 16 + overlap) - top)
        }
        guard let region, let png = try? picture.png(region) else { return .status(404) }
        return .ok(png, type: "image/png")
      }
      defer { server.stop() }
      let place = descriptions[kind].map { $0.0 } ?? "{z}/{x}/{y}.png"
      let source = try ForeignPipeline("t=tiles:http://127.0.0.1:\(server.port)/a/\(place)")
        .open(picture.path)
      for (x, y, width, height) in [(0, 0, 83, 61), (14, 15, 20, 3), (79, 47, 4, 14)] {
        let region = try PixelRegion(x: x, y: y, width: width, height: height)
        #expect(try source.read(RegionRequest(region)).pixels == picture.pixels.crop(region))
      }
    }

    @Test(arguments: [("404", "1-0-0"), ("500", "status 500"), ("large", "2-0-0")])
    func `a Zoomify tile is missing only if the server says so`(
      fault: String, expected: String
    ) throws {
      // Rounded up, 33 pixels are halved twice until they fit into a tile of 16; rounded down, once.
      let picture = try TellingPicture(33, 33)
      let tile = try picture.png(PixelRegion(x: 0, y: 0, width: 16, height: 16))
      let server = try LoopbackServer { target in
        switch target {
        case "/a/ImageProperties.xml":
          .ok(
            Array("<IMAGE_PROPERTIES WIDTH='33' HEIGHT='33' TILESIZE='16' />".utf8),
            type: "text/xml")
        case "/a/TileGroup0/2-0-0.jpg":
          // A tile may contain a megabyte of profiles besides its pixels.
          fault == "large"
            ? .ok(tile + [UInt8](repeating: 0, count: 1 << 20), type: "image/png")
            : .status(Int(fault) ?? 0)
        default: .ok(tile, type: "image/png")
        }
      }
      defer { server.stop() }
      do {
        let source = try ForeignPipeline(
          "t=tiles,lossy:http://127.0.0.1:\(server.port)/a/ImageProperties.xml"
        ).open(picture.path)
        let region = PixelRegion.checked(0, 0, 16, 16)
        #expect(try source.read(RegionRequest(region)).pixels == picture.pixels.crop(region))
        #expect(server.heads.last?.contains("TileGroup0/\(expected).jpg") == true)
      } catch let error as PipelineError {
        #expect(error.reason.contains(expected), "\(error)")
      }
    }

    @Test(arguments: [
      ("status", "503"), ("loop", "redirect"), ("endless", "more than"), ("length", "partial"),
      ("huge", "more than"), ("text", "format"), ("gone", "nothing"), ("silence", "within 2.0 s"),
    ])
    func `what is no answer is one line that says why, and nothing hangs`(
      fault: String, reason: String
    ) throws {
      let server = try LoopbackServer { target in
        switch fault {
        case "status": .status(503)
        case "loop": .redirect(target)
        case "endless": .endless
        case "length": .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc".utf8))
        case "huge": .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\nabc".utf8))
        case "text": .ok(Array("error".utf8), type: "image/png")
        case "gone": .raw([])
        default: .silence
        }
      }
      defer { server.stop() }
      #expect {
        _ = try ForeignPipeline("h=http,time=2:http://127.0.0.1:\(server.port)/{x}/{y}/{w}/{h}")
          .open(picture.path)
      } throws: {
        let line = "\($0)"
        return $0 is PipelineError && !line.contains("\n")
          && line.localizedCaseInsensitiveContains(reason)
      }
    }

    @Test func `a description without an end is refused by its size`() throws {
      let server = try LoopbackServer { _ in .endless }
      defer { server.stop() }
      #expect {
        _ = try ForeignPipeline("i=iiif,time=30:http://127.0.0.1:\(server.port)/{name}")
          .open(picture.path)
      } throws: {
        "\($0)".contains("an answer of more than 1048576 bytes")
      }
    }

    @Test func `a connection that ends while a request is on its way is no failure of the server`()
      throws
    {
      let server = try LoopbackServer { target in
        target.hasSuffix("first") ? .statusThenEnd(500) : .ok(Array("yes".utf8), type: "text/plain")
      }
      defer { server.stop() }
      let transport = HTTPTransport(
        "http://127.0.0.1:\(server.port)", seconds: 5, headers: [], rate: nil)
      #expect(try transport.send(ServerRequest("/first")).status == 500)
      #expect(try transport.send(ServerRequest("/second")).status == 200)
    }

    @Test func `a server of another picture is refused`() throws {
      let server = try LoopbackServer { _ in
        .ok(Array("{\"width\": 61, \"height\": 83}".utf8), type: "application/json")
      }
      defer { server.stop() }
      #expect {
        try ForeignPipeline("i=iiif:http://127.0.0.1:\(server.port)/x").open(picture.path)
      } throws: { "\($0)".contains("says 61x83") }
    }

    @Test func `names are encoded, slashes too`() {
      #expect(Placeholders.encoded("a b/ö.jpg") == "a%20b%2F%C3%B6.jpg")
    }
  }
}

extension PixelSize {
  fileprivate init(checked width: Int, _ height: Int) {
    self = PixelRegion.checked(0, 0, width, height).size
  }
}
