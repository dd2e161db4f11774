internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomCorpus

/// A file written by `compare` or `bench` with `--format json`, distinguished by its schema.
enum ResultFile {
  case comparison(BuildComparison)
  case bench(BenchReport)

  /// Reads a file.
  ///
  /// - Throws: `Failure` of code 66 for a file that cannot be read, and 65 for one that is not a
  ///   result, names another schema or contradicts itself.
  init(_ name: String) throws {
    try self.init(name: name, content: try Self.contents(of: name))
  }

  /// The most bytes of a file: some hundred times the largest results.
  private static let mostBytes = 1 << 28

  /// Reads a whole file, which may be a pipe.
  static func contents(of name: String, limit: Int = mostBytes) throws -> Data {
    do {
      let file = try FileDescriptor.open(FilePath(name), .readOnly, options: .closeOnExec)
      return try file.closeAfter {
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while data.count <= limit {
          let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
          if count == 0 { return data }
          data += chunk[..<count]
        }
        throw Failure(
          .badInput,
          "\(name): read: it has more than \(Format.bytes(Double(limit))) (check the name)")
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      let code = error as? Errno
      let problem =
        switch code {
        case .noSuchFileOrDirectory, .notDirectory: "there is no such file (check the name)"
        default:
          FilePath.isFolder(name)
            ? "it is a folder (name a file)" : "\(error.systemReason) (check its permissions)"
        }
      throw Failure(.noInput, "\(name): read: \(problem)")
    }
  }

  /// Reads a file written by `verify --format json`.
  static func verification(_ name: String) throws -> VerifyReport {
    try decoded(VerifyReport.self, from: try contents(of: name), in: name, of: "verify")
  }

  /// Decodes the content of a file; the name is for messages.
  init(name: String, content: Data) throws {
    struct Header: Decodable { var schema: String? }
    let schema = try Self.decoded(Header.self, from: content, in: name).schema
    switch schema {
    case BuildComparison.currentSchema:
      let result = try Self.decoded(BuildComparison.self, from: content, in: name)
      if let fault = result.contradiction { throw Self.refusal(name, fault) }
      self = .comparison(result)
    case BenchReport.currentSchema:
      let report = try Self.decoded(BenchReport.self, from: content, in: name)
      if let fault = report.contradiction { throw Self.refusal(name, fault) }
      self = .bench(report)
    case nil where (try? JSONDecoder().decode(VerifyReport.self, from: content)) != nil:
      throw Failure(
        .badInput,
        "\(name): read: report does not read verify's results (use verify --format page)")
    default:
      throw Self.refusal(
        name, schema.map { "its schema is \($0.prefix(80))" } ?? "it names no schema")
    }
  }

  private static func decoded<Value: Decodable>(
    _ type: Value.Type, from content: Data, in name: String, of writers: String = "compare or bench"
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: content)
    } catch let DecodingError.keyNotFound(key, context) {
      throw refusal(name, "\(place(context.codingPath + [key])) is missing", of: writers)
    } catch let DecodingError.typeMismatch(_, context) {
      throw refusal(name, "\(place(context.codingPath)) has another type", of: writers)
    } catch let DecodingError.valueNotFound(_, context) {
      throw refusal(name, "\(place(context.codingPath)) is null", of: writers)
    } catch let DecodingError.dataCorrupted(context) {
      throw refusal(name, "\(place(context.codingPath)) is not what it should be", of: writers)
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the whole" : path.map(\.stringValue).joined(separator: ".")
  }

  private static func refusal(
    _ name: String, _ reason: String, of writers: String = "compare or bench"
  ) -> Failure {
    Failure(
      .badInput,
      "\(name): read: it is no result of zoombench: \(reason) (use what \(writers) "
        + "--format json wrote)")
  }
}

extension BuildComparison {
  /// A short description of a contradiction in this result; nil if there is none.
  ///
  /// A file is hostile input: charts and exports rely only on these checks.
  var contradiction: String? {
    for (number, one) in cases.enumerated() {
      for launch in one.launches + one.confirmation where launch.contradicts {
        return "columns of case \(number) have unequal lengths, or a launch no repeats"
      }
      let counts = [one.counters.base, one.counters.candidate].flatMap(\.values)
      if counts.contains(where: { $0 < 0 }) { return "a count of case \(number) is negative" }
      if one.tails?.contradicts == true {
        return "a tail of case \(number) is not above zero, or its interval is upside down"
      }
      for estimate in [one.cpu, one.wall] + [one.confirmed].compactMap({ $0 })
      where !(estimate.ratio > 0) || estimate.interval.map({ !($0.lower <= $0.upper) }) == true {
        return "a ratio of case \(number) is not above zero, or its interval is upside down"
      }
    }
    return nil
  }
}

extension PairedLaunch {
  fileprivate var contradicts: Bool {
    let columns = [base, candidate].flatMap { [$0.wallNanoseconds.count, $0.cpuNanoseconds.count] }
    return repeats < 1 || columns.contains { $0 != pairs }
  }
}

extension TailLatency {
  fileprivate var contradicts: Bool {
    [p95, p99].compactMap(\.self).flatMap { [$0.base, $0.candidate, $0.ratio] }.contains { tail in
      let ends = (tail.lower ?? tail.value, tail.upper ?? tail.value)
      return !(tail.value > 0) || !(ends.0 > 0) || !(ends.0 <= ends.1)
    }
  }
}

extension BenchReport {
  /// A short description of a contradiction in this report; nil if there is none.
  var contradiction: String? {
    for (number, group) in groups.enumerated() {
      guard let picture = pictures.first(where: { $0.name == group.picture }) else {
        return "group \(number) is of a picture that is not listed"
      }
      guard picture.width > 0, picture.height > 0 else {
        return "the picture of group \(number) has no pixels"
      }
      let columns = group.arms.flatMap { [$0.wallNanoseconds.count, $0.cpuNanoseconds.count] }
      guard columns.allSatisfy({ $0 == group.rounds.count }) else {
        return "columns of group \(number) have unequal lengths"
      }
    }
    return nil
  }
}
