internal import PropertyTesting

// Cases per second of a clamp law over three doubles, choices recorded, with one lane and with two.
let cases = 2_000_000
let numbers = Gen.double(in: -1e6...1e6)
for lanes in [1, 1, 1, 2] {
  let report = await Property.check(
    "clamp", Gens.zip(numbers, numbers, numbers),
    settings: PropertySettings(cases: cases, seed: 1, parallelism: lanes)
  ) { arguments, _ in
    let (value, a, b) = arguments
    let (low, high) = (min(a, b), max(a, b))
    let clamped = min(max(value, low), high)
    try Property.require(clamped >= low && clamped <= high)
    try Property.require(clamped == value || clamped == low || clamped == high)
  }
  let rate = Double(report.cases) / (report.elapsed / .seconds(1))
  print("\(lanes) lanes: \(Int(rate)) cases per second, \(report.verdict)")
}
