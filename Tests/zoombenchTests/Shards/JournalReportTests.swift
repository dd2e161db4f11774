import ArgumentParser
import Foundation
import PropertyTesting
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

/// Journals of every job with arbitrary numbers in any field and a valid checksum, which anyone can compute.
@Suite struct JournalReportTests {
  static let jobs = [
    ["index", "pictures", "--index-dir", "ix"], ["inspect", "pictures"],
    [
      "verify", "--systems", "peek", "--original", "--laws", "FZ-P1,FZ-P4,FZ-P13c", "--cases", "30",
      "--seed", "3",
    ],
  ]

  @Test(arguments: jobs)
  func `merging journals with arbitrary fields ends with a result or a refusal`(
    _ job: [String]
  ) async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "pictures/a.jpg")
    try await folder.place("png", as: "pictures/b.png")
    try folder.write("words".utf8, to: "pictures/c.jpg")
    let key: [String: String?] = ["ZOOMBENCH_INDEX_KEY": folder.file("key").string]
    if job[0] == "index" { _ = try await folder.zoombench(job, environment: key) }
    let made = try await folder.zoombench(
      job + ["--quiet", "--shard", "1/1", "-o", "j"], environment: key)
    #expect(made.code == 0, "\(made.errors)")
    let original = try JournalMutant(folder.bytes(of: "j/shard-0001-of-0001.jsonl"))
    #expect(isSame(original.sealed(), try folder.bytes(of: "j/shard-0001-of-0001.jsonl")))
    let formats = ["table", "json", "junit", "csv", "markdown"]
    var random = SplitMix64(seed: 36)
    var (merged, refused) = (0, 0)
    for number in 0..<Thoroughness.pick(150, full: 20_000) {
      var mutant = original
      mutant.change(&random)
      try folder.write(mutant.sealed(), to: "mutant.jsonl")
      let arguments = [
        folder.file("mutant.jsonl").string, "--format", formats[number % formats.count],
        "-o", folder.file("merged").string,
      ]
      let command = try ReportCommand.parse(arguments)
      try? FileManager.default.removeItem(atPath: folder.file("merged").string)
      do {
        try await command.run()
      } catch {
        #expect(Diagnostics.diagnosis(of: error)?.status != .fault, "mutant \(number): \(error)")
      }
      // A result may also be written if it has a finding or an unreadable picture.
      if FileManager.default.fileExists(atPath: folder.file("merged").string) {
        merged += 1
      } else {
        refused += 1
      }
    }
    #expect(refused > 20 && merged > 10, "\(merged) merged, \(refused) refused")
  }
}
