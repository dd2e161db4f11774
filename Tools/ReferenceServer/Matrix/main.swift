// Prints which rule finds which fault of the reference server and after how many requests, and checks that
// correct servers cause no findings.
//
//   server-fault-matrix [--seeds N] [--sound N] [--only FAULT]
//
// Exits with 1 if a fault is not found within 200 requests, if fewer than 95 of 100 are attributed to their
// stage, or if a correct server causes a finding.
internal import ForeignPipelines
internal import Foundation
internal import IIIFRules
internal import ReferenceServer
internal import ZoomGeometry
internal import ZoomPipeline

/// Returns the test card in colour, or its first band.
func card(_ width: Int, _ height: Int, isGrey: Bool) throws -> Pixels {
  let card = TestCard.pixels(of: try PixelSize(width: width, height: height))
  guard isGrey else { return card }
  return Pixels(
    size: card.size, bands: 1, format: .uint8, interpretation: .grey,
    bytes: stride(from: 0, to: card.bytes.count, by: card.bands).map { card.bytes[$0] })
}

func verify(
  _ pixels: Pixels, _ settings: ReferenceSettings, _ fault: ServerFault? = nil, seed: Int,
  mostFindings: Int = .max
) throws -> IIIFReport {
  try IIIFVerifier(
    ReferenceServer(pixels, settings, fault: fault), address: settings.address, picture: pixels,
    seed: UInt64(seed), mostFindings: mostFindings
  ).run()
}

func number(_ name: String, _ standard: Int) -> Int {
  let words = CommandLine.arguments
  guard let place = words.firstIndex(of: name), place + 1 < words.count else { return standard }
  return Int(words[place + 1]) ?? standard
}

VipsLibrary.configure()
let seeds = number("--seeds", 1)
let only = CommandLine.arguments.firstIndex(of: "--only").map { CommandLine.arguments[$0 + 1] }
var after: [Int] = []
var survivors: [String] = []
var misnamed: [String] = []
var shrinks: [Int] = []
print("fault,stage,version,standing,rule,stage named,cause,found after,smallest request,shrinking")
for fault in ServerFaults.all where only == nil || fault.name == only {
  let limits = fault.needs.contains(.limits) ? SizeLimits(maxWidth: 97, maxHeight: 71) : nil
  let pixels = try card(157, 113, isGrey: fault.needs.contains(.grey))
  for api in ReferenceAPI.allCases where fault.versions.contains(api) {
    for seed in 0..<seeds {
      let report = try verify(
        pixels, ReferenceSettings(api: api, limits: limits), fault, seed: seed, mostFindings: 1)
      let name = "\(fault.name) (\(api.rawValue), seed \(seed))"
      guard let finding = report.findings.first, finding.foundAfter <= 200 else {
        if fault.standing != .open { survivors.append(name) }
        print("\(fault.name),\(fault.stage),\(api.rawValue),\(fault.standing),-,-,-,-,-,-")
        continue
      }
      print(
        [
          fault.name, fault.stage.rawValue, api.rawValue, fault.standing.rawValue,
          finding.rule.id, finding.stage.rawValue, finding.cause ?? "-",
          "\(finding.foundAfter)", finding.requests.last ?? "-", "\(finding.shrinkRequests)",
        ].map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ","))
      guard fault.standing != .open else { continue }
      after.append(finding.foundAfter)
      shrinks.append(finding.shrinkRequests)
      if finding.stage.rawValue != fault.stage.rawValue {
        misnamed.append("\(name): \(fault.stage) named \(finding.stage)")
      }
    }
  }
}

var alarms: [String] = []
let sound = number("--sound", 30)
for run in 0..<sound {
  let settings = ReferenceSettings(
    api: ReferenceAPI.allCases[run % 2], renderer: ReferenceRenderer.allCases[run / 2 % 2],
    limits: run % 7 == 6 ? SizeLimits(maxWidth: 97, maxHeight: 71) : nil,
    rounding: LengthRounding.allCases[run / 4 % 3])
  let sides = [(157, 113), (113, 157), (64, 48), (201, 33)][run / 12 % 4]
  let pixels = try card(sides.0, sides.1, isGrey: run % 5 == 4)
  for finding in try verify(pixels, settings, seed: run).findings {
    alarms.append(
      "\(settings.api.rawValue) \(settings.renderer) \(settings.rounding) \(sides), seed \(run): "
        + "\(finding.rule.id) \(finding.requests.last ?? ""): \(finding.complaint)")
  }
}

let sorted = after.sorted()
print("\nfound: \(after.count) of \(after.count + survivors.count)")
if !sorted.isEmpty {
  print(
    "requests until found: median \(sorted[sorted.count / 2]), most \(sorted[sorted.count - 1])")
  print("requests to shrink: most \(shrinks.max() ?? 0)")
  print("stage named rightly: \(after.count - misnamed.count) of \(after.count)")
}
for name in survivors { print("not found: \(name)") }
for name in misnamed { print("stage: \(name)") }
print("false alarms: \(alarms.count) in \(sound) runs of correct servers")
for alarm in alarms { print("false alarm: \(alarm)") }
let isGood =
  survivors.isEmpty && alarms.isEmpty && misnamed.count * 20 <= max(after.count, 1)
exit(isGood ? 0 : 1)
