internal import Foundation
internal import Synchronization
internal import SystemPackage
internal import TestSupport

// The program that ci/fuzz-open runs, built with a checker of memory accesses.
//
//   open-fuzz FORMATS FOLDER FIRST COUNT    checks mutants of formats, as "png,tiff", or all that this
//                                           libvips writes, by their numbers. Appends the outcome
//                                           of each to FOLDER/outcomes. A mutant stays in FOLDER if it
//                                           breaks the law, ends the process, or is decoded to different
//                                           pixels each time.
//   open-fuzz tiff-written FOLDER FIRST COUNT
//                                           checks TIFFs that `WrittenTIFF` makes, by their numbers

func say(_ text: String) { FileHandle.standardError.write(Data("open-fuzz: \(text)\n".utf8)) }

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]),
  !first.addingReportingOverflow(count).overflow
else {
  say("usage: open-fuzz FORMATS FOLDER FIRST COUNT")
  exit(64)
}
let isWritten = arguments[0] == "tiff-written"
let asked =
  isWritten || arguments[0] == "all"
  ? MutantFormat.allCases
  : arguments[0].split(separator: ",").compactMap { .init(rawValue: String($0)) }
let formats = Mutants.writable(of: asked)
guard !formats.isEmpty, isWritten || arguments[0] == "all" || formats.count == asked.count else {
  say("this libvips does not write all of \(arguments[0])")
  exit(64)
}
let folder = FilePath(arguments[1])

// A mutant that hangs is ended here, so that its stack is shown. Wall time counts, because a thread that
// waits for a lock uses no CPU time.
let beat = Atomic(DispatchTime.now().uptimeNanoseconds)
let mainThread = pthread_self()
Thread.detachNewThread {
  while true {
    sleep(1)
    let last = beat.load(ordering: .relaxed)
    guard DispatchTime.now().uptimeNanoseconds > last + 120_000_000_000 else { continue }
    say("a mutant takes more than 120 s")
    pthread_kill(mainThread, SIGABRT)
    return
  }
}

// Under the checker, libvips (8.14) takes a second for a million samples of a plain PNM that are missing at
// the end of the file.
let law = MutantLaw(folder: folder, mostSeconds: 5)
let writtenLaw = WrittenTIFFLaw(folder: folder)
var mutants = Mutants(formats)
let outcomes = try FileDescriptor.open(
  folder.appending("outcomes"), .writeOnly, options: [.create, .append],
  permissions: [.ownerReadWrite, .groupRead, .otherRead])

func checkWritten(_ tiff: WrittenTIFF) throws {
  var outcome: String
  do {
    outcome = try writtenLaw.check(tiff).outcome
  } catch let finding as WrittenTIFFLaw.Finding {
    outcome = "finding"
    say("\(finding)")
    let path = folder.appending("finding-\(tiff.number).tif")
    try Data(try tiff.file()).write(
      to: URL(fileURLWithPath: path.string))
  }
  try outcomes.writeAll(Array("\(tiff.number) tiff-written \(outcome)\n".utf8))
}

for number in first..<first + count {
  beat.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
  if isWritten {
    try checkWritten(WrittenTIFF(number))
    continue
  }
  let mutant = try mutants.mutant(number)
  var outcome: String
  do {
    outcome = try law.check(mutant).rawValue
  } catch let finding as MutantLaw.Finding {
    outcome = "finding"
    say("\(finding)")
  }
  if ["finding", "unstable"].contains(outcome) {
    try Data(mutant.bytes).write(
      to: URL(
        fileURLWithPath: folder.appending("\(outcome)-\(number).\(mutant.suffix)").string))
  }
  try outcomes.writeAll(Array("\(number) \(mutant.format.rawValue) \(outcome)\n".utf8))
}
