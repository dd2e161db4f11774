import Testing
import ZoomGeometry
import ZoomLaws

@testable import ZoomViewers

struct TileServerTests {
  private enum Fate: Hashable { case hold, fail, status(Int) }

  private static func server(
    _ tiles: TileScheme, _ faults: [Delivery] = []
  ) throws -> TileServer {
    let screen = try Screen(size: ViewSize(width: 360, height: 480))
    let size = try PixelSize(width: 512, height: 20)
    let gesture = GestureCase(
      script: try GestureScript(screen: screen, events: []), picture: size)
    return TileServer(
      ViewerCase(gesture: gesture, tiles: tiles, delivery: faults),
      of: try ViewerEntry("a", page: "http://localhost/"), [ViewerPicture(card: size)])
  }

  /// Returns the fates of requests for tiles, by their columns, numbers and times, and the right answers.
  private static func fates(
    _ faults: [Delivery], _ asked: [(column: Int, number: Int, time: Double)]
  ) throws -> (fates: [Fate], areRight: [Bool]) {
    let server = try server(TileScheme(.dzi, 128), faults)
    let fates = try asked.map { column, number, time -> Fate in
      let address = "https://v.test/p/512x20/dzi-128/card_files/9/\(column)_0.png?\(number)"
      let request = PageRequest(url: address, network: "1.\(number)", isDocument: false)
      return switch try server.answer(request, at: time) {
      case .hold: .hold
      case .now(let response): .status(response.status)
      case .fail, .network: .fail
      }
    }
    return (fates, server.requests.map(\.isRight))
  }

  @Test(
    arguments: [
      (TileScheme(.dzi, 128), nil, "never asked for …/card.dzi"),
      (TileScheme(.dzi, 128), "dzi-128/card.dzi", "asked for card.dzi, perhaps as an image"),
      (TileScheme(.dzi, 128), "dzi-128/card_files/9/0_0.png", "asked for card_files/9/0_0.png and"),
      (.plain, nil, "never asked for …/card.png"),
      (.plain, "plain/card.png", "asked for card.png and shows nothing"),
    ] as [(TileScheme, String?, String)])
  func `requests tell why a page shows nothing`(
    tiles: TileScheme, asked: String?, says: String
  ) throws {
    let server = try Self.server(tiles)
    if let asked {
      let address = "https://v.test/p/512x20/\(asked)"
      let request = PageRequest(url: address, network: "1.1", isDocument: false)
      _ = try server.answer(request, at: 0)
    }
    #expect(server.whyUnseen.contains(says), "\(server.whyUnseen)")
  }

  @Test func `a delayed answer comes after its delay, and others at once`() throws {
    let (fates, _) = try Self.fates(
      [Delivery(ordinal: 1, .delay(0.5))], [(0, 0, 3), (1, 1, 3), (1, 1, 3.25), (1, 1, 3.5)])
    #expect(fates == [.status(200), .hold, .hold, .status(200)])
  }

  @Test(arguments: [false, true])
  func `a tile fails once or always, also at another address`(_ isAlways: Bool) throws {
    let (fates, areRight) = try Self.fates(
      [Delivery(.fail(status: 503, isAlways: isAlways))], [(0, 0, 0), (1, 1, 0), (0, 2, 1)])
    #expect(fates == [.status(503), .status(200), .status(isAlways ? 503 : 200)])
    #expect(areRight == [false, true, !isAlways])
  }

  @Test func `a connection breaks, and a body is wrong, for one request`() throws {
    let (fates, areRight) = try Self.fates(
      [Delivery(ordinal: 0, .abort), Delivery(ordinal: 1, .wrong)],
      [(0, 0, 0), (1, 1, 0), (1, 2, 1)])
    #expect(fates == [.fail, .status(200), .status(200)])
    #expect(areRight == [false, false, true])
  }
}
