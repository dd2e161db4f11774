import Foundation
import Measurement
import SystemPackage
import Testing

#if os(Linux)
  /// The bar of the built command, which is drawn only on a terminal at stderr.
  @Suite struct ProgressBarTests {
    /// Returns the output of a tiny run to a terminal as its stderr.
    private func drawn(_ more: [String], terminal: String, in folder: TestFolder) async throws
      -> String
    {
      try await folder.place("jpeg-444", as: "a.jpg")
      let (main, side) = try openTerminal()
      // The far side stays open here too, so that the output can still be read afterwards.
      defer { for descriptor in [main, side.descriptor] { try? descriptor.close() } }
      var command = try folder.command(
        ["a.jpg", "--rounds", "2", "--sources", "naive"] + more, environment: ["TERM": terminal])
      let words = ["-c", "exec 2>\"$0\"; exec \"$@\"", side.path, command.executable]
      command.executable = "/bin/sh"
      command.arguments = words + command.arguments
      let run = try await CommandRun.of(command)
      #expect(run.code == 0)
      #expect(!run.output.contains("\u{1B}"))
      // Non-blocking, so a read fails at the end of the output.
      var text: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      while let count = try? bytes.withUnsafeMutableBytes({ try main.read(into: $0) }), count > 0 {
        text += bytes.prefix(count)
      }
      return String(decoding: text, as: UTF8.self)
    }

    /// Opens a pseudo-terminal: the output to its far side can be read from the near one.
    private func openTerminal() throws -> (
      near: FileDescriptor, far: (descriptor: FileDescriptor, path: String)
    ) {
      let near = try FileDescriptor.open("/dev/ptmx", .readWrite, options: .nonBlocking)
      // Linux: TIOCSPTLCK and TIOCGPTN, because Swift's Glibc module lacks posix_openpt.
      var lock: Int32 = 0
      var number: Int32 = -1
      try #require(ioctl(near.rawValue, 0x4004_5431, &lock) == 0)
      try #require(ioctl(near.rawValue, 0x8004_5430, &number) == 0)
      let path = "/dev/pts/\(number)"
      // O_NOCTTY: it must not become the controlling terminal of the tests.
      let far = try FileDescriptor.open(
        FilePath(path), .readWrite, options: FileDescriptor.OpenOptions(rawValue: O_NOCTTY))
      return (near, (far, path))
    }

    @Test func `a terminal sees a bar, which is gone at the end`() async throws {
      let folder = try TestFolder()
      let text = try await drawn([], terminal: "xterm", in: folder)
      #expect(text.contains("a.jpg"))
      #expect(text.contains("%"))
      #expect(text.hasSuffix("\r\u{1B}[2K"))
    }

    @Test func `a quiet run shows nothing`() async throws {
      let folder = try TestFolder()
      let text = try await drawn(["--quiet"], terminal: "xterm", in: folder)
      #expect(text == "")
    }

    @Test func `a terminal that cannot redraw, and a pipe, see lines`() async throws {
      let folder = try TestFolder()
      let text = try await drawn([], terminal: "dumb", in: folder)
      #expect(!text.contains("\u{1B}") && text.contains(" s] timing peeks at 1 picture"))
      let run = try await folder.zoombench("a.jpg", "--rounds", "2", "--sources", "naive")
      #expect(run.code == 0 && run.errors.isEmpty)
      // A line comes when the phase begins, and later, on a slow machine, at most once in ten seconds.
      let times = run.progress.compactMap { line in
        Int(line.drop { !$0.isNumber }.prefix { $0.isNumber })
      }
      #expect(!times.isEmpty && zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 9 })
    }
  }
#endif
