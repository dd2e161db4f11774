internal import SwiftOperators
internal import SwiftParser
internal import SwiftSyntax

extension Schemata {
  /// Writes the mutants of a source.
  ///
  /// - Parameters:
  ///   - source: The Swift source.
  ///   - file: Its path relative to the package's folder.
  ///   - firstID: The number of the first mutant.
  ///   - firstBlock: The number of the first block.
  ///   - isLeftOut: Whether a variant is known not to compile. If the unchanged variant does not compile, the body is
  ///     copied from the source.
  public init(
    of source: String, file: String, firstID: Int, firstBlock: Int,
    isLeftOut: (Variant) -> Bool
  ) {
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    let places = SourceLocationConverter(fileName: file, tree: tree)
    let bodies = BodyFinder(viewMode: .sourceAccurate)
    bodies.walk(tree)
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
          edit, of: source, file: file, function: body.function, id: firstID + mutants.count,
          places: places)
        mutants.append(mutant)
        mutant.block = inner.last { $0.range.holds(edit.range) }?.id ?? block
        seen[mutant.function + mutant.name, default: 0] += 1
        mutant.occurrence = seen[mutant.function + mutant.name, default: 1]
        mutants[mutants.count - 1] = mutant
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
  /// Returns whether this range contains another range.
  func holds(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}

extension Mutant {
  init(
    _ edit: MutantFinder.Edit, of source: String, file: String, function: String, id: Int,
    places: SourceLocationConverter
  ) {
    func place(_ offset: Int) -> Place {
      let location = places.location(for: AbsolutePosition(utf8Offset: offset))
      return Place(line: location.line, column: location.column)
    }
    self.init(
      id: id, file: file, function: function, mutationOperator: edit.mutationOperator,
      original: String(decoding: Array(source.utf8)[edit.range], as: UTF8.self),
      replacement: edit.replacement, range: edit.range, start: place(edit.range.lowerBound),
      end: place(edit.range.upperBound))
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
    case .statements(let isValue):
      let start = isValue ? "return " : ""
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
    case .initialValue:
      append("switch MutationRuntime.active(in: \(block)) {\n")
      for mutant in mutants {
        append("case \(mutant.id):\n")
        append(edited(range, mutant) + "\n", as: .mutant(mutant.id))
      }
      append("default:\n")
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
