internal import Foundation
internal import SystemPackage
internal import TestSupport

// Test support, no product: what ci/fuzz-jpeg runs, built with a checker of memory accesses.
//
//   jpeg-fuzz FOLDER FIRST COUNT    checks mutants by their numbers; says how many became what, and
//                                   leaves those that broke the law in FOLDER. One that ends the
//                                   process is there, too, under its number.

func say(_ text: String) { FileHandle.standardError.write(Data("jpeg-fuzz: \(text)\n".utf8)) }

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let folder = arguments.first.map({ FilePath($0) }),
  let first = UInt64(arguments.dropFirst().first ?? ""), let count = UInt64(arguments.last ?? ""),
  !first.addingReportingOverflow(count).overflow
else {
  say("usage: jpeg-fuzz FOLDER FIRST COUNT")
  exit(64)
}
let law = MutantLaw(folder: folder)
var mutants = JPEGMutants()
var counts: [MutantLaw.Outcome: Int] = [:]
var findings = 0
for number in first..<first + count {
  let mutant = try mutants.mutant(number)
  do {
    counts[try law.check(mutant), default: 0] += 1
  } catch let finding as MutantLaw.Finding {
    findings += 1
    say("\(finding)")
    try Data(mutant.bytes).write(
      to: URL(fileURLWithPath: folder.appending("finding-\(number).jpg").string))
  }
}
let outcomes = MutantLaw.Outcome.allCases.map { "\(counts[$0, default: 0]) \($0.rawValue)" }
print("\(count) mutants: \(outcomes.joined(separator: ", ")), \(findings) findings")
exit(findings > 0 ? 1 : 0)
