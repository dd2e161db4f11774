internal import Foundation
internal import GRDB

extension HistoryStore {
  /// The name of the export format; its number rises when readers must change.
  package static let lineSchema = "zoombench.history/1"

  /// An export's first line: the schema and all decisions.
  struct Header: Codable {
    var schema: String
    var baselines: [Baseline]
    var acceptances: [Acceptance]

    // The coding key is the format's original name for acceptances.
    private enum CodingKeys: String, CodingKey {
      case schema, baselines
      case acceptances = "acknowledgements"
    }
  }

  package struct ImportCount: Sendable, Hashable {
    package var added = 0
    package var known = 0
  }

  /// Returns the whole history as JSON lines: a header, then one run per line in order.
  ///
  /// Equal histories give equal bytes, whatever their origin.
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

  /// Adds the content of an export of any machine; existing runs are kept.
  ///
  /// - Throws: `badLine` with the number of the first invalid line; then nothing is added.
  package func importLines(_ bytes: [UInt8]) throws(HistoryError) -> ImportCount {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last line also ends with a line end.
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
      // After the runs, because accepted steps refer to them.
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

  /// Adds the line number to errors in the content; errors of the database are unchanged.
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

/// JSON on one line with sorted keys, so that equal values give equal text.
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
