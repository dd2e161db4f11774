/// The code in mutated sources that selects the mutant and records reached blocks.
public enum MutationRuntime {
  /// The environment variable with the number of the selected mutant.
  public static let mutantVariable = "MUTATION_ACTIVE"
  /// The environment variable with the path of a notes file, which has one byte per block: 1 if it is reached.
  public static let notesVariable = "MUTATION_NOTES"

  /// Returns the Swift source of the runtime, which is compiled into every mutated target.
  ///
  /// The notes file is memory-mapped, so that notes survive any end of the program. The type is public because default
  /// arguments are compiled in their callers.
  ///
  /// - Parameter blockCount: The length of the notes file.
  /// - Returns: The text of a source file.
  public static func source(blockCount: Int) -> String {
    """
    #if canImport(Glibc)
      internal import Glibc
    #elseif canImport(Musl)
      internal import Musl
    #else
      internal import Darwin
    #endif

    public enum MutationRuntime {
      private nonisolated(unsafe) static let notes: UnsafeMutablePointer<UInt8>? = {
        guard let path = getenv("\(notesVariable)") else { return nil }
        let file = open(path, O_RDWR)
        let map = mmap(nil, \(max(1, blockCount)), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard file >= 0, let map, map != MAP_FAILED else { fatalError("no notes in \\(path)") }
        return map.assumingMemoryBound(to: UInt8.self)
      }()

      private static let chosen: Int =
        notes != nil ? -1 : getenv("\(mutantVariable)").map { atol($0) } ?? 0

      public static func note(_ block: Int) { notes?[block] = 1 }

      public static func active(in block: Int) -> Int {
        if chosen == -1 { note(block) }
        return chosen
      }
    }

    """
  }
}
