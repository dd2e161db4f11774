import Foundation
import Measurement
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

@Suite struct ResultFileTests {
  private func failure(_ text: String) throws -> Failure? {
    let folder = try TestSupport.TestFolder()
    let path = folder.path.appending("run.json")
    try Data(text.utf8).write(to: URL(filePath: path.string))
    do {
      _ = try ResultFile(path.string)
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test func `a comparison that was written is read`() throws {
    let result = HandmadeComparison.result([HandmadeComparison.peek()])
    let text = String(decoding: try JSONEncoder.compact.encode(result), as: UTF8.self)
    #expect(try failure(text) == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"schema\": 7}", "no JSON", "{\"schema\":\"zoombench.bench/1\"}",
  ])
  func `what is no result is refused with its name`(text: String) throws {
    let found = try failure(text)
    #expect(found?.status == .badInput)
    #expect(found?.description.contains("run.json") == true)
  }

  @Test func `a newer schema is named`() throws {
    let found = try failure("{\"schema\":\"zoombench.compare/9\"}")
    #expect(found?.description.contains("zoombench.compare/9") == true)
  }

  @Test func `a missing file is no input`() {
    let error = #expect(throws: Failure.self) { try ResultFile("/nowhere/run.json") }
    #expect(error?.status == .noInput)
  }
}
