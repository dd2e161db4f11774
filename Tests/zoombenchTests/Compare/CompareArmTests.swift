import ArgumentParser
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

@Suite struct CompareArmTests {
  @Test(arguments: ["main", "origin/main", "HEAD~3", "v1.2", "0123abc"])
  func `what is no file is a revision`(name: String) throws {
    #expect(try CompareArm(name) == .revision(name))
  }

  @Test(arguments: ["/nowhere/zoombench", "./gone", "run.json"])
  func `what can only be a file and is not there is named`(name: String) {
    let error = #expect(throws: Failure.self) { try CompareArm(name) }
    #expect(error?.status == .noInput)
    #expect(error?.description.contains(name) == true)
  }

  @Test func `a plain file is wrong usage, and the message points to the history`() throws {
    let folder = try TestSupport.TestFolder()
    let result = folder.path.appending("run.json")
    try Data("{}".utf8).write(to: URL(filePath: result.string))
    let error = #expect(throws: ValidationError.self) { try CompareArm(result.string) }
    #expect(error?.message.contains("neither an executable nor a revision") == true)
    #expect(error?.message.contains("zoombench history") == true)
  }

  @Test func `a pipeline is told from a revision by what follows the sign of equality`() throws {
    let pipeline = "mine=worker:python3 worker.py"
    #expect(try CompareArm(pipeline) == .pipeline(pipeline))
    #expect(try CompareArm("a=b") == .revision("a=b"))
    #expect(throws: ValidationError.self) { try CompareArm("mine=fax:python3 worker.py") }
  }

  @Test func `an executable and the working tree are told apart`() throws {
    #expect(try CompareArm("/bin/sh") == .executable("/bin/sh"))
    #expect(try CompareArm(".") == .workingTree)
  }
}
