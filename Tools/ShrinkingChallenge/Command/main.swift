internal import ShrinkingChallenge

// Prints, for each task over 100 seeds or as many as the argument says: how many different
// results there were, the commonest, and the runs of the property that shrinking took.
// With "search" simpler failures far away are looked for, too, which costs up to 3,000 runs more.
let arguments = CommandLine.arguments.dropFirst()
let seeds = arguments.first.flatMap { UInt64($0) } ?? 100
let searches = arguments.contains("search")
print("| task | results | commonest | mean (95 % interval) | greatest | Hypothesis | ratio |")
print("|---|---|---|---|---|---|---|")
var others: [String] = []
for task in ChallengeTask.all {
  var runs: [ChallengeTask.Run] = []
  for seed in 0..<seeds {
    if let run = await task.run(seed: seed, searches: searches) { runs.append(run) }
  }
  let report = ChallengeReport(task, runs)
  print(report.row)
  others += report.results.dropFirst().map { "\(task.name): \($0.result) (\($0.count))" }
}
print("\nOther results:\n" + others.joined(separator: "\n"))
