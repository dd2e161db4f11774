import Foundation
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

extension PlayLibrary {
  /// Creates a library of one picture, whose source `open` returns.
  convenience init(
    open: @escaping @Sendable () throws -> any RegionSource,
    findCase: @escaping @Sendable (PlayedCase) async throws -> FoundCase = { _ in
      throw PlayError("there is none")
    }
  ) {
    self.init(
      pictures: [Entry(name: "painted", open: { _ in try open() })], sources: ["automatic"],
      scripts: [], findCase: findCase, save: nil)
  }

  /// Creates a library of a painted picture.
  static func painted(_ width: Int = 40, _ height: Int = 30) throws -> PlayLibrary {
    let size = try PixelSize(width: width, height: height)
    return PlayLibrary(open: { PaintedSource(size) })
  }
}

extension PlayTable {
  /// Takes a request that a page wrote.
  @discardableResult
  mutating func ask(_ json: String, at time: UInt64 = 0) throws -> PlayAnswer? {
    try take(JSONDecoder().decode(PlayRequest.self, from: Data(json.utf8)), arrivedAt: time)
  }

  /// Starts a screen, published and corrected.
  mutating func press(_ width: Int, _ height: Int, difference: Bool = false) throws {
    let panels = ["original", "corrected"].map { #"{"form":"\#($0)","source":"automatic"}"# }
    try ask(#"{"view":{"panels":[\#(panels.joined(separator: ","))],"difference":\#(difference)}}"#)
    try ask(
      #"{"live":{"picture":0,"system":"peek","screen":{"width":\#(width),"height":\#(height)}}}"#)
  }
}
