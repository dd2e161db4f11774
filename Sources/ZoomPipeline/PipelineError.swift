internal import CVips
public import SystemPackage

/// Why a picture could not be opened, read or written, in words for the person who asked.
public struct PipelineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure; opaque, so that new kinds never break a caller's `switch`.
  public struct Code: Sendable, Hashable {
    private enum Storage {
      case noSuchFile, unreadable, notAPicture, damaged, changed
      case unsupported, outside, overBudget, unwritable, misbehaved, notInstalled, outOfTime, fault
    }
    private let storage: Storage

    /// There is no file of that name.
    public static var noSuchFile: Code { Code(storage: .noSuchFile) }
    /// The file is there but cannot be read: a folder, or no permission.
    public static var unreadable: Code { Code(storage: .unreadable) }
    /// The file holds no picture that libvips knows.
    public static var notAPicture: Code { Code(storage: .notAPicture) }
    /// The file starts as a picture but is cut off or breaks its format's rules.
    public static var damaged: Code { Code(storage: .damaged) }
    /// The file is not the one that was opened any more.
    public static var changed: Code { Code(storage: .changed) }
    /// This way of reading cannot serve this picture; another one may.
    public static var unsupported: Code { Code(storage: .unsupported) }
    /// The region does not lie inside the picture, or holds parts of a reduction's blocks.
    public static var outside: Code { Code(storage: .outside) }
    /// The raster would not fit the byte budget.
    public static var overBudget: Code { Code(storage: .overBudget) }
    /// A file could not be written.
    public static var unwritable: Code { Code(storage: .unwritable) }
    /// Another program or a server crashed, took too long, or gave an answer that cannot be right.
    public static var misbehaved: Code { Code(storage: .misbehaved) }
    /// A program that was named is not installed.
    public static var notInstalled: Code { Code(storage: .notInstalled) }
    /// The time for the whole run was over before an answer came; this says nothing about the pipeline.
    public static var outOfTime: Code { Code(storage: .outOfTime) }
    /// Something failed that the input does not explain.
    public static var fault: Code { Code(storage: .fault) }
  }

  /// The kind of failure.
  public let code: Code
  /// What was being done.
  public let operation: String
  /// The file it was done to, if any.
  public let file: FilePath?
  /// Why it failed, in one line.
  public let reason: String
  /// What to do about it, if something can be said.
  public let advice: String?

  /// Whether another source may still serve the picture.
  public var isRefusal: Bool { code == .unsupported || code == .overBudget }

  /// Describes a failure; for pipelines of one's own too.
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - operation: what was being done, in a word or three.
  ///   - file: the file it was done to.
  ///   - reason: why it failed, without a full stop.
  ///   - advice: what to do about it.
  public init(
    _ code: Code, operation: String, file: FilePath?, reason: String, advice: String? = nil
  ) {
    self.code = code
    self.operation = operation
    self.file = file
    self.reason = reason
    self.advice = advice
  }

  /// One line: the file, what was being done, why it failed, what to do.
  public var description: String {
    var parts: [String] = []
    if let file { parts.append(file.string) }
    parts.append(operation)
    parts.append(reason)
    return parts.joined(separator: ": ") + (advice.map { " (\($0))" } ?? "")
  }
}

extension PipelineError {
  /// An error of the operating system while opening or reading.
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

  init(underlying error: any Error, operation: String, file: FilePath) {
    if let errno = error as? Errno {
      self.init(errno: errno, operation: operation, file: file)
    } else {
      self.init(.unreadable, operation: operation, file: file, reason: "\(error)")
    }
  }

  /// The failure that libvips has just reported.
  ///
  /// libvips' error text is one buffer for the whole process: with several threads it can be
  /// another thread's. So the code, operation and file come from us and the text is detail only.
  static func vips(
    _ code: Code, operation: String, file: FilePath?, advice: String? = nil
  ) -> PipelineError {
    var text = "libvips gives no reason"
    // Copies and clears under libvips' lock, so that the next failure starts clean.
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
  /// A number of bytes as people read it, rounded up so that nothing shows as none.
  var megabytes: String { "\(self / 1_000_000 + (isMultiple(of: 1_000_000) ? 0 : 1)) MB" }
}
