import Foundation
import Mutation
import Testing

@Suite struct CampaignTests {
  @Test func `only needed targets are built, and warnings are let be`() {
    let manifest = """
      let strict: [SwiftSetting] = [.a, .treatAllWarnings(as: .error)]
      let package = Package(
        products: [.library(name: "A"), .executable(name: "B")],
        targets: [
          .target(name: "A"), .executableTarget(name: "B"),
          .testTarget(name: "ATests"), .testTarget(name: "BTests"),
        ])
      """
    let relaxed = ScratchPackage.relaxed(manifest, tests: ["ATests"])
    #expect(
      ["library(name: \"A\"", "target(name: \"A\"", "\"ATests\""].allSatisfy(relaxed.contains))
    #expect(!["\"B\"", "\"BTests\"", "treatAllWarnings"].contains(where: relaxed.contains))
  }

  @Test func `errors are found by file and line, warnings and notes are not`() {
    let output = """
      [3/10] Compiling A A.swift
      /p/Sources/A/A.swift:12:5: error: cannot find 'b' in scope: c
       12 | error: here
      /p/Sources/A/A.swift:13:5: warning: unused
      /q/Sources/A/A.swift:14:5: error: of another package
      """
    let errors = SchemataBuild.errors(in: output, of: "/p")
    #expect(errors.count == 1)
    #expect(errors.first?.path == "Sources/A/A.swift")
    #expect(errors.first?.line == 12)
    #expect(errors.first?.message == "cannot find 'b' in scope: c")
  }

  @Test func `a file belongs to the first part that names it`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "S/B"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["S/A.swift", "S/B/B.swift", "S/B/B.txt"] {
      try Data().write(to: folder.appending(path: name))
    }
    let plan = """
      {"parts": [
        {"sources": ["S/A.swift"], "tests": ["T"]}, {"sources": ["S"], "tests": ["U"]}
      ]}
      """
    let file = folder.appending(path: "plan.json")
    try Data(plan.utf8).write(to: file)
    let files = try Plan(contentsOf: file).files(in: folder, startingWith: [])
    #expect(files.map(\.path) == ["S/A.swift", "S/B/B.swift"])
    #expect(files.map(\.tests) == [["T"], ["U"]])
    let some = try Plan(contentsOf: file).files(in: folder, startingWith: ["S/B/"])
    #expect(some.map(\.path) == ["S/B/B.swift"])
  }

  @Test func `a program ends with an exit status, a signal, its words or its time`() throws {
    func end(_ script: String, limit: Double = 60) throws -> ChildProcess.End {
      try ChildProcess.run(["sh", "-c", script], until: "enough", timeLimit: limit).end
    }
    #expect(try end("exit 3") == .exited(3))
    #expect(try end("kill -KILL $$") == .crashed(signal: 9))
    #expect(try end("echo that is enough; sleep 600") == .said("that is enough"))
    // A child of the program, which shares its output, ends with it.
    #expect(try end("sleep 600 & sleep 600", limit: 0.2) == .timedOut)
  }
}
