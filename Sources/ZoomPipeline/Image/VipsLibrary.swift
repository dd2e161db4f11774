internal import CVips
internal import Synchronization

/// The libvips that this process runs on.
///
/// It belongs to the whole process: nothing of it is changed unless `configure` is called.
public enum VipsLibrary {
  /// What can be set for the whole process.
  public struct Settings: Sendable, Hashable {
    /// How many operations libvips keeps to answer equal ones again; nil leaves it as it is.
    ///
    /// None here. Pixels do not depend on it, as reading a picture's file is never kept; but what is
    /// kept holds on to memory and open files after a source has forgotten them.
    public var operationCache: Int?
    /// How many threads libvips uses for one image; nil leaves it as it is.
    ///
    /// One here: decoding one picture does not get faster by more, and with more libvips (8.14) now and
    /// then loses the error of a file that is cut off and hands out rows that were never decoded. Of
    /// the sources here only `random` lets libvips use threads, so only its damage can go unseen.
    public var concurrency: Int?
    /// Whether libvips keeps the warnings of its decoders to itself instead of writing them to stderr;
    /// what matters of them comes back as an error as well.
    ///
    /// Sets the environment variable `VIPS_WARNING`, unless it is set, which libvips looks at once.
    public var silencesWarnings: Bool

    /// Chooses settings; without arguments those that zoombench itself runs with.
    /// - Parameters:
    ///   - operationCache: see there.
    ///   - concurrency: see there.
    ///   - silencesWarnings: see there.
    public init(
      operationCache: Int? = 0, concurrency: Int? = 1, silencesWarnings: Bool = true
    ) {
      self.operationCache = operationCache
      self.concurrency = concurrency
      self.silencesWarnings = silencesWarnings
    }

    /// What zoombench itself runs with: no operation cache, one thread, no warnings.
    public static let recommended = Settings()
  }

  /// The settings to start with, if any were chosen, and whether libvips has started.
  private static let state = Mutex<(settings: Settings?, isStarted: Bool)>((nil, false))

  /// Starts libvips once; every call into it goes through here first.
  ///
  /// That takes some 45 ms, for libvips loads every module of its own: a command that opens no picture never waits.
  static let start: Void = {
    precondition(unsafe cvips_init("zoombench") == 0, "libvips could not start")
    state.withLock {
      $0.isStarted = true
      $0.settings.map(apply)
    }
  }()

  /// Changes settings of the whole process.
  ///
  /// Best called before anything else here and before other threads run: warnings can be silenced only
  /// before libvips starts, which it does when the first picture is opened.
  /// - Parameter settings: what to change.
  public static func configure(_ settings: Settings = .recommended) {
    if settings.silencesWarnings { unsafe g_setenv("VIPS_WARNING", "0", 0) }
    state.withLock {
      $0.settings = settings
      if $0.isStarted { apply(settings) }
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

  /// How many threads libvips uses for one image.
  public static var concurrency: Int {
    start
    return Int(vips_concurrency_get())
  }
}
