import ArgumentParser
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

@Suite struct ContenderTests {
  @Test(arguments: ["main", "origin/main", "HEAD~3", "v1.2", "0123abc"])
  func `a name without a file is a revision`(name: String) throws {
    #expect(try Contender.What(name) == .revision(name))
  }

  @Test(arguments: ["/nowhere/zoombench", "./gone", "run.json"])
  func `a missing file is named`(name: String) {
    let error = #expect(throws: Failure.self) { try Contender.What(name) }
    #expect(error?.status == .noInput)
    #expect(error?.description.contains(name) == true)
  }

  @Test func `a file that cannot run is wrong usage, and history is mentioned`() throws {
    let folder = try TestSupport.TestFolder()
    let result = folder.path.appending("run.json")
    try Data("{}".utf8).write(to: URL(filePath: result.string))
    let error = #expect(throws: ValidationError.self) { try Contender.What(result.string) }
    #expect(error?.message.contains("neither an executable nor a revision") == true)
    #expect(error?.message.contains("zoombench history") == true)
  }

  @Test func `a program has a kind after its equals sign, and a revision has none`() throws {
    let pipeline = "mine=worker:sh worker.sh"
    #expect(try Contender.What(pipeline) == .program(.pipeline(pipeline)))
    let shell = Contender.Program.shell(name: "mine", command: "sleep 1; a=b")
    #expect(try Contender.What("mine=shell:sleep 1; a=b") == .program(shell))
    #expect(try Contender.What("a=b") == .revision("a=b"))
    for text in ["mine=fax:sh worker.sh", "mine=shell:  ", "=shell:true"] {
      #expect(throws: ValidationError.self) { try Contender.What(text) }
    }
  }

  @Test(arguments: [
    (["a=worker:sh a", "main", "--pictures", "a.jpg"], "compared with another pipeline"),
    (["a=worker:sh a", "b=shell:true", "--pictures", "a.jpg"], "compared with another shell"),
    (["a=shell:true"], "compared with another shell command"),
    (["a=worker:sh a", "b=worker:sh b"], "name the pictures"),
    (["a=shell:true", "b=shell:true", "--pictures", "a.jpg"], "names its own files"),
    (["main", "--pipeline", "a=worker:sh a"], "name the pictures"),
    (["/bin/sh", "--pipeline", "a=shell:true"], "for two revisions"),
    (["main", "--pipeline", "a=shell:true", "--argument", "x"], "--argument is for builds"),
  ])
  func `programs of two kinds, or with options of another kind, are wrong usage`(
    words: [String], complaint: String
  ) throws {
    let command = try CompareCommand.parse(words)
    let candidate = try command.candidate.map { try Contender.What($0) } ?? .workingTree
    let error = #expect(throws: ValidationError.self) {
      try command.checkedProgram(try Contender.What(command.base), candidate)
    }
    #expect(error?.message.contains(complaint) == true)
  }

  @Test func `a path is an executable, and a dot the working tree`() throws {
    #expect(try Contender.What("/bin/sh") == .executable("/bin/sh"))
    #expect(try Contender.What(".") == .workingTree)
  }
}
