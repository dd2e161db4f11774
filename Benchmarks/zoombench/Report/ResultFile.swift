internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus
internal import ZoomLoad

/// Files that a command wrote with `--format json`.
enum ResultFile {
  /// Reads a result.
  ///
  /// - Throws: `Failure` of code 66 for a file that cannot be read, and 65 for one that is not a
  ///   result, names another schema or contradicts itself.
  static func read(_ name: String) throws -> RunResult {
    try result(named: name, content: try contents(of: name))
  }

  /// The most bytes of a file: some hundred times the largest results.
  private static let mostBytes = 1 << 28

  /// Reads a whole file, which may be a pipe.
  static func contents(of name: String, limit: Int = mostBytes) throws -> Data {
    var data = Data()
    do {
      let file = try FileDescriptor.open(FilePath(name), .readOnly, options: .closeOnExec)
      try file.closeAfter {
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while data.count <= limit {
          let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
          if count == 0 { break }
          data += chunk[..<count]
        }
      }
    } catch {
      let problem =
        switch error as? Errno {
        case .noSuchFileOrDirectory, .notDirectory: "there is no such file (check the name)"
        default:
          FilePath.isFolder(name)
            ? "it is a folder (name a file)" : "\(error.systemReason) (check its permissions)"
        }
      throw Failure(.noInput, "\(name): read: \(problem)")
    }
    guard data.count <= limit else {
      throw Failure(
        .badInput,
        "\(name): read: it has more than \(Format.bytes(Double(limit))) (check the name)")
    }
    return data
  }

  /// Decodes the content of a file, and computes rows and conclusion again; the name is for messages.
  static func result(named name: String, content: Data) throws -> RunResult {
    struct Header: Decodable { var schema: String? }
    switch try decoded(Header.self, from: content, in: name).schema {
    case RunResult.currentSchema: break
    case "zoombench.bench/1", "zoombench.compare/1":
      throw Failure(.badInput, "\(name): read: it was written by zoombench 0.2 (measure again)")
    case let schema:
      throw refusal(
        name, schema.map { "its schema is \($0.prefix(80))" } ?? "it names no schema")
    }
    var result = try decoded(RunResult.self, from: content, in: name)
    if let fault = result.contradiction { throw refusal(name, fault) }
    result.judge()
    return result
  }

  private static func decoded<Value: Decodable>(
    _ type: Value.Type, from content: Data, in name: String
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: content)
    } catch let DecodingError.keyNotFound(key, context) {
      throw refusal(name, "\(keys(context.codingPath + [key])) is missing")
    } catch let DecodingError.typeMismatch(_, context) {
      throw refusal(name, "\(keys(context.codingPath)) has another type")
    } catch let DecodingError.valueNotFound(_, context) {
      throw refusal(name, "\(keys(context.codingPath)) is null")
    } catch let DecodingError.dataCorrupted(context) {
      throw refusal(name, "\(keys(context.codingPath)) is invalid")
    }
  }

  private static func keys(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the content" : path.map(\.stringValue).joined(separator: ".")
  }

  private static func refusal(_ name: String, _ reason: String) -> Failure {
    Failure(
      .badInput,
      "\(name): read: it is not a result of zoombench: \(reason) (use a file that"
        + " --format json wrote)")
  }
}

extension RunResult {
  /// A short description of a contradiction in this result; nil if there is none.
  ///
  /// A file is hostile input: writers and the page rely only on these checks.
  var contradiction: String? {
    if kind == .bench, pictures.contains(where: { $0.width < 1 || $0.height < 1 }) {
      return "a picture lacks pixels"
    }
    if kind == .compare, contenders.count != 2 || seconds == nil || settings.gate == nil {
      return "a contender, seconds or settings.gate is missing"
    }
    let names = Set(pictures.map(\.name))
    for (number, row) in rows.enumerated() {
      let fault: String? =
        switch kind {
        case .bench: benchContradiction(row, pictures: names)
        case .compare: row.comparison?.contradiction
        case .verify: row.law?.contradiction
        case .index, .inspect: row.file?.contradiction
        case .load: row.load == nil ? "lacks a load" : row.load?.contradiction
        }
      if let fault { return "row \(number) \(fault)" }
    }
    return nil
  }

  private func benchContradiction(_ row: Row, pictures: Set<String>) -> String? {
    guard let answers = row.bench else {
      return [.failed, .refused, .unmeasured].contains(row.verdict.word)
        ? nil : "lacks answers although it is called \(row.verdict.word.rawValue)"
    }
    guard let picture = row.picture, pictures.contains(picture) else {
      return "is of a picture that is not listed"
    }
    guard let regions = row.group.flatMap({ groups[$0]?.regions }),
      regions.allSatisfy({ $0.count == 4 })
    else { return "is of a group without regions" }
    guard row.wall.map(\.count) == row.cpu.map(\.count),
      row.wall.joined().count == regions.count
    else { return "has columns of unequal lengths" }
    let answered = [answers.agreed, answers.differing, answers.alike?.count ?? 0]
    guard answered.allSatisfy({ (0...regions.count).contains($0) }) else {
      return "has more answers than rounds"
    }
    return row.counters.values.allSatisfy((0...mostCounted).contains)
      ? nil : "has an impossible count"
  }
}

/// The largest possible count of bytes or pixels in a row: a petabyte.
private let mostCounted = 1 << 50
/// The largest possible number of cases of a law, which no file has enough laws to make overflow.
private let mostCases = 1 << 40

extension CaseComparison {
  fileprivate var contradiction: String? {
    let hasWrongLaunch = (launches + confirmation).contains { launch in
      let columns = [launch.base, launch.candidate].flatMap {
        [$0.wallNanoseconds.count, $0.cpuNanoseconds.count]
      }
      return launch.repeats < 1 || columns.contains { $0 != launch.pairs }
    }
    if hasWrongLaunch { return "has columns of unequal lengths, or a launch without repeats" }
    if [counters.base, counters.candidate].flatMap(\.values).contains(where: { $0 < 0 }) {
      return "has a negative count"
    }
    let changes = [cpu, wall, confirmed].compactMap(\.self)
    var ratios = changes.map { ($0.ratio, $0.interval) }
    ratios += [tails?.p95, tails?.p99].compactMap { $0.map { ($0.ratio, $0.interval) } }
    let isSound = ratios.allSatisfy { ratio, interval in
      ratio > 0 && (interval.map { $0.lower > 0 && $0.lower <= $0.upper } ?? true)
    }
    return isSound ? nil : "has a ratio that is not above zero, or an interval upside down"
  }
}

extension VerifyReport.LawRow {
  fileprivate var contradiction: String? {
    let counts =
      [cases, discards] + classes.map(\.count) + breaches.map(\.evaluations)
      + breaches.compactMap(\.foundAfter)
    // Their sum must be finite.
    let isTimed = (0...1e15).contains(seconds)
    return isTimed && counts.allSatisfy((0...mostCases).contains)
      ? nil : "has an impossible number"
  }
}
