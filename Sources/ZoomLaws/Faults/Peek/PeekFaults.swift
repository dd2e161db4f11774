/// Mistakes in a peek that its laws have to find, or are proven unable to.
public enum PeekFaults {
  /// All of them: those of crops, those of the frame and of what else is answered, those of the
  /// integer region, and those in what is made of the input.
  public static let all: [SeededFault<PeekSubject>] =
    cropFaults + outlineFaults + regionFaults + inputFaults
}
