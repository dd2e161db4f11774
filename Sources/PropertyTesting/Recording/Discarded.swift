/// Says that a case is no test of the property: a filter or an assumption turned it away.
public struct Discarded: Error, Sendable {
  /// A case to be thrown away and counted as such.
  public init() {}
}
