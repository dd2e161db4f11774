/// One pixel, named by its column and row, counted from the top left corner and from zero.
///
/// It is not validated by itself: whether it lies inside depends on the picture.
public struct PixelPoint: Sendable, Hashable, Codable {
  /// The column.
  public var x: Int

  /// The row.
  public var y: Int

  /// Creates a point from a column and a row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

extension PixelPoint: CustomStringConvertible {
  /// The column and the row: "(612, 413)".
  public var description: String { "(\(x), \(y))" }
}
