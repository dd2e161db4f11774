internal import CVips
internal import Synchronization

/// The libvips that this process runs on.
///
/// Its state is shared by the whole process and changed only by `configure`.
public enum VipsLibrary {
  /// The numbers that `configure` chose, if any, and whether libvips has started.
  private static let state = Mutex<(chosen: (threads: Int, operations: Int)?, isStarted: Bool)>(
    (nil, false))

  /// Starts libvips once; every call into libvips needs it first.
  ///
  /// Loading libvips' modules takes some 45 ms, so a command that opens no picture never calls it.
  static let start: Void = {
    precondition(unsafe cvips_init("zoombench") == 0, "libvips could not start")
    state.withLock { state in
      state.isStarted = true
      if let chosen = state.chosen { apply(chosen.threads, chosen.operations) }
    }
  }()

  /// Changes settings of the whole process.
  ///
  /// Best called before everything else here and before other threads run: warnings can be silenced
  /// only before libvips starts, which happens when the first picture is opened.
  ///
  /// - Parameters:
  ///   - threads: the number of threads that libvips uses for one image. More threads do not decode
  ///     one picture faster, and with more, libvips (8.14) sometimes loses the error of a truncated
  ///     file and returns rows that were never decoded. Here, only `random` lets libvips use threads.
  ///   - operations: the number of operations whose results libvips caches. Pixels do not depend on
  ///     it, as reads of a picture's file are never cached; but cached operations hold memory and
  ///     open files after a source has forgotten them.
  ///   - silencesWarnings: whether libvips suppresses the warnings of its decoders instead of writing
  ///     them to stderr; important ones are reported as errors as well. Sets the environment variable
  ///     `VIPS_WARNING`, which libvips reads once, unless it is already set.
  public static func configure(
    threads: Int = 1, caching operations: Int = 0, silencesWarnings: Bool = true
  ) {
    if silencesWarnings { unsafe g_setenv("VIPS_WARNING", "0", 0) }
    state.withLock { state in
      state.chosen = (threads, operations)
      if state.isStarted { apply(threads, operations) }
    }
  }

  private static func apply(_ threads: Int, _ operations: Int) {
    vips_concurrency_set(Int32(clamping: threads))
    vips_cache_set_max(Int32(clamping: operations))
  }

  /// The version found at run time, such as "8.14.1".
  public static var version: String {
    start
    return "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))"
  }

  /// The version whose headers zoombench was compiled with.
  public static var headerVersion: String {
    "\(VIPS_MAJOR_VERSION).\(VIPS_MINOR_VERSION).\(VIPS_MICRO_VERSION)"
  }

  /// The number of threads that libvips uses for one image.
  public static var concurrency: Int {
    start
    return Int(vips_concurrency_get())
  }
}
