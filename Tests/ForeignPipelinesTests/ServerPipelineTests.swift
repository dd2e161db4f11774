import Foundation
import ReferenceServer
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ForeignPipelines
@testable import PixelLaws
@testable import ZoomPipeline

extension Foreign {
  struct ServerPipelineTests {
    private let picture: TellingPicture

    init() throws { picture = try TellingPicture() }

    @Test(arguments: ReferenceAPI.allCases)
    func `an IIIF server's regions are the picture's pixels`(api: ReferenceAPI) throws {
      let service = try ReferenceServer(picture.pixels, ReferenceSettings(api: api))
      let server = try LoopbackServer { target in
        let path = String(target.dropFirst("/iiif/telling.png".count))
        guard let answer = try? service.send(ServerRequest(path)), answer.status == 200 else {
          return .status(400)
        }
        return .ok(answer.body, type: "image/png")
      }
      defer { server.stop() }
      let source = try ForeignPipeline("i=iiif:\(server.address)/iiif/{name}").open(picture.path)
      #expect(try picture.isRead(by: source, 5, 9, 31, 17))
      let turned = try source.read(RegionRequest(.checked(5, 9, 31, 17), turn: .clockwise)).pixels
      #expect(turned.size == PixelRegion.checked(0, 0, 17, 31).size)
    }

    @Test func `a template's answer is the picture's pixels`() throws {
      let picture = picture
      let server = try LoopbackServer { target in
        let place = numbers(target)
        let region = PixelRegion.checked(
          place[0], place[1], place[2] - place[0], place[3] - place[1])
        return (try? picture.png(region)).map { .ok($0, type: "image/png") } ?? .status(400)
      }
      defer { server.stop() }
      let pipeline = try ForeignPipeline("h=http:\(server.address)/{x}x{y}:{right}x{bottom}/a")
      #expect(try picture.isRead(by: pipeline.open(picture.path), 80, 58, 3, 3))
    }

    @Test func `the first byte of an answer comes no later than its last`() throws {
      let corner = try picture.png(.checked(0, 0, 16, 16))
      let server = try LoopbackServer { _ in .ok(corner, type: "image/png") }
      defer { server.stop() }
      let pipeline = try ForeignPipeline("h=http:\(server.address)/{w}x{h}")
      _ = try pipeline.open(picture.path)
      let arrival = try #require(pipeline.takeArrival())
      #expect(pipeline.takeArrival() == nil)
      #expect(arrival.connected <= arrival.firstByte && arrival.firstByte <= arrival.lastByte)
      #expect((1..<60_000_000_000).contains(arrival.lastByte))
    }

    @Test(arguments: [
      (
        "p.dzi", "/a/p_files/7/",
        "<Image TileSize='16' Overlap='1' Format='png'><Size Width='83' Height='61'/></Image>"
      ),
      (
        "ImageProperties.xml", "/a/TileGroup0/3-",
        "<IMAGE_PROPERTIES WIDTH=\"83\" HEIGHT=\"61\" TILESIZE=\"16\" />"
      ),
      (
        "info.json", "/a/",
        "{\"width\": 83, \"height\": 61, \"tiles\": [{\"width\": 16, \"scaleFactors\": [1, 2]}]}"
      ),
      ("{z}/{x}/{y}.png", "/a/0/0/0.png", ""),
    ])
    func `regions are put together from tiles, across their borders`(
      name: String, prefix: String, description: String
    ) throws {
      let picture = picture
      // A web map's only tile of 256 pixels is transparent beside the picture.
      let padded = try Pixels(width: 256, height: 256, bands: 4) { x, y, band in
        if x >= 83 || y >= 61 { return 0 }
        return band == 3 ? 255 : picture.pixels[x, y][band]
      }
      let server = try LoopbackServer { target in
        if target.hasSuffix(name) { return .ok(Array(description.utf8), type: "text/plain") }
        // A wrong level or group is answered with 404, as on any server.
        guard target.hasPrefix(prefix) else { return .status(404) }
        let place = numbers(target)
        let part: Pixels
        switch name {
        case "info.json":
          part = picture.pixels.crop(.checked(place[0], place[1], place[2], place[3]))
        case "{z}/{x}/{y}.png": part = padded
        default:
          let overlap = name == "p.dzi" ? 1 : 0
          let (column, row) = (place[place.count - 2], place[place.count - 1])
          let (left, top) = (max(0, column * 16 - overlap), max(0, row * 16 - overlap))
          let (right, bottom) = (column * 16 + 16 + overlap, row * 16 + 16 + overlap)
          part = picture.pixels.crop(
            .checked(left, top, min(83, right) - left, min(61, bottom) - top))
        }
        return (try? picture.png(part)).map { .ok($0, type: "image/png") } ?? .status(500)
      }
      defer { server.stop() }
      let source = try ForeignPipeline("t=tiles:\(server.address)/a/\(name)").open(picture.path)
      for (x, y, width, height) in [(0, 0, 83, 61), (14, 15, 20, 3), (79, 47, 4, 14)] {
        #expect(try picture.isRead(by: source, x, y, width, height))
      }
    }

