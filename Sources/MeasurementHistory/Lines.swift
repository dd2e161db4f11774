internal import Foundation
internal import GRDB

extension HistoryStore {
  /// Names the format of an export; the number goes up when a reader must change.
  package static let lineSchema = "zoombench.history/1"

  /// What stands in an export's first line: the schema and what people have decided.
  struct Header: Codable {
    var schema: String
    var baselines: [Baseline]
    var acceptances: [Acceptance]

    // The first name of acceptances is part of the format.
    private enum CodingKeys: String, CodingKey {
      case schema, baselines
      case acceptances = "acknowledgements"
    }
  }

  /// What an import did.
  package struct ImportCount: Sendable, Hashable {
    /// Runs that were not there before.
    package var added = 0
    /// Runs that were.
    package var known = 0
  }

  /// The whole history as JSON lines: a header, then one run a line in order.
  ///
  /// The same history gives the same bytes, wherever it came from.
  package func exported() throws(HistoryError) -> String {
    try reading { db in
      let header = Header(
        schema: Self.lineSchema, baselines: try Self.baselines(db),
        acceptances: try Self.acceptances(db))
      var text = try JSONText.text(of: header) + "\n"
      for id in try String.fetchAll(db, sql: "SELECT id FROM runs \(RunRows.order)") {
        if let run = try RunRows.fetch(id: id, db) { text += try JSONText.text(of: run) + "\n" }
      }
      return text
    }
  }

  /// Adds what an export holds; what is there already is left.
  ///
  /// - Parameter bytes: an export of this machine or another.
  /// - Returns: How many runs were new.
  /// - Throws: `badLine` with the number of the first line that cannot be taken; nothing is kept
  ///   then.
  package func importLines(_ bytes: [UInt8]) throws(HistoryError) -> ImportCount {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last line ends like all others.
    if lines.last?.isEmpty == true { lines.removeLast() }
    return try writing { db in
      guard let first = lines.first else {
        throw HistoryError.badLine(1, reason: "there is no header")
      }
      let header: Header = try Self.value(first, line: 1)
      guard header.schema == Self.lineSchema else {
        throw HistoryError.badLine(
          1, reason: "its schema is \(header.schema), and not \(Self.lineSchema)")
      }
      var count = ImportCount()
      for (index, line) in lines.enumerated().dropFirst() {
        let run: RunRecord = try Self.value(line, line: index + 1)
        try Self.naming(line: index + 1) {
          if try Self.append(run, db) { count.added += 1 } else { count.known += 1 }
        }
      }
      // After the runs, to which accepted steps refer.
      try Self.naming(line: 1) {
        for baseline in header.baselines { try Self.insert(baseline, db) }
        for step in header.acceptances { try Self.insert(step, db) }
      }
      return count
    }
  }

  private static func value<Value: Decodable>(
    _ line: ArraySlice<UInt8>, line number: Int
  ) throws -> Value {
    do {
      return try JSONText.value(of: Data(line))
    } catch let error as DecodingError {
      throw HistoryError.badLine(number, reason: reason(of: error))
    }
  }

  /// Says which line something of its content was refused for; what is wrong with the database is
  /// left as it is.
  private static func naming(line number: Int, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as HistoryError {
      switch error {
      case .invalidRun, .conflict, .invalidDecision, .noSuchRun, .noSuchCase:
        throw HistoryError.badLine(number, reason: error.description)
      default: throw error
      }
    }
  }

  private static func reason(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not of its type"
    default: "it is not JSON"
    }
  }
}

/// Values as JSON on one line, keys in order: the same value always gives the same text.
enum JSONText {
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value<Value: Decodable>(of text: String) throws -> Value {
    try value(of: Data(text.utf8))
  }

  static func value<Value: Decodable>(of data: Data) throws -> Value {
    try JSONDecoder().decode(Value.self, from: data)
  }
}
