#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writing to a pipe whose reader may be gone.
package enum PipeWriting {
  /// Writes the whole text.
  ///
  /// - Returns: False if that failed, with the reason in `errno`.
  package static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Musl)
          let count = Musl.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Darwin)
          let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
        #endif
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
  package static func writeQuietly(_ text: String, to descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      return write(text, to: descriptor)
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
      if write(text, to: descriptor) { return true }
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
