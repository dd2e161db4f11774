/// Mistakes in a double tap that its laws have to find, or are proven unable to.
public enum DoubleTapFaults {
  /// All of them: those of where the picture stands, and those of when and how far it zooms.
  public static let all: [SeededFault<DoubleTapSubject>] = positionFaults + decisionFaults
}
