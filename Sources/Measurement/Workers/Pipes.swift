#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#elseif canImport(Darwin)
  package import Darwin
#endif

/// Puts the bytes of a descriptor together to lines.
package struct LineBuffer {
  /// Why there is no line, or that there is one.
  package enum Line: Sendable, Hashable {
    case line(String)
    /// More bytes than the limit came without a line feed.
    case overlong
    /// A line that is not UTF-8.
    case notText
  }

  /// What reading once did.
  package enum Reading: Sendable, Hashable {
    case bytes
    case end
    case failure(code: Int32)
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// How many bytes from the front are known to hold no line feed.
  private var searched = 0
  private var chunk = [UInt8](repeating: 0, count: 1 << 14)

  /// Creates an empty buffer.
  ///
  /// - Parameter limit: The longest line, its line feed included.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Whether nothing is left of what was read.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Reads once, waiting if there is nothing yet.
  package mutating func fill(from descriptor: Int32) -> Reading {
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes += chunk[..<count]
        return .bytes
      }
      if count == 0 { return .end }
      // A signal handler ran: nothing was read, and nothing is wrong.
      if errno != EINTR { return .failure(code: errno) }
    }
  }

  /// Takes the first line out, if a whole one is there.
  package mutating func take() -> Line? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return bytes.count >= limit ? .overlong : nil
    }
    defer {
      bytes.removeSubrange(...end)
      searched = 0
    }
    guard end < limit else { return .overlong }
    return String(validating: bytes[..<end], as: UTF8.self).map { .line($0) } ?? .notText
  }

  /// Takes all that there is as text.
  package mutating func takeAll() -> String {
    defer {
      bytes = []
      searched = 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for the next line.
  ///
  /// - Returns: Nil at the end of the input, and for an input that is no text or has no lines;
  ///   a last line without a line feed is none.
  package mutating func nextLine(from descriptor: Int32) -> String? {
    while true {
      switch take() {
      case .line(let line): return line
      case .overlong, .notText: return nil
      case nil: guard case .bytes = fill(from: descriptor) else { return nil }
      }
    }
  }
}

/// Waiting for a pipe whose writer may end.
package enum PipeWaiting {
  /// The result of waiting.
  package enum Outcome: Sendable, Hashable {
    /// `revents` of the entries say which of them can be read.
    case ready
    /// Nothing can be read yet.
    case nothing
    /// The writer has ended, and has left nothing to be read.
    case writerEnded
  }

  /// Waits until one of the entries can be read.
  ///
  /// A process that inherited a pipe keeps it open after its writer has ended, so that the reader
  /// sees no end of the input.
  ///
  /// - Parameters:
  ///   - entries: What `poll` takes.
  ///   - milliseconds: The longest time to wait.
  ///   - hasEnded: Returns whether the writer has ended; called if nothing can be read by then.
  /// - Returns: Whether to read, to wait again or to stop.
  package static func wait(
    for entries: inout [pollfd], milliseconds: Int32, hasEnded: () -> Bool
  ) -> Outcome {
    let count = poll(&entries, nfds_t(entries.count), milliseconds)
    guard count == 0 else { return count > 0 ? .ready : .nothing }
    guard hasEnded() else { return .nothing }
    // The writer may have written after `poll` had waited, and then ended.
    return poll(&entries, nfds_t(entries.count), 0) == 0 ? .writerEnded : .ready
  }
}

/// Writing to a pipe whose reader may be gone.
package enum PipeWriting {
  /// Writes the whole text.
  ///
  /// - Returns: False if that failed, with the reason in `errno`.
  package static func send(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }

  /// Writes the whole text; a reader that is gone is a failure and not the end of this process.
  ///
  /// A library must not set the process' handling of SIGPIPE, so the signal is blocked on this
  /// thread meanwhile, and one that came is taken back. On Darwin the descriptor itself says that
  /// it wants none; see `withoutSignals(_:)`.
  package static func sendQuietly(_ text: String, to descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      return send(text, to: descriptor)
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
      if send(text, to: descriptor) { return true }
      let code = errno
      if code == EPIPE, !wasPending {
        // The signal of a write is sent to the thread that wrote, so it is there already.
        var none = timespec()
        while sigtimedwait(&pipeSignal, nil, &none) < 0, errno == EINTR {}
      }
      errno = code
      return false
    #endif
  }

  /// Tells Darwin to send no SIGPIPE for a descriptor; does nothing elsewhere.
  package static func withoutSignals(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    #endif
  }
}
