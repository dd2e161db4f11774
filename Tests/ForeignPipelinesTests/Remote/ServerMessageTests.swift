import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

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
}
