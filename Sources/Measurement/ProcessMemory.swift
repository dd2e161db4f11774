#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The physical memory of this process.
public enum ProcessMemory {
  /// Returns the peak resident memory since the program started, in bytes, or nil if it is unknown.
  ///
  /// On Linux it is `VmHWM`, which is reset when a program starts. `ru_maxrss` of getrusage is not: it
  /// survives exec, so a small tool started by a large parent would report its parent's peak. Elsewhere
  /// only `ru_maxrss` is available.
  public static func peakResidentBytes() -> UInt64? {
    #if canImport(Darwin)
      // Darwin counts `ru_maxrss` in bytes, Linux and the BSDs in kibibytes.
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? UInt64(exactly: usage.ru_maxrss) : nil
    #else
      return peakResidentBytes(status: SystemText.contents(ofFile: "/proc/self/status") ?? "")
    #endif
  }

  package static func peakResidentBytes(status: String) -> UInt64? {
    SystemText.bytes(of: "VmHWM", in: status)
  }
}

/// Reads texts in which the system describes itself.
package enum SystemText {
  /// Reads a small text file, such as those of `/proc`, whose size is known only by reading.
  ///
  /// At most `limit` bytes are read; the default is enough for the `/proc/cpuinfo` of two thousand cores.
  /// Invalid UTF-8 is replaced.
  package static func contents(ofFile path: String, limit: Int = 1 << 22) -> String? {
    bytes(ofFile: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads the bytes of a file, at most `limit`; nil if it cannot be read.
  static func bytes(ofFile path: String, limit: Int) -> [UInt8]? {
    // A program that is started meanwhile must not inherit the file.
    #if os(Linux)
      let mode = "rbe"
    #else
      let mode = "rb"
    #endif
    guard let file = fopen(path, mode) else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = fread(&chunk, 1, wanted, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return ferror(file) == 0 ? bytes : nil
  }

  /// Returns the value of the first line `key<separator>value`, without blanks around both.
  ///
  /// Nil if there is no such line or its value is empty.
  package static func value(
    of key: String, in text: String, separator: Character = ":"
  ) -> String? {
    // Not split completely: /proc/cpuinfo repeats its lines for each core, and the first match is enough.
    var rest = text[...]
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      rest = rest[line.endIndex...].dropFirst()
      guard let split = line.firstIndex(of: separator), trimmed(line[..<split]) == key else {
        continue
      }
      let value = trimmed(line[line.index(after: split)...])
      return value.isEmpty ? nil : String(value)
    }
    return nil
  }

  /// Returns, in bytes, a size given in kibibytes, such as `VmHWM:     5120 kB`.
  ///
  /// Nil if there is no such line, for another unit, or on overflow.
  package static func bytes(of key: String, in text: String) -> UInt64? {
    guard let words = value(of: key, in: text)?.split(separator: " "), words.count == 2,
      words[1] == "kB", let kibibytes = UInt64(words[0])
    else { return nil }
    let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
    return overflow ? nil : bytes
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }
}
