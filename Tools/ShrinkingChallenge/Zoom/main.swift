internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws

// Prints, for each law that a published system breaks and each place that noticed it, the
// different smallest inputs that some seeds end in.
//
//     zoom-shrinking [seeds] [name of a law ...]
let arguments = CommandLine.arguments.dropFirst()
let seeds = arguments.first.flatMap { UInt64($0) } ?? 100
let names = Set(arguments.dropFirst())

for system in ZoomSystem.allCases {
  for trial in LawCatalogue.suites(of: system, .original).flatMap(\.trials)
  where trial.isBrokenAsPublished && (names.isEmpty || names.contains(trial.law)) {
    let began = ContinuousClock.now
    var results: [String: [String: [UInt64]]] = [:]
    var evaluations: [Int] = []
    for seed in 0..<seeds {
      var settings = PropertySettings(cases: 100_000 / trial.caseCost, seed: seed)
      settings.phases = [.generate, .target, .shrink]
      // The results must not depend on the load of the machine.
      settings.shrinkTime = .seconds(3600)
      let report = await trial.check(settings)
      for breach in report.breaches {
        let place = (breach.error as? PropertyFailure)?.line.description ?? "thrown"
        results[place, default: [:]][breach.input, default: []].append(seed)
        evaluations.append(breach.evaluations)
      }
    }
    let mean = evaluations.isEmpty ? 0 : evaluations.reduce(0, +) / evaluations.count
    print(
      "\(trial.law) of \(trial.subject): \(results.values.map { "\($0.count)" }.joined(separator: " + ")) results,",
      "mean \(mean) evaluations, most \(evaluations.max() ?? 0),", began.duration(to: .now))
    for (place, inputs) in results.sorted(by: { $0.key < $1.key }) {
      for (input, found) in inputs.sorted(by: { $1.value.count < $0.value.count }) {
        print("  line \(place), \(found.count) times (seed \(found[0])): \(input)")
      }
    }
  }
}
