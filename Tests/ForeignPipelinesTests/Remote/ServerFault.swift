import TestSupport
import Testing
import ZoomPipeline

/// A fault of a server of ranges, and what a reader must make of it.
struct ServerFault: Sendable, CustomTestStringConvertible {
  enum End: Sendable {
    /// The pixels of the file, whatever the server does.
    case picture
    case error(PipelineError.Code)
  }

  let name: String
  let end: End
  /// Whether the file is shorter than the first request.
  var isSmall = false
  /// The start of a file that the server continues without end; nil for a right picture.
  var start: [UInt8]?
  let fault: RangeServer.Fault

  var testDescription: String { name }

  init(_ name: String, _ end: End, isSmall: Bool = false, _ fault: @escaping RangeServer.Fault) {
    (self.name, self.end, self.isSmall, self.fault) = (name, end, isSmall, fault)
  }

  /// Creates a server that invents a file of 17 TB from a start; it ends as a JPEG does.
  static func endless(_ name: String, _ end: End, from start: [UInt8]) -> ServerFault {
    var fault = ServerFault(name, end) { answer, request, _ in
      if request.isTail { answer.body = Array(answer.body.dropLast(2)) + [0xFF, 0xD9] }
    }
    fault.start = start
    return fault
  }

  /// Creates a fault that begins after the picture's first answer.
  static func later(
    _ name: String, _ end: End, _ fault: @escaping RangeServer.Fault
  ) -> ServerFault {
    ServerFault(name, end) { answer, request, file in
      if request.isConditional { fault(&answer, request, file) }
    }
  }

  /// Creates a fault of the first conditional request only.
  static func once(
    _ name: String, _ end: End, _ fault: @escaping RangeServer.Fault
  ) -> ServerFault {
    later(name, end) { answer, request, file in
      if request.number == 0 { fault(&answer, request, file) }
    }
  }

  static let all = ranges + versions + statuses + connections + inventions

  private static func whole(_ answer: inout RangeServer.Answer, _ file: [UInt8]) {
    (answer.status, answer.body) = (200, file)
    answer.headers["Content-Range"] = nil
  }

  /// Answers with other bytes than those requested, or with wrong words about them.
  private static let ranges: [ServerFault] = [
    ServerFault("ignores Range", .error(.unsupported)) { answer, _, file in whole(&answer, file) },
    .later("ignores Range later", .error(.unsupported)) { answer, _, file in
      whole(&answer, file)
    },
    ServerFault("ignores Range for a short file", .picture, isSmall: true) { answer, _, file in
      whole(&answer, file)
    },
    ServerFault("sends half of each range", .picture) { answer, request, file in
      let range =
        request.range.lowerBound..<(request.range.lowerBound + request.range.upperBound + 1) / 2
      answer.body = Array(file[range])
      answer.headers["Content-Range"] = RangeServer.contentRange(range, of: file.count)
    },
    ServerFault("sends single bytes", .error(.misbehaved)) { answer, request, file in
      let range = request.range.lowerBound..<request.range.lowerBound + 1
      answer.body = Array(file[range])
      answer.headers["Content-Range"] = RangeServer.contentRange(range, of: file.count)
    },
    .later("sends more than Content-Range says", .error(.misbehaved)) { answer, _, _ in
      answer.body += [1, 2, 3]
    },
    .later("sends less than Content-Range says", .error(.misbehaved)) { answer, _, _ in
      answer.body.removeLast()
    },
    .later("sends more than was asked for", .error(.misbehaved)) { answer, request, file in
      let range = request.range.lowerBound..<min(file.count, request.range.upperBound + 100)
      answer.body = Array(file[range])
      answer.headers["Content-Range"] = RangeServer.contentRange(range, of: file.count)
    },
    .later("shifts the range", .error(.misbehaved)) { answer, request, file in
      let range = request.range.lowerBound - 1..<request.range.upperBound - 1
      answer.body = Array(file[range])
      answer.headers["Content-Range"] = RangeServer.contentRange(range, of: file.count)
    },
    .later("begins before the range", .error(.misbehaved)) { answer, request, file in
      let range = request.range.lowerBound - 50..<request.range.upperBound - 50
      answer.body = Array(file[range])
      answer.headers["Content-Range"] = RangeServer.contentRange(range, of: file.count)
    },
    .later("no Content-Range", .error(.misbehaved)) { answer, _, _ in
      answer.headers["Content-Range"] = nil
    },
    .later("Content-Range without numbers", .error(.misbehaved)) { answer, _, _ in
      answer.headers["Content-Range"] = "bytes x-y/z"
    },
    .later("Content-Range in rows", .error(.misbehaved)) { answer, _, _ in
      answer.headers["Content-Range"] = "rows 0-9/100"
    },
    ServerFault("Content-Range beyond the file", .error(.misbehaved)) { answer, request, _ in
      answer.headers["Content-Range"] = RangeServer.contentRange(request.range, of: 10)
    },
    .later("Content-Range without a length", .picture) { answer, request, _ in
      answer.headers["Content-Range"] = RangeServer.contentRange(request.range, of: nil)
    },
    ServerFault("never says the length", .error(.unsupported)) { answer, request, _ in
      answer.headers["Content-Range"] = RangeServer.contentRange(request.range, of: nil)
    },
    .later("several parts", .error(.misbehaved)) { answer, _, _ in
      answer.headers["Content-Type"] = "multipart/byteranges; boundary=part"
      answer.headers["Content-Range"] = nil
    },
    .later("compressed ranges", .error(.misbehaved)) { answer, _, _ in
      answer.headers["Content-Encoding"] = "gzip"
    },
    ServerFault("refuses the file's end", .picture) { answer, request, _ in
      if request.isTail { (answer.status, answer.body) = (400, []) }
    },
    ServerFault("the end of another version", .picture) { answer, request, _ in
      if request.isTail {
        answer.headers["ETag"] = "\"two\""
        answer.body = answer.body.map { ~$0 }
      }
    },
    .later("chunks without Content-Length", .picture) { answer, _, _ in
      answer.headers["Transfer-Encoding"] = "chunked"
      let size = String(answer.body.count, radix: 16)
      answer.body = Array("\(size)\r\n".utf8) + answer.body + Array("\r\n0\r\n\r\n".utf8)
    },
  ]

