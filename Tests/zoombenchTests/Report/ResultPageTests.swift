import Foundation
import Measurement
import SystemPackage
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct ResultPageTests {
  private struct Content: Decodable {
    struct File: Decodable {
      var name: String
      var result: RunResult
    }

    var files: [File]
    var leftOut: [String]
  }

  private func content(of page: String) throws -> (json: String, value: Content) {
    let start = try #require(page.firstRange(of: "id=\"data\">")).upperBound
    let end = try #require(page[start...].firstRange(of: "</script>")).lowerBound
    let json = String(page[start..<end])
    return (json, try JSONDecoder().decode(Content.self, from: Data(json.utf8)))
  }

  @Test(arguments: 0..<3)
  func `a page has its result unchanged, and none of its text is markup`(kind: Int) throws {
    let input = ReportInput(try Samples.hostileResults(seed: 2)[kind])
    let (json, value) = try content(of: ResultPage.rendered(input))
    #expect(!json.unicodeScalars.contains("<"))
    #expect(value.files.count == 1 && value.leftOut.isEmpty)
    let read = try JSONEncoder.report.encode(value.files[0].result)
    let isEqual = try read == JSONEncoder.report.encode(input.files[0].result)
    #expect(isEqual)
  }

  @Test func `a page loads nothing, and its policy allows only its own scripts`() throws {
    let page = try ResultPage.rendered(ReportInput(Samples.comparison()))
    let scripts = page.matches(of: /<script>((?s:.*?))<\/script>/).map { $0.output.1 }
    let digest = SHA256.digest(of: Array(try #require(scripts.first).utf8))
    let source = "'sha256-\(Data(digest).base64EncodedString())'"
    #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'; script-src \(source);"))
    // The function that escapes written results must not change a script.
    #expect(TerminalText.safe(page) == page)
    // The data are in a script element that does not run.
    #expect(scripts.count == 1 && page.matches(of: /<script/).count == 2)
    let addresses = page.matches(of: /\s(?:src|href)="[^"]*"/).map { String($0.output) }
    #expect(addresses == [" href=\"data:,\""])
  }

  @Test func `a page stays below two megabytes: samples go first, and at last everything`() throws {
    var long = Samples.bench(pictures: ["a"], rounds: 7)
    for index in long.rows.indices {
      long.rows[index].wall = [Array(repeating: 123_456_789, count: 20_000)]
    }
    var endless = Samples.laws([Samples.law("FZ-P1")])
    endless.tool = String(repeating: "<", count: ResultPage.limit)
    for (result, rows) in [(long, [long.rows.count]), (endless, [])] as [(RunResult, [Int])] {
      let page = try ResultPage.rendered(ReportInput(result))
      #expect(page.utf8.count < ResultPage.limit)
      let (_, value) = try content(of: page)
      #expect(value.leftOut.count == 1 && value.files.map(\.result.rows.count) == rows)
    }
  }

  @Test func `a page has drawings of broken laws, and no other file that a result names`()
    async throws
  {
    let folder = try TestFolder()
    let drawing: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
    try folder.write(drawing, to: "drawing.png")
    try folder.write("secret".utf8, to: "secret.png")
    // A drawing that is too large takes no space from the others.
    let large = VerifyReport.drawingPrefix + String(repeating: "A", count: 500_000)
    let files = ["drawing.png", "secret.png"].map { folder.file($0).string }
    let breaches = ([large] + files + [folder.path.string, "missing", "a\0b"]).map { path in
      var breach = Samples.breach()
      breach.picture = path
      return breach
    }
    let report = Samples.laws([Samples.law("PX-2", verdict: .broken, breaches: breaches)])
    let value = try content(of: ResultPage.rendered(ReportInput(report))).value
    let law = try #require(value.files[0].result.rows[0].law)
    let data = "data:image/png;base64,\(Data(drawing).base64EncodedString())"
    #expect(law.breaches.map(\.picture) == [nil, data] + breaches.dropFirst(2).map(\.picture))
  }
}
