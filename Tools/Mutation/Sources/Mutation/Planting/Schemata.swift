internal import SwiftOperators
internal import SwiftParser
internal import SwiftSyntax

/// A source with all its mutants; the program selects one when it starts.
///
/// A `switch` contains each body once per mutant, once with coverage notes, and once unchanged. So the line of a
/// compiler error identifies the variant.
package struct Schemata: Sendable {
  /// The purpose of a range of lines of the text.
  package enum Variant: Sendable, Hashable {
    /// A mutant, by its number.
    case mutant(Int)
    /// A body with coverage notes, by its block.
    case notes(block: Int)
    /// An unchanged body and the code around its variants, by its block.
    case unchanged(block: Int)
  }

  /// The mutants in source order, including those that are not in the text.
  package let mutants: [Mutant]
  package let text: String
  let stretches: [(lines: ClosedRange<Int>, variant: Variant)]
  let nextBlock: Int

  /// Returns the variant of a line of the text; nil for a line copied from the source.
  package func variant(ofLine line: Int) -> Variant? {
    stretches.last { $0.lines.contains(line) }?.variant
  }
}

extension Schemata {
  /// Creates the text with all mutants of a source; `firstID` and `firstBlock` are the first free numbers.
  ///
  /// Variants that are known not to compile are left out. If the unchanged variant is left out, the body is copied with
  /// no switch.
  package init(
    of source: String, file: String, firstID: Int, firstBlock: Int, isLeftOut: (Variant) -> Bool
  ) {
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    let places = SourceLocationConverter(fileName: file, tree: tree)
    let bodies = BodyFinder(viewMode: .sourceAccurate)
    bodies.walk(tree)
    let bytes = Array(source.utf8)
    var writer = SchemataWriter(source: source)
    var mutants: [Mutant] = []
    var nextBlock = firstBlock
    var seen: [String: Int] = [:]
    for body in bodies.bodies {
      let finder = MutantFinder(source: source)
      finder.walk(body.node)
      guard !finder.edits.isEmpty else { continue }
      let block = nextBlock
      let inner = body.blocks.enumerated().map { (id: block + 1 + $0, range: $1.textRange) }
      nextBlock += 1 + inner.count
      let own = finder.edits.map { edit in
        var mutant = Mutant(
          id: firstID + mutants.count, file: file, function: body.function,
          mutationOperator: edit.mutationOperator,
          original: String(decoding: bytes[edit.range], as: UTF8.self),
          replacement: edit.replacement, range: edit.range,
          line: places.location(for: AbsolutePosition(utf8Offset: edit.range.lowerBound)).line,
          block: inner.last { $0.range.holds(edit.range) }?.id ?? block)
        seen[mutant.function + mutant.name, default: 0] += 1
        mutant.occurrence = seen[mutant.function + mutant.name, default: 1]
        mutants.append(mutant)
        return mutant
      }
      guard !isLeftOut(.unchanged(block: block)) else { continue }
      writer.write(
        body, own.filter { !isLeftOut(.mutant($0.id)) }, block: block,
        notes: isLeftOut(.notes(block: block)) ? [] : inner)
    }
    writer.finish()
    self.init(
      mutants: mutants, text: writer.text, stretches: writer.stretches, nextBlock: nextBlock)
  }
}

extension Range<Int> {
  func holds(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}

/// A writer of a mutated source, which records the variant of each line.
private struct SchemataWriter {
  private let source: [UInt8]
  private var copied = 0
  private var line = 1
  private(set) var text = ""
  private(set) var stretches: [(lines: ClosedRange<Int>, variant: Schemata.Variant)] = []

  init(source: String) { self.source = Array(source.utf8) }

  mutating func write(
    _ body: Body, _ mutants: [Mutant], block: Int, notes: [(id: Int, range: Range<Int>)]
  ) {
    let range = body.node.textRange
    append(source[copied..<range.lowerBound])
    copied = range.upperBound
    let first = line
    let place = stretches.count
    switch body.form {
    case .statements(let isReturned):
      let start = isReturned ? "return " : ""
      append("switch MutationRuntime.active(in: \(block)) {\n")
      for mutant in mutants {
        append("case \(mutant.id):\n")
        append(start + edited(range, mutant) + "\n", as: .mutant(mutant.id))
      }
      if !notes.isEmpty {
        append("case -1:\n")
        append(start + noted(range, notes) + "\n", as: .notes(block: block))
      }
      append("default:\n" + start)
      append(source[range])
      append("\n}\n")
    case .defaultArgument:
      for mutant in mutants {
        append(
          "MutationRuntime.active(in: \(block)) == \(mutant.id) ? \(edited(range, mutant)) :\n",
          as: .mutant(mutant.id))
      }
      append(source[range])
    }
    stretches.insert((first...line, .unchanged(block: block)), at: place)
  }

  mutating func finish() { append(source[copied...]) }

  private func edited(_ range: Range<Int>, _ mutant: Mutant) -> String {
    String(decoding: source[range.lowerBound..<mutant.range.lowerBound], as: UTF8.self)
      + mutant.replacement
      + String(decoding: source[mutant.range.upperBound..<range.upperBound], as: UTF8.self)
  }

  private func noted(_ range: Range<Int>, _ notes: [(id: Int, range: Range<Int>)]) -> String {
    var result = ""
    var done = range.lowerBound
    for note in notes {
      result += String(decoding: source[done..<note.range.lowerBound], as: UTF8.self)
      result += "MutationRuntime.note(\(note.id));"
      done = note.range.lowerBound
    }
    return result + String(decoding: source[done..<range.upperBound], as: UTF8.self)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    append(String(decoding: bytes, as: UTF8.self))
  }

  private mutating func append(_ piece: String, as variant: Schemata.Variant? = nil) {
    text += piece
    let end = line + piece.utf8.count { $0 == UInt8(ascii: "\n") }
    if let variant { stretches.append((line...max(line, end - 1), variant)) }
    line = end
  }
}

/// The code in mutated sources that selects the mutant and records reached blocks.
package enum MutationRuntime {
  /// The environment variable with the number of the selected mutant.
  package static let mutantVariable = "MUTATION_ACTIVE"
  /// The environment variable with the path of a notes file, which has one byte per block: 1 if the block is reached.
  package static let notesVariable = "MUTATION_NOTES"

  /// Returns the Swift source of the runtime, which is compiled into every mutated target.
  ///
  /// The notes file is memory-mapped, so that notes survive any end of the program. The type is public
  /// because default arguments are compiled in their callers.
  package static func source(blockCount: Int) -> String {
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
