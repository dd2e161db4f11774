// Tries laws of the corrected systems, in the copy of the package that `mutate --laws` builds.
//
//   law-runner                    lists all laws as system.law
//   law-runner CASES NAME ...     tries laws; exits with 1 at the first that is broken or that no longer
//                                 gets the share of cases that it requires

import Foundation
import ZoomGeometry
import ZoomLaws

let suites =
  ZoomSystem.allCases.flatMap { system in
    LawCatalogue.suites(of: system, .corrected).map { (system.rawValue, $0) }
  } + [("arithmetic", LawCatalogue.arithmetic)]
let trials = suites.flatMap { name, suite in suite.trials.map { ("\(name).\($0.law)", $0) } }

let arguments = CommandLine.arguments.dropFirst()
guard let first = arguments.first else {
  for (name, _) in trials { print(name) }
  exit(0)
}
guard let cases = Int(first) else { exit(64) }
for wanted in arguments.dropFirst() {
  for (name, trial) in trials where name == wanted {
    guard let reason = await trial.firstComplaint(cases: cases, seed: 1) else { continue }
    print("\(name) is broken: \(reason)")
    exit(1)
  }
}
