internal import CVips
internal import Synchronization

/// The libvips that this process runs on.
///
/// Its state is shared by the whole process and changed only by `configure`.
public enum VipsLibrary {
  /// The settings for the whole process.
  public struct Settings: Sendable, Hashable {
    /// The number of operations whose results libvips caches; nil leaves it unchanged.
    ///
    /// 0 by default. Pixels do not depend on it, as reads of a picture's file are never cached; but
    /// cached operations hold memory and open files after a source has forgotten them.
    public var operationCache: Int?
    /// The number of threads that libvips uses for one image; nil leaves it unchanged.
    ///
    /// 1 by default: more threads do not decode one picture faster, and with more, libvips (8.14)
    /// sometimes loses the error of a truncated file and returns rows that were never decoded.
    /// Here, only `random` lets libvips use threads.
    public var concurrency: Int?
    /// Whether libvips suppresses the warnings of its decoders instead of writing them to stderr.
    ///
    /// Important ones are reported as errors as well. Sets the environment variable `VIPS_WARNING`,
    /// which libvips reads once, unless it is already set.
    public var silencesWarnings: Bool

    /// Creates settings; the defaults are those of zoombench itself.
    public init(
      operationCache: Int? = 0, concurrency: Int? = 1, silencesWarnings: Bool = true
    ) {
      self.operationCache = operationCache
      self.concurrency = concurrency
      self.silencesWarnings = silencesWarnings
    }
  }

  /// The chosen settings, if any, and whether libvips has started.
  private static let state = Mutex<(settings: Settings?, isStarted: Bool)>((nil, false))

  /// Starts libvips once; every call into libvips needs it first.
  ///
  /// Loading libvips' modules takes some 45 ms, so a command that opens no picture never calls it.
  static let start: Void = {
    precondition(unsafe cvips_init("zoombench") == 0, "libvips could not start")
    state.withLock {
      $0.isStarted = true
      $0.settings.map(apply)
    }
  }()

  /// Changes settings of the whole process.
  ///
  /// Best called before everything else here and before other threads run: warnings can be silenced
  /// only before libvips starts, which happens when the first picture is opened.
  public static func configure(_ settings: Settings = Settings()) {
    if settings.silencesWarnings { unsafe g_setenv("VIPS_WARNING", "0", 0) }
    state.withLock {
      if $0.isStarted { return apply(settings) }
      var merged = settings
      merged.operationCache = settings.operationCache ?? $0.settings?.operationCache
      merged.concurrency = settings.concurrency ?? $0.settings?.concurrency
      $0.settings = merged
    }
  }

  private static func apply(_ settings: Settings) {
    if let count = settings.operationCache { vips_cache_set_max(Int32(clamping: count)) }
    if let count = settings.concurrency { vips_concurrency_set(Int32(clamping: count)) }
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
