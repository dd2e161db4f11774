internal import Synchronization
internal import SystemPackage

/// The bytes that decoded pictures kept in memory may take together.
public final class RasterBudget: Sendable {
  /// The limit in bytes.
  public let limit: Int
  private let reserved = Mutex(0)

  /// Sets a limit.
  /// - Parameter limit: bytes, at least 0.
  public init(limit: Int) {
    precondition(limit >= 0, "a byte budget cannot be negative")
    self.limit = limit
  }

  /// The budget of a run that names none: enough for a picture of 178 megapixels in 8-bit RGB,
  /// and a small part of any machine that looks at such pictures.
  public static var standardLimit: Int { 512 << 20 }

  /// Bytes in use now.
  public var inUse: Int { reserved.withLock { $0 } }

  /// Takes bytes for as long as the reservation lives.
  func reserve(_ bytes: Int, for path: FilePath) throws(PipelineError) -> Reservation {
    let granted = reserved.withLock { used in
      guard bytes <= limit - used else { return false }
      used += bytes
      return true
    }
    guard granted else {
      throw PipelineError(
        .overBudget, operation: "resident", file: path,
        reason: "its raster of \(bytes.megabytes) exceeds the budget:"
          + " \(inUse.megabytes) of \(limit.megabytes) in use",
        advice: "raise the budget or use another source")
    }
    return Reservation(budget: self, bytes: bytes)
  }

  /// A share of the budget, given back when it goes.
  final class Reservation: Sendable {
    private let budget: RasterBudget
    private let bytes: Int

    fileprivate init(budget: RasterBudget, bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.reserved.withLock { $0 -= bytes } }
  }
}

extension Int {
  /// A number of bytes as people read it, rounded up so that nothing shows as none.
  var megabytes: String { "\(self / 1_000_000 + (isMultiple(of: 1_000_000) ? 0 : 1)) MB" }
}
