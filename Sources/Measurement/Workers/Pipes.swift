#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Bytes that were read from a pipe, and are taken as lines or in blocks.
package struct LineBuffer {
  /// The bytes of a line without its separator, or the reason that it is refused.
  package enum Line: Sendable, Hashable {
    case line([UInt8])
    /// The limit was reached without a separator.
    case overlong
  }

  private let limit: Int
  private let separator: UInt8
  private var bytes: [UInt8] = []
  /// The number of bytes at the front that contain no separator.
  private var searched = 0
  private var chunk: [UInt8]

  /// Creates an empty buffer.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of a line, including its separator.
  ///   - chunk: The most bytes of one read.
  ///   - separator: The byte that ends a line.
  package init(limit: Int, chunk: Int = 1 << 14, separator: UInt8 = UInt8(ascii: "\n")) {
    (self.limit, self.separator) = (limit, separator)
    self.chunk = [UInt8](repeating: 0, count: chunk)
  }

  /// The number of bytes that have been read and not taken.
  package var count: Int { bytes.count }

  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Reads once, and blocks until there are bytes; returns false at the end, or if reading fails.
  package mutating func fill(from descriptor: Int32) -> Bool {
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes += chunk[..<count]
        return true
      }
      // EINTR: a signal handler interrupted the read.
      if count == 0 || errno != EINTR { return false }
    }
  }

  /// Removes and returns the first line, if it is complete.
  package mutating func take() -> Line? {
    guard let end = firstSeparator else {
      searched = bytes.count
      return bytes.count >= limit ? .overlong : nil
    }
    defer {
      bytes.removeSubrange(...end)
      searched = 0
    }
    return end < limit ? .line(Array(bytes[..<end])) : .overlong
  }

  /// The index of the first separator; `memchr`, because a line may have a megabyte.
  private var firstSeparator: Int? {
    bytes.withUnsafeBytes { bytes -> Int? in
      guard let start = bytes.baseAddress,
        let found = memchr(start + searched, Int32(separator), bytes.count - searched)
      else { return nil }
      return start.distance(to: UnsafeRawPointer(found))
    }
  }

  /// Removes and returns the first `count` bytes, if there are as many.
  package mutating func take(_ count: Int) -> [UInt8]? {
    guard bytes.count >= count else { return nil }
    searched = 0
    // All bytes are returned without a copy, so that a large block is not held twice.
    if bytes.count == count {
      defer { bytes = [] }
      return bytes
    }
    defer { bytes.removeSubrange(..<count) }
    return Array(bytes[..<count])
  }

  /// Waits for the next line.
  ///
  /// - Returns: Nil at the end of the input, and for a line that is too long or not text; a last line
  ///   without a line feed does not count.
  package mutating func nextLine(from descriptor: Int32) -> String? {
    while true {
      switch take() {
      case .line(let line): return String(validating: line, as: UTF8.self)
      case .overlong: return nil
      case nil: guard fill(from: descriptor) else { return nil }
      }
    }
  }
}

/// Writing to a pipe whose reader may have ended.
package enum PipeWriting {
  /// Writes the whole text.
  ///
  /// - Returns: False if that failed, with the reason in `errno`: ETIMEDOUT if the deadline passed first.
  package static func send(
    _ text: String, to descriptor: Int32, until deadline: UInt64 = .max
  ) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        var most = rest.count
        if deadline != .max {
          // A pipe that poll reports as writable takes this many bytes without blocking.
          most = min(most, Int(PIPE_BUF))
          guard hasRoom(descriptor, until: deadline) else {
            errno = ETIMEDOUT
            return false
          }
        }
        let count = write(descriptor, rest.baseAddress, most)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }

  /// Waits until a pipe can be written, or until its reader has closed it; returns false if it is late.
  private static func hasRoom(_ descriptor: Int32, until deadline: UInt64) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // At least one look, and at most a minute at once, which fits into the type.
    while true {
      let left = deadline.saturatingSubtract(Timestamps.monotonic())
      let wait = min(left.addingSaturating(999_999) / 1_000_000, 60_000)
      if poll(&entry, 1, Int32(wait)) > 0 { return true }
      if left == 0 { return false }
    }
  }

  /// Writes the whole text; a closed reader is a failure but does not end this process.
  ///
  /// A library must not change the process's handling of SIGPIPE. So the signal is blocked on this thread
  /// during the write, and a pending one is consumed. On Darwin, the descriptor is set not to raise it; see
  /// `withoutSignals(_:)`.
  package static func sendQuietly(
    _ text: String, to descriptor: Int32, until deadline: UInt64 = .max
  ) -> Bool {
    #if canImport(Darwin)
      return send(text, to: descriptor, until: deadline)
    #else
      var pipeSignal = sigset_t()
      var before = sigset_t()
      var pending = sigset_t()
      sigemptyset(&pipeSignal)
      sigaddset(&pipeSignal, SIGPIPE)
      sigpending(&pending)
      let wasPending = sigismember(&pending, SIGPIPE) == 1
      pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      if send(text, to: descriptor, until: deadline) { return true }
      let code = errno
      if code == EPIPE, !wasPending {
        // The signal is sent to the writing thread, so it is already pending.
        var none = timespec()
        while sigtimedwait(&pipeSignal, nil, &none) < 0, errno == EINTR {}
      }
      errno = code
      return false
    #endif
  }

  /// Disables SIGPIPE for a descriptor on Darwin; does nothing elsewhere.
  package static func withoutSignals(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    #endif
  }
}
