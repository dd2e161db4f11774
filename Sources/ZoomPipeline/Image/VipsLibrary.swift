internal import CVips

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The libvips that this process runs on.
public enum VipsLibrary {
  /// Starts libvips once; every entry to it goes through here first.
  ///
  /// The operation cache is off: it would serve the second of two equal reads from memory, which
  /// makes a measurement meaningless and a changed file invisible.
  static let start: Void = {
    // libvips prints warnings of its decoders straight to stderr; what matters of them comes back
    // as an error as well. The variable is libvips' own switch and must be set before it starts.
    unsafe setenv("VIPS_WARNING", "0", 0)
    precondition(unsafe cvips_init("zoombench") == 0, "libvips could not start")
    vips_cache_set_max(0)
    // With more threads libvips (8.14) now and then loses the error of a file that is cut off and
    // hands out rows that were never decoded. Decoding one picture does not get faster by them.
    vips_concurrency_set(1)
  }()

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
