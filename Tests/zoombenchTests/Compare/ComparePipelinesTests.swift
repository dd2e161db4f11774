import Foundation
import SystemPackage
import Testing

@testable import zoombench

/// Two programs that nobody built here are compared like two builds.
@Suite struct ComparePipelinesTests {
  @Test(arguments: [true, false])
  func `programs with other pixels are told apart, and equal ones are not`(
    isBlack: Bool
  ) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      let zoombench = try TestFolder.executable()
      let right = "'\(zoombench.removingLastComponent().appending("pipeline-worker"))'"
      let other = isBlack ? "'\(zoombench)' \(NullWorkerCommand.name) 17 3" : right
      let run = try await folder.zoombench(
        "compare", "old=worker:\(right)", "new=worker:\(other)", "--pictures", "a.jpg", "--filter",
        "375x375/warm", "--budget", "4s", "--quiet", "--format", "json")
      let result = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let outcome = try #require(result?["outcome"] as? String, "\(run.errors)")
      #expect((outcome == "pixels differ") == isBlack)
      #expect(outcome != "case missing")
      #expect(!isBlack || run.code == 1)
    }
  }
}
