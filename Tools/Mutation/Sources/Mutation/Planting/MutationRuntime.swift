/// What the mutated sources call to learn which mutant is chosen, and to note what is reached.
public enum MutationRuntime {
  /// The environment's variable that holds the number of the chosen mutant.
  public static let mutantVariable = "MUTATION_ACTIVE"
  /// The environment's variable that names a file of a byte for each block, to be set to 1 where it
  /// is reached.
  public static let notesVariable = "MUTATION_NOTES"

  /// Swift to be compiled into every mutated target.
  ///
  /// The file of notes is mapped, so that they are kept however the program ends. It is public for
  /// default arguments, which are compiled in their callers.
  ///
  /// - Parameter blockCount: The length of the file of notes.
  /// - Returns: A whole file.
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
