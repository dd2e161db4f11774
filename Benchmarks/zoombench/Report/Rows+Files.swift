internal import Sharding

/// The work of `index` or `inspect` on each file.
enum FileAction: String, Codable, Sendable {
  case build, check, remove, inspect

  var doing: String {
    switch self {
    case .build: "indexing"
    case .check: "checking"
    case .remove: "removing"
    case .inspect: "inspecting"
    }
  }
}

extension Row {
  /// The facts that `index` or `inspect` reports about a file, nil where one is unknown.
  struct File: Codable, Sendable {
    /// The coding: `JPEG sequential 4:2:0`.
    var kind: String?
    /// The source that suits the picture best.
    var source: String?
    var width: Int?
    var height: Int?
    /// The size of the picture's file, or of its index.
    var bytes: Int?
    /// The pixels that this source processes for a peek in the middle: for the first peek, and for later ones.
    var firstPeek: Int?
    var laterPeek: Int?
    /// Whether a seek index would make the first peek as cheap as later ones.
    var gainsByIndex: Bool?
    var mcus: Int?
    var points: Int?
    var bytesPerMegapixel: Double?
    /// The time that building took; nil for an existing index.
    var seconds: Double?
    /// The path of the index.
    var `where`: String?
    /// Whether another file at the index's path prevents the action.
    var isUnwritable: Bool?

    /// A short description of an impossible number; nil if there is none.
    ///
    /// Results and journals are hostile input.
    var contradiction: String? {
      // The largest possible count is a petabyte. The product of the sides must not overflow.
      let counts = [bytes, firstPeek, laterPeek, mcus, points].compactMap(\.self)
      let sides = [width, height].compactMap(\.self)
      let measures = [bytesPerMegapixel, seconds].compactMap(\.self)
      guard counts.allSatisfy({ (0...1 << 50).contains($0) }),
        sides.allSatisfy({ (0...1 << 31).contains($0) }),
        measures.allSatisfy({ (0...1e15).contains($0) })
      else { return "has an impossible number" }
      return nil
    }
  }

  init(_ result: FileResult, named name: String) {
    self.init(
      name: Format.rowName(name), picture: name, verdict: result.verdict, file: result.file)
  }
}

/// The result of `index` or `inspect` for one file.
struct FileResult: CellResult {
  var verdict: Row.Verdict
  var file = Row.File()

  /// The time, and the path of the index, which depends on the machine.
  struct Run: Codable {
    var seconds: Double?
    var path: String?
  }

  var run: Run? {
    get { Run(seconds: file.seconds, path: file.where) }
    set { (file.seconds, file.where) = (newValue?.seconds, newValue?.path) }
  }

  init(_ word: Word, _ file: Row.File = Row.File()) {
    (verdict, self.file) = (Row.Verdict(word), file)
  }

  /// Creates the result of a file that cannot be read.
  init(unreadable reason: String) {
    verdict = Row.Verdict(.refused, standing: .unmeasured, reason: reason)
  }
}
