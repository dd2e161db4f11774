import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

private let openssl = "/usr/bin/openssl"

/// An error says in one line what a server did and what to do, without secrets.
@Suite struct ServerMessageTests {
  private static let secret = ServedPicture.secret

  /// Opens a picture on a server that gives every request the same answer without a body, or with a
  /// long one.
  private func error(
    _ status: Int, redirectingTo place: String? = nil, bodyCount: Int = 0
  ) throws -> String {
    let server = try RangeServer(["/photo.jpg": [UInt8](repeating: 0, count: 100_000)]) {
      answer, _, _ in
      (answer.status, answer.body) = (status, [UInt8](repeating: 0x20, count: bodyCount))
      answer.headers = place.map { ["Location": $0] } ?? [:]
    }
    defer { server.stop() }
    let error = #expect(throws: PipelineError.self) {
      try ServedPicture.open("\(server.address)/photo.jpg")
    }
    let text = try #require(error).description
    let start = "\(server.address)/photo.jpg: fetch: "
    #expect(text.hasPrefix(start))
    return String(text.dropFirst(start.count))
  }

  @Test(arguments: [304, 412])
  func `a condition that was not set`(status: Int) throws {
    #expect(
      try error(status) == "the server obeys a condition that was not set (status \(status))"
        + " (try again later, or download it)")
  }

  /// libcurl names the target of a redirect only if the body is not too long.
  @Test(arguments: [0, 1 << 16])
  func `a redirect to another protocol`(bodyCount: Int) throws {
    for (place, name) in [
      ("ftp://me:\(Self.secret)@127.0.0.1/photo.jpg", "ftp"),
      ("file:///etc/\(Self.secret)", "file"), ("s3://\(Self.secret)/photo.jpg", "s3"),
    ] {
      #expect(
        try error(302, redirectingTo: place, bodyCount: bodyCount)
          == "the request to the server failed: the server redirects to the protocol \(name), which"
          + " is not followed (give an address of http or https that the picture has itself)")
    }
  }

  @Test func `a redirect without a target`() throws {
    #expect(
      try error(302) == "the server redirects to no address that can be followed (status 302)"
        + " (give the address of the picture itself)")
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: openssl), "openssl is the server"))
  func `a certificate that this machine does not trust`() throws {
    let folder = try TestFolder()
    let server = try UntrustedServer(in: folder)
    defer { server.stop() }
    let error = #expect(throws: PipelineError.self) {
      try ServedPicture.open("https://127.0.0.1:\(server.port)/photo.jpg", seconds: 20)
    }
    #expect(
      error?.description == "https://127.0.0.1:\(server.port)/photo.jpg: fetch: the request to the"
        + " server failed: the certificate of the server is not trusted (check the address, or add the"
        + " certificate's authority to those of this machine)")
  }
}

/// A server with a certificate of its own.
private final class UntrustedServer {
  let port: UInt16
  private let process: Process
  /// openssl ends when its input ends, or when its output is closed.
  private let (input, output) = (Pipe(), Pipe())

  init(in folder: TestFolder) throws {
    let (key, certificate) = (
      folder.path.appending("key").string, folder.path.appending("cert").string
    )
    let maker = try UntrustedServer.start([
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key,
      "-out", certificate,
    ])
    maker.waitUntilExit()
    process = try UntrustedServer.start(
      ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate], input, output)
    var text = ""
    // "ACCEPT 127.0.0.1:1234"
    while text.firstMatch(of: #/ACCEPT \S+:(\d+)\n/#) == nil {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      text += String(decoding: more, as: UTF8.self)
    }
    let match = try #require(text.firstMatch(of: #/ACCEPT \S+:(\d+)\n/#), "\(text)")
    port = try #require(UInt16(match.1))
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  private static func start(
    _ words: [String], _ input: Any = FileHandle.nullDevice,
    _ output: Any = FileHandle.nullDevice
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: openssl)
    process.arguments = words
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
