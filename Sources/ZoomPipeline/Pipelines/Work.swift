/// What a read cost, in counts that are the same on every run.
public struct Work: Sendable, Hashable, Codable {
  /// The unit in which a format codes its pixels.
  public enum Unit: String, Sendable, Hashable, Codable {
    /// A JPEG's minimum coded unit.
    case mcu
    /// A strip of a TIFF.
    case strip
    /// A tile of a HEIF grid.
    case tile
    /// A row of a PNG.
    case row
  }

  /// Bytes read from the file; nil where the format does not let it be known.
  public var bytesRead: Int?
  /// Coded units decoded; nil for formats without any.
  public var unitsDecoded: Int?
  /// Which unit `unitsDecoded` counts.
  public var unit: Unit?
  /// Coded units whose bits were walked through but not decoded, to find where others begin.
  public var unitsWalked: Int
  /// Pixels decoded, needed or not; nil where the decoder does not let it be seen.
  public var pixelsDecoded: Int?
  /// Pixels handed out.
  public var pixelsDelivered: Int

  /// Puts the counts together.
  /// - Parameters:
  ///   - bytesRead: bytes read from the file.
  ///   - unitsDecoded: coded units decoded.
  ///   - unit: which unit that is.
  ///   - unitsWalked: coded units stepped over.
  ///   - pixelsDecoded: pixels decoded.
  ///   - pixelsDelivered: pixels handed out.
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

  /// Pixels decoded for each pixel handed out: 1 is the least, 0 means from memory.
  public var decodedPerDelivered: Double? {
    pixelsDecoded.map { Double($0) / Double(max(1, pixelsDelivered)) }
  }

  /// Adds two costs; a count of bytes or pixels that is not known stays so.
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
    return sum
  }

  /// Opening a picture: bytes read and no pixel.
  init(opening bytesRead: Int?) {
    self.init(bytesRead: bytesRead, pixelsDecoded: 0, pixelsDelivered: 0)
  }

  /// A read that touched no file and decoded nothing.
  static func fromMemory(delivering pixels: Int) -> Work {
    Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: pixels)
  }

  static let none = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
}