  /// Files that change, or whose version cannot be known.
  private static let versions: [ServerFault] = [
    .later("another length", .error(.changed)) { answer, request, file in
      answer.headers["Content-Range"] = RangeServer.contentRange(request.range, of: file.count + 1)
    },
    .later("another ETag, in spite of the condition", .error(.changed)) { answer, _, _ in
      answer.headers["ETag"] = "\"two\""
      answer.body = answer.body.map { ~$0 }
    },
    .later("another version, refused by If-Match", .error(.changed)) { answer, _, _ in
      (answer.status, answer.body) = (412, [])
      answer.headers["Content-Range"] = nil
    },
    .later("another version, sent whole by If-Range", .error(.changed)) { answer, _, file in
      whole(&answer, file)
      answer.headers["ETag"] = "\"two\""
    },
    .later("the ETag vanishes", .error(.unsupported)) { answer, _, _ in
      answer.headers["ETag"] = nil
    },
    ServerFault("Last-Modified vanishes", .error(.unsupported)) { answer, request, _ in
      answer.headers["ETag"] = nil
      if request.isConditional { answer.headers["Last-Modified"] = nil }
    },
    .later("a shorter file", .error(.changed)) { answer, _, file in
      (answer.status, answer.body) = (416, [])
      answer.headers["Content-Range"] = "bytes */\(file.count / 2)"
    },
    ServerFault("a weak ETag", .picture) { answer, _, _ in answer.headers["ETag"] = "W/\"one\"" },
    ServerFault("no ETag", .picture) { answer, _, _ in answer.headers["ETag"] = nil },
    ServerFault("a weak ETag alone", .error(.unsupported)) { answer, _, _ in
      answer.headers["ETag"] = "W/\"one\""
      answer.headers["Last-Modified"] = nil
    },
    ServerFault("neither ETag nor Last-Modified", .error(.unsupported)) { answer, _, _ in
      answer.headers["ETag"] = nil
      answer.headers["Last-Modified"] = nil
    },
    ServerFault("changed a moment ago", .error(.unsupported)) { answer, _, _ in
      answer.headers["ETag"] = nil
      answer.headers["Last-Modified"] = answer.headers["Date"]
    },
    ServerFault("another Last-Modified later", .error(.changed)) { answer, request, _ in
      answer.headers["ETag"] = nil
      if request.isConditional {
        answer.headers["Last-Modified"] = "Thu, 02 Jan 2020 10:00:00 GMT"
      }
    },
  ]

