import Dispatch
import Foundation
import Measurement
import Synchronization
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

extension PlayLibrary {
  /// Creates a library whose source "other" reads in another process.
  convenience init(
    _ pictures: [Entry], memory: MemoryBudget = MemoryBudget(),
    findCase: @escaping @Sendable (PlayedCase) async throws -> FoundCase = { _ in
      throw PlayError("there is none")
    }
  ) {
    self.init(
      pictures: pictures, sources: ["automatic", "other"], foreign: ["other"], scripts: [],
      memory: memory, findCase: findCase, save: nil)
  }

  /// Creates a library of a painted picture.
  static func painted(
    _ width: Int = 40, _ height: Int = 30, memory: MemoryBudget = MemoryBudget()
  ) throws -> PlayLibrary {
    PlayLibrary([.painted(try PixelSize(width: width, height: height))], memory: memory)
  }
}

extension PlayLibrary.Entry {
  static func painted(_ size: PixelSize, name: String = "painted") -> PlayLibrary.Entry {
    PlayLibrary.Entry(name: name) { _ in PaintedSource(size) }
  }
}

/// A picture whose opening does not finish before `release` is called.
final class SlowPicture: Sendable {
  private let size: PixelSize?
  private let counts = Mutex((requests: 0, openings: 0))
  private let latch = DispatchSemaphore(value: 0)

  /// Creates a picture of a size; without one, it cannot be opened in the end.
  init(_ size: PixelSize? = nil) { self.size = size }

  var entry: PlayLibrary.Entry {
    PlayLibrary.Entry(
      name: "slow",
      version: { [self] in
        counts.withLock { $0.requests += 1 }
        return nil
      },
      open: { [self] _ in
        counts.withLock { $0.openings += 1 }
        latch.wait()
        latch.signal()
        guard let size else { throw PlayError("it gave no answer") }
        return PaintedSource(size)
      })
  }

  /// The number of requests for it, and of attempts to open it.
  var requests: Int { counts.withLock { $0.requests } }
  var openings: Int { counts.withLock { $0.openings } }

  func waitForOpening() async throws {
    while openings == 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  func release() { latch.signal() }
}

/// The time of a table's first request: long ago enough that no request is in the future, and no longer,
/// because a machine may run for more than the day that a recording may last.
let firstArrival = Timestamps.monotonic() - 10_000_000_000

extension PlayTable {
  /// Takes a request that a page wrote and that arrives some nanoseconds after the first one.
  @discardableResult
  mutating func ask(_ json: String, at time: UInt64 = 0) throws -> PlayAnswer? {
    try take(
      JSONDecoder().decode(PlayRequest.self, from: Data(json.utf8)), arrivedAt: firstArrival + time)
  }

  /// Starts a live system on a screen of this size, shown in two panels: as published and
  /// corrected.
  mutating func press(_ width: Int, _ height: Int, difference: Bool = false) throws {
    let panels = ["original", "corrected"].map { #"{"form":"\#($0)","source":"automatic"}"# }
    try ask(#"{"view":{"panels":[\#(panels.joined(separator: ","))],"difference":\#(difference)}}"#)
    try ask(
      #"{"live":{"picture":0,"system":"peek","screen":{"width":\#(width),"height":\#(height)}}}"#)
  }
}
