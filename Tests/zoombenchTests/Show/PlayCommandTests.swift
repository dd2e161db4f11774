import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

@Suite struct PlayCommandTests {
  @Test(arguments: ["too-short-a-word", "abc", "abcdefghijklmnop&x"])
  func `play passes environment, messages and exit codes through`(token: String) async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench(["play"], environment: ["ZOOMBENCH_TOKEN": token])
    #expect(run.code == 64)
    #expect(run.errors.contains("ZOOMBENCH_TOKEN takes at least 16 letters and digits"))
  }

  @Test func `play without its program says how to build it`() async throws {
    let folder = try TestFolder()
    var command = try folder.command(["play", "a.jpg"], environment: ["PATH": "/nowhere"])
    let own = try TestFolder.executable().string
    let copy = folder.file("zoombench").string
    try TestFolder.install(FilePath(own), as: FilePath(copy))
    command.arguments = command.arguments.map { $0 == own ? copy : $0 }
    let run = try await CommandRun.of(command)
    #expect(run.code == 69)
    #expect(run.errors.contains("swift build -c release --product zoombench-play"))
  }
}