  /// Refusals, redirects and busy servers.
  private static let statuses: [ServerFault] = [
    ServerFault("no such file", .error(.noSuchFile)) { answer, _, _ in answer.status = 404 },
    ServerFault("access refused", .error(.unreadable)) { answer, _, _ in answer.status = 401 },
    .later("an expired signature", .error(.unreadable)) { answer, _, _ in
      (answer.status, answer.headers) = (403, ["Content-Type": "application/xml"])
      answer.body = Array("<Error><Code>AccessDenied</Code></Error>".utf8)
    },
    ServerFault("an internal error", .error(.misbehaved)) { answer, _, _ in answer.status = 500 },
    .later("416 for a range inside", .error(.misbehaved)) { answer, _, file in
      (answer.status, answer.body) = (416, [])
      answer.headers["Content-Range"] = "bytes */\(file.count)"
    },
    ServerFault("an empty file", .error(.notAPicture)) { answer, _, _ in
      (answer.status, answer.body) = (416, [])
      answer.headers["Content-Range"] = "bytes */0"
    },
    ServerFault("a redirect loop", .error(.misbehaved)) { answer, request, _ in
      (answer.status, answer.body) = (302, [])
      answer.headers["Location"] = request.path
    },
    ServerFault("a redirect to a file", .error(.misbehaved)) { answer, _, _ in
      (answer.status, answer.body) = (302, [])
      answer.headers["Location"] = "file:///etc/hostname"
    },
    .once("429 with Retry-After", .picture) { answer, _, _ in
      (answer.status, answer.body) = (429, [])
      answer.headers["Retry-After"] = "1"
    },
    .once("503 with a date", .picture) { answer, _, _ in
      (answer.status, answer.body) = (503, [])
      answer.headers["Retry-After"] = "Fri, 01 Jan 2021 10:00:01 GMT"
    },
    .once("503 with nonsense", .picture) { answer, _, _ in
      (answer.status, answer.body) = (503, [])
      answer.headers["Retry-After"] = "soon"
    },
    .later("503 for an hour", .error(.misbehaved)) { answer, _, _ in
      (answer.status, answer.body) = (503, [])
      answer.headers["Retry-After"] = "3600"
    },
    ServerFault("503 for ever", .error(.misbehaved)) { answer, _, _ in
      (answer.status, answer.body) = (503, [])
      answer.headers["Retry-After"] = "0"
    },
  ]

  /// Connections that end, stop or are slow.
  private static let connections: [ServerFault] = [
    .once("a cut connection", .picture) { answer, _, _ in answer.ending = .cut(100) },
    .later("cut connections", .error(.misbehaved)) { answer, _, _ in answer.ending = .cut(100) },
    .once("a connection without an answer", .picture) { answer, _, _ in
      answer.ending = .nothing
    },
    .later("a slow drip", .error(.misbehaved)) { answer, _, _ in answer.ending = .drip },
    .later("silence", .error(.misbehaved)) { answer, _, _ in answer.ending = .silence },
    .later("an endless body", .error(.unsupported)) { answer, _, _ in
      answer.status = 200
      answer.headers["Content-Range"] = nil
      answer.ending = .endless
    },
    ServerFault("HTTP/1.0", .picture) { answer, _, _ in
      (answer.start, answer.ending) = ("HTTP/1.0", .close)
    },
    ServerFault("endless headers", .error(.misbehaved)) { answer, _, _ in
      answer.headers["X-Long"] = String(repeating: "long ", count: 100_000)
    },
    ServerFault("thousands of header lines", .error(.misbehaved)) { answer, _, _ in
      for number in 0..<2000 { answer.headers["X-\(number)"] = "a" }
    },
  ]

  /// Files whose length is invented, so that a search in them does not end.
  private static let inventions: [ServerFault] = [
    .endless("headers without end", .error(.damaged), from: [0xFF, 0xD8, 0xFF, 0xE5, 0, 2]),
    .endless("coded data without end", .error(.misbehaved), from: startOfCodedData),
  ]

  /// The headers of a JPEG with restart intervals, and zeros, in which no marker is found.
  private static let startOfCodedData: [UInt8] = {
    let made = try? JPEGBytes.small(900, 700)
    return made.map { Array($0.bytes.prefix($0.codedStart)) + [0, 0, 0, 0] } ?? []
  }()
}
