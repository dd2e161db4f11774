// Tries every law on every planted fault; ci/faults runs it.
//
//   fault-matrix SEED CASES [SUBJECT ...]
//
// SUBJECT is the beginning of a subject's name: peek, fullscreen, force, double, transition, throw, arithmetic, or
// resident, the pipeline in which pixel faults are planted.

import Foundation
import PlantedFaults
import ZoomGeometry
import ZoomPipeline

let arguments = CommandLine.arguments.dropFirst()
let names = arguments.dropFirst(2)
let ofPixels =
  try FaultCatalogue.pixels(of: ResidentPipeline())
  + FaultCatalogue.colours(of: ResidentPipeline())
let faults =
  ZoomSystem.allCases.flatMap { FaultCatalogue.faults(of: $0) } + FaultCatalogue.arithmetic
  + ofPixels
let chosen = faults.filter { fault in
  names.isEmpty || names.contains { fault.subject.hasPrefix($0) }
}
guard let seed = arguments.first.flatMap({ UInt64($0) }), !chosen.isEmpty,
  let cases = arguments.dropFirst().first.flatMap({ Int($0) }), cases > 0
else {
  FileHandle.standardError.write(Data("usage: fault-matrix SEED CASES [SUBJECT ...]\n".utf8))
  exit(64)
}
let matrix = await KillMatrix(
  of: chosen, cases: cases, seed: seed, jobs: ProcessInfo.processInfo.activeProcessorCount)
print(matrix.text, terminator: "")
// With only some subjects, many laws lack the fault that justifies them.
exit((names.isEmpty ? matrix.isComplete : matrix.findsAll) ? 0 : 1)