    @Test(arguments: [1, 8, 15])
    func `a pyramid whose regions would need too many tiles is refused when it is opened`(
      side: Int
    ) throws {
      let server = try LoopbackServer.ofTiles(side, "png", of: picture.pixels.size) { _ in
        .status(404)
      }
      defer { server.stop() }
      #expect(
        picture.refusal(by: "t=tiles,lossy:\(server.address)/p.dzi")
          .contains("its tiles of \(side)x\(side) pixels are too small"))
    }

    @Test(arguments: [("404", "1-0-0"), ("500", "status 500"), ("large", "2-0-0")])
    func `a Zoomify tile is missing only if the server says so`(
      fault: String, expected: String
    ) throws {
      // Rounded up, 33 pixels are halved twice until they fit into a tile of 16; rounded down, once.
      let picture = try TellingPicture(33, 33)
      let tile = try picture.png(.checked(0, 0, 16, 16))
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
        let pipeline = try ForeignPipeline(
          "t=tiles,lossy:\(server.address)/a/ImageProperties.xml")
        #expect(try picture.isRead(by: pipeline.open(picture.path), 0, 0, 16, 16))
        #expect(server.heads.last?.contains("TileGroup0/\(expected).jpg") == true)
      } catch let error as PipelineError {
        #expect(error.reason.contains(expected), "\(error)")
      }
    }

    @Test(arguments: [
      ("status", "503"), ("loop", "redirect"), ("endless", "more than"), ("length", "partial"),
      ("huge", "more than"), ("text", "format"), ("gone", "nothing"), ("silence", "within 2.0 s"),
    ])
    func `an invalid or missing answer is reported in one line, and nothing hangs`(
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
      let line = picture.refusal(by: "h=http,time=2:\(server.address)/{x}/{y}/{w}/{h}")
      #expect(line.localizedCaseInsensitiveContains(reason) && !line.contains("\n"), "\(line)")
    }

    @Test func `a description without an end is refused by its size`() throws {
      let server = try LoopbackServer { _ in .endless }
      defer { server.stop() }
      #expect(
        picture.refusal(by: "i=iiif,time=30:\(server.address)/{name}")
          .contains("an answer of more than 1048576 bytes"))
    }

    @Test func `a connection that ends while a request is on its way is no failure of the server`()
      throws
    {
      let server = try LoopbackServer { target in
        target.hasSuffix("first") ? .statusThenEnd(500) : .ok(Array("yes".utf8), type: "text/plain")
      }
      defer { server.stop() }
      let transport = HTTPTransport(server.address, ForeignOptions())
      #expect(try transport.send(ServerRequest("/first")).status == 500)
      #expect(try transport.send(ServerRequest("/second")).status == 200)
    }

    @Test func `a server of another picture is refused`() throws {
      let server = try LoopbackServer { _ in
        .ok(Array("{\"width\": 61, \"height\": 83}".utf8), type: "application/json")
      }
      defer { server.stop() }
      #expect(picture.refusal(by: "i=iiif:\(server.address)/x").contains("says 61x83"))
    }

    @Test func `names are encoded, slashes too`() {
      #expect("a b/ö.jpg".percentEncoded() == "a%20b%2F%C3%B6.jpg")
      #expect("^max,!/".percentEncoded(except: "!,") == "%5Emax,!%2F")
    }
  }
}
