/// The cost of a read, in counts that are the same on every run.
public struct Work: Sendable, Hashable, Codable {
  /// The unit in which a format codes its pixels.
  public enum Unit: String, Sendable, Hashable, Codable {
    /// A JPEG's minimum coded unit.
    case mcu
    /// A strip of a TIFF.
    case strip
    /// A tile of a HEIF grid.
    case tile
    /// A row of a PNG or of a one-strip TIFF.
    case row
  }

  /// Requests to a server for a remote picture, and their answers.
  public struct Fetched: Sendable, Hashable, Codable {
    /// Requests sent; redirected ones and those of indexes included.
    public var requests = 0
    /// Bytes of the answers, without their heads.
    public var bytes = 0
    /// The length of the longest chain of requests that waited for each other.
    public var roundTrips = 0

    /// Returns the sum of two counts.
    public static func + (left: Fetched, right: Fetched) -> Fetched {
      var sum = left
      sum.requests += right.requests
      sum.bytes += right.bytes
      sum.roundTrips += right.roundTrips
      return sum
    }

    static func - (left: Fetched, right: Fetched) -> Fetched {
      Fetched(
        requests: left.requests - right.requests, bytes: left.bytes - right.bytes,
        roundTrips: left.roundTrips - right.roundTrips)
    }
  }

  /// Bytes read from the file; nil if the format does not allow counting them.
  public var bytesRead: Int?
  /// Coded units decoded; nil for formats without any.
  public var unitsDecoded: Int?
  /// The unit that `unitsDecoded` counts.
  public var unit: Unit?
  /// Coded units that were parsed but not decoded, to find where others begin.
  public var unitsWalked: Int
  /// Pixels decoded, needed or not; nil if the decoder does not report them.
  public var pixelsDecoded: Int?
  /// Pixels returned to the caller.
  public var pixelsDelivered: Int
  /// The requests to a server; nil for local files.
  public var fetched: Fetched?

  /// Creates the cost of a read.
  public init(
    bytesRead: Int?, unitsDecoded: Int? = nil, unit: Unit? = nil, unitsWalked: Int = 0,
    pixelsDecoded: Int?, pixelsDelivered: Int
  ) {
    self.bytesRead = bytesRead
    self.unitsDecoded = unitsDecoded
    self.unit = unit
    self.unitsWalked = unitsWalked
    self.pixelsDecoded = pixelsDecoded
    self.pixelsDelivered = pixelsDelivered
  }

  /// Pixels decoded per pixel delivered: 0 from memory, and at least 1 if all come from a file.
  public var decodedPerDelivered: Double? {
    pixelsDecoded.map { Double($0) / Double(max(1, pixelsDelivered)) }
  }

  /// Returns the sum of two costs; an unknown count of bytes or pixels makes the sum unknown.
  public static func + (left: Work, right: Work) -> Work {
    var sum = left
    sum.bytesRead = left.bytesRead.flatMap { one in right.bytesRead.map { one + $0 } }
    if left.unitsDecoded != nil || right.unitsDecoded != nil {
      sum.unitsDecoded = (left.unitsDecoded ?? 0) + (right.unitsDecoded ?? 0)
    }
    sum.unit = left.unit ?? right.unit
    sum.unitsWalked += right.unitsWalked
    sum.pixelsDecoded = left.pixelsDecoded.flatMap { one in right.pixelsDecoded.map { one + $0 } }
    sum.pixelsDelivered += right.pixelsDelivered
    if let more = right.fetched { sum.fetched = (left.fetched ?? Fetched()) + more }
    return sum
  }

  init(opening bytesRead: Int?, fetched: Fetched? = nil) {
    self.init(bytesRead: bytesRead, pixelsDecoded: 0, pixelsDelivered: 0)
    self.fetched = fetched
  }

  static func fromMemory(delivering pixels: Int) -> Work {
    Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: pixels)
  }

  package static let none = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
}
