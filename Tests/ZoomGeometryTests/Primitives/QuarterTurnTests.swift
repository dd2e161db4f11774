import Foundation
import Testing
import ZoomGeometry

struct QuarterTurnTests {
  @Test func `turns add in a circle of four`() {
    for turn in QuarterTurn.allCases {
      #expect(turn + .none == turn)
      #expect(turn + turn.inverse == .none)
      #expect(turn + turn + turn + turn == .none)
      for other in QuarterTurn.allCases { #expect(turn + other == other + turn) }
    }
    #expect(QuarterTurn.clockwise + .clockwise == .half)
    #expect(QuarterTurn.clockwise.inverse == .counterclockwise)
    #expect(QuarterTurn.half.inverse == .half)
  }

  @Test func `odd turns swap width and height`() throws {
    let size = try PixelSize(width: 3, height: 5)
    let view = ViewSize(width: 3, height: 5)
    for turn in QuarterTurn.allCases {
      let swaps = turn == .clockwise || turn == .counterclockwise
      #expect(turn.swapsAxes == swaps)
      #expect(size.turned(by: turn) == (swaps ? size.transposed : size))
      #expect(view.turned(by: turn) == (swaps ? ViewSize(width: 5, height: 3) : view))
    }
  }

  @Test func `angles are clockwise and at most half a turn`() {
    let quarter = Double.pi / 2
    #expect(QuarterTurn.allCases.map(\.radians) == [0, quarter, .pi, -quarter])
  }

  @Test func `turns are stored as degrees`() throws {
    let stored = try JSONEncoder().encode(QuarterTurn.allCases)
    #expect(String(decoding: stored, as: UTF8.self) == "[0,90,180,270]")
    #expect(try JSONDecoder().decode([QuarterTurn].self, from: stored) == QuarterTurn.allCases)
  }

  @Test(arguments: ["45", "-90", "360", "1", "90.5", "9223372036854775807", #""90""#])
  func `other degrees are refused`(degrees: String) {
    let stored = Data("[\(degrees)]".utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([QuarterTurn].self, from: stored)
    }
  }
}
