internal import CVips
public import SystemPackage

/// The reason why a picture could not be opened, read or written, in words for the user.
public struct PipelineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure; opaque, so that new kinds never break a caller's `switch`.
  public struct Code: Sendable, Hashable {
    private let name: String

    private init(_ name: String = #function) { self.name = name }

    /// The file does not exist.
    public static var noSuchFile: Code { Code() }
    /// The file exists but cannot be read: it is a folder, or permission is missing.
    public static var unreadable: Code { Code() }
    /// The file is not in a picture format that libvips can read.
    public static var notAPicture: Code { Code() }
    /// The file starts as a picture but is truncated or violates its format.
    public static var damaged: Code { Code() }
    /// The file has changed since it was opened.
    public static var changed: Code { Code() }
    /// This source cannot read this picture; another source may.
    public static var unsupported: Code { Code() }
    /// The region is not inside the picture, or contains partial blocks of a reduction.
    public static var outside: Code { Code() }
    /// A limit on memory or size would be exceeded.
    public static var overBudget: Code { Code() }
    /// A file could not be written.
    public static var unwritable: Code { Code() }
    /// A foreign program or server crashed, took too long, or gave an impossible answer.
    public static var misbehaved: Code { Code() }
    /// A required program is not installed.
    public static var notInstalled: Code { Code() }
    /// The time limit of the whole run expired first, which says nothing about the pipeline.
    public static var outOfTime: Code { Code() }
    /// An internal failure, or one that the input does not explain.
    public static var fault: Code { Code() }
  }

  /// The kind of failure.
  public let code: Code
  /// The operation that failed, in a few words.
  public let operation: String
  /// The file of the operation, if any.
  public let file: FilePath?
  /// The reason of the failure, in one line without a full stop.
  public let reason: String
  /// A remedy, if one is known.
  public let advice: String?

  /// Whether another source may still read the picture.
  public var isRefusal: Bool { code == .unsupported || code == .overBudget }

  /// Creates an error; also for pipelines in other packages.
  public init(
    _ code: Code, operation: String, file: FilePath?, reason: String, advice: String? = nil
  ) {
    self.code = code
    self.operation = operation
    self.file = file
    self.reason = reason
    self.advice = advice
  }

  /// One line: the file, the operation, the reason and the remedy.
  public var description: String {
    let parts = [file.map(RemoteAddress.text(of:)), operation, reason].compactMap(\.self)
    return parts.joined(separator: ": ") + (advice.map { " (\($0))" } ?? "")
  }
}

extension PipelineError {
  /// Returns the error of a source that cannot read a picture; another source may.
  static func refusal(
    _ operation: String, _ file: FilePath?, _ reason: String
  ) -> PipelineError {
    PipelineError(.unsupported, operation: operation, file: file, reason: reason)
  }

  /// Creates an error from an error of the operating system while opening or reading.
  init(errno: Errno, operation: String, file: FilePath) {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory:
      self.init(
        .noSuchFile, operation: operation, file: file, reason: "no such file",
        advice: "check the name")
    default:
      self.init(
        .unreadable, operation: operation, file: file, reason: "\(errno)",
        advice: "check that the file can be read")
    }
  }

  /// Returns the error that libvips has just reported.
  ///
  /// libvips has one error text for the whole process, which may be from another thread. So the
  /// caller gives the code, the operation and the file, and the text is only a detail.
  static func vips(
    _ code: Code, operation: String, file: FilePath?, advice: String? = nil
  ) -> PipelineError {
    var text = "libvips gives no reason"
    // Copies and clears the text under libvips' lock, so that the next error starts with none.
    if let buffer = unsafe vips_error_buffer_copy() {
      let lines = unsafe String(cString: buffer).split(whereSeparator: \.isNewline)
      unsafe g_free(buffer)
      if let first = lines.first { text = String(first) }
    }
    return PipelineError(
      code, operation: operation, file: file, reason: String(text.prefix(300)), advice: advice)
  }
}

extension Int {
  /// The number of bytes in megabytes, rounded up so that only zero shows as "0 MB".
  var megabytes: String { "\(self / 1_000_000 + (isMultiple(of: 1_000_000) ? 0 : 1)) MB" }
}
