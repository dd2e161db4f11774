internal import Foundation
internal import Measurement

// How well the history gate finds slowdowns, and how often it cries wolf:
//
//     gate-characteristics [--seed N] [--trials N] [--series FILE] [--json FILE]
//
// The same of `compare`, of launches that were recorded:
//
//     gate-characteristics --launches FILE [--seed N] [--trials N]
//
// Where neighbouring runs are alike, in histories of so many runs:
//
//     gate-characteristics --correlations LENGTH [--seed N] [--trials N] [--json FILE]
//
// `compare` of two executables that cannot be linked again, and how often intervals miss:
//
//     gate-characteristics --comparisons builds|intervals [--seed N] [--trials N] [--json FILE]
//
// Without a file of recorded histories, {"series": [{"name": ..., "values": [...]}, ...]} with one for
// each case of the same runs, they are drawn. The tables go to stdout.

/// The file that recorded histories are read from, each of builds compared with themselves.
struct Recording: Decodable {
  struct History: Decodable {
    var name: String
    var values: [Double]
  }

  var series: [History]
}

/// Ends with one line on stderr and an exit code of sysexits.h.
func fail(_ message: String, code: Int32) -> Never {
  FileHandle.standardError.write(Data("gate-characteristics: \(message)\n".utf8))
  exit(code)
}

var seed: UInt64 = 1
var trials = 200
var seriesPath: String?
var launchesPath: String?
var jsonPath: String?
var gridLength: Int?
var comparisons: String?
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  guard let value = arguments.popFirst() else { fail("\(option) needs a value", code: 64) }
  switch option {
  case "--seed":
    guard let number = UInt64(value) else { fail("\(value) is not a seed", code: 64) }
    seed = number
  case "--trials":
    guard let number = Int(value), (1...100_000).contains(number) else {
      fail("\(value) is not 1 to 100000 trials", code: 64)
    }
    trials = number
  case "--series": seriesPath = value
  case "--launches": launchesPath = value
  case "--comparisons":
    guard ["builds", "intervals"].contains(value) else {
      fail("\(value) is neither builds nor intervals", code: 64)
    }
    comparisons = value
  case "--correlations":
    guard let number = Int(value), (15...1000).contains(number) else {
      fail("\(value) is not 15 to 1000 runs", code: 64)
    }
    gridLength = number
  case "--json": jsonPath = value
  default: fail("unknown option \(option)", code: 64)
  }
}

func read(_ path: String) -> Data {
  guard let data = FileManager.default.contents(atPath: path) else {
    fail("\(path): cannot be read", code: 66)
  }
  return data
}

if let launchesPath {
  do {
    let recording = try JSONDecoder().decode(LaunchRecording.self, from: read(launchesPath))
    print(ComparisonExperiment.heading.joined(separator: "\n"))
    for planted in [0, 0.01, 0.02, 0.03, 0.05, -0.05] {
      var random = SeededRandom(seed: seed, label: percent(planted))
      print(
        try ComparisonExperiment(
          planted: planted, of: recording.cases.map { LaunchSource($0) }, runs: trials,
          random: &random
        ).line)
    }
  } catch {
    fail("\(launchesPath): is not what it claims to be: \(error)", code: 65)
  }
  exit(0)
}

/// Writes what was found to a file, if one is named.
func keep(_ result: some Encodable, in path: String?) {
  guard let path else { return }
  do {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(result).write(to: URL(fileURLWithPath: path), options: .atomic)
  } catch {
    fail("\(path): cannot be written: \(error)", code: 73)
  }
}

if comparisons == "builds" {
  let rows = try OneLayoutRow.all(trials: trials, seed: seed)
  print(([OneLayoutRow.heading] + rows.map(\.line)).joined(separator: "\n"))
  keep(rows, in: jsonPath)
  exit(0)
}

if comparisons == "intervals" {
  let rows = try CoverageRow.all(trials: 1000 * trials, seed: seed)
  print(([CoverageRow.heading] + rows.map(\.line)).joined(separator: "\n"))
  keep(rows, in: jsonPath)
  exit(0)
}

if let gridLength {
  // Of 200 trials 4,000 runs: forty false alarms at the stated rate.
  let grid = try CorrelationGrid(
    seed: seed, length: gridLength, runs: 20 * trials, trials: trials)
  print(grid.table)
  keep(grid, in: jsonPath)
  exit(0)
}

var experiment = Experiment(seed: seed)
do {
  if let seriesPath {
    let recorded = try JSONDecoder().decode(Recording.self, from: read(seriesPath)).series
    let suite = recorded.map(\.values)
    try experiment.run("recorded", quiet: [suite], trials: trials) { trial, _ in
      suite[trial % suite.count]
    }
  } else {
    for noise in SyntheticNoise.all {
      var random = SeededRandom(seed: seed, label: noise.name)
      // Two thousand runs for 200 trials: twenty false alarms at the stated rate.
      let suites = (0..<max(1, trials / 20)).map { _ in
        (0..<casesOfARun).map { _ in noise.series(count: 200, using: &random) }
      }
      try experiment.run(noise.name, quiet: suites, trials: trials) { _, random in
        noise.series(count: 160, using: &random)
      }
    }
  }
} catch let error as NotARatio {
  fail("\(error)", code: 65)
} catch {
  fail("\(seriesPath ?? "series"): is not what it claims to be: \(error)", code: 65)
}

print(experiment.tables)
keep(experiment, in: jsonPath)
