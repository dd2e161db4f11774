// Prints which law finds which fault of the reference viewer after how many cases, and tries the sound viewer.
//
//   viewer-fault-matrix [--cases N] [--sound RUNS] [--only FAULT] [--laws LAW,…] [--seed N] [--browser PATH]
//
// A fault's own law is tried first, then those that found others. Exits with 1 if fewer than 57 of 60 faults are found
// or the sound viewer breaks a law.
internal import Foundation
internal import PropertyTesting
internal import ReferenceViewer
internal import SystemPackage
internal import ZoomLaws
internal import ZoomPipeline
internal import ZoomViewers

func option(_ name: String) -> String? {
  let words = CommandLine.arguments
  guard let place = words.firstIndex(of: name), place + 1 < words.count else { return nil }
  return words[place + 1]
}

/// Returns a field of CSV.
func quoted(_ text: String) -> String {
  "\"\(text.replacing("\"", with: "\"\""))\""
}

/// Prints a line at once, because a run takes hours.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func number(_ name: String, _ standard: Int) -> Int { option(name).flatMap { Int($0) } ?? standard }

/// Returns the viewer of a page.
func viewer(_ name: String, _ page: String) throws -> WebViewer {
  let file = folder.appendingPathComponent("\(name).html")
  try Data(page.utf8).write(to: file)
  return WebViewer(
    try ViewerEntry(name, page: file.path),
    schemes: [
      TileScheme(.dzi, 128, overlap: 1), .plain, TileScheme(.iiif2, 256), TileScheme(.zoomify, 64),
      TileScheme(.xyz, 256), TileScheme(.dzi, 250), TileScheme(.iiif0, 128),
    ], browser: browser)
}

func trials(_ viewer: WebViewer) throws -> [LawTrial] {
  let subject = try viewer.subject(ratios: WebViewer.ratios, sizes: WebViewer.sizes)
  return LawCatalogue.suites(of: subject).flatMap(\.trials).filter {
    laws.isEmpty || laws.contains($0.law)
  }
}

/// Tries a law without shrinking; shares of classes are for longer runs.
func report(_ trial: LawTrial, cases: Int) async -> LawReport {
  var settings = PropertySettings(cases: cases, seed: UInt64(number("--seed", 1)))
  settings.phases = [.generate]
  settings.failureLimit = 1
  settings.flakiness.replays = 1
  settings.caseTimeLimit = nil
  settings.classCases = 3 * cases
  settings.decidesEarly = true
  settings.suppressing = [.tooSlow]
  return await trial.check(settings)
}

let words = CommandLine.arguments.dropFirst()
let options = ["--cases", "--sound", "--only", "--laws", "--seed", "--browser"]
guard words.count % 2 == 0, words.enumerated().allSatisfy({ $0 % 2 == 1 || options.contains($1) })
else {
  say("usage: viewer-fault-matrix [\(options.map { "\($0) …" }.joined(separator: "] ["))]")
  exit(64)
}
VipsLibrary.configure()
let laws = Set((option("--laws") ?? "").split(separator: ",").map(String.init))
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let browser = try BrowserCommand.find(option("--browser").map { FilePath($0) })
say("# \(browser.version)")

var alarms = 0
let sound = number("--sound", 10)
if sound > 0 {
  let reference = try viewer("reference", ReferenceViewer.page)
  say("# \(try reference.traits())")
  say("law,verdict,cases,seconds,breach")
  for trial in try trials(reference) {
    let report = await report(trial, cases: sound)
    let breach = report.breaches.first.map { "\($0.complaint): \($0.input)" } ?? ""
    let seconds = String(format: "%.1f", report.elapsed / .seconds(1))
    say("\(trial.law),\(report.verdict),\(report.cases),\(seconds),\(quoted(breach))")
    if !report.breaches.isEmpty { alarms += 1 }
  }
  reference.close()
  say("# false alarms: \(alarms)")
}

let cases = number("--cases", 0)
var killers: [String: Int] = [:]
var survivors: [String] = []
let names = Set((option("--only") ?? "").split(separator: ",").map(String.init))
let faults = ViewerFaults.all.filter { names.isEmpty || names.contains($0.name) }
if cases > 0 {
  say("fault,stage,expected,found by,after,seconds,complaint")
  for fault in faults {
    guard let page = fault.planted(in: ReferenceViewer.page) else { continue }
    let start = ContinuousClock.now
    let faulty = try viewer(fault.name, page)
    var found: (law: String, breach: LawReport.Breach)?
    var failure = ""
    do {
      let all = try trials(faulty)
      func rank(_ law: String) -> (Int, Int) {
        (law == fault.law ? 0 : 1, -killers[law, default: 0])
      }
      for trial in all.sorted(by: { rank($0.law) < rank($1.law) }) {
        // The expected law gets all cases; the others only what finds most faults.
        let report = await report(trial, cases: trial.law == fault.law ? cases : min(cases, 10))
        guard let breach = report.breaches.first else { continue }
        found = (trial.law, breach)
        break
      }
    } catch { failure = "\(error)" }
    faulty.close()
    if let found { killers[found.law, default: 0] += 1 } else { survivors.append(fault.name) }
    let seconds = String(format: "%.0f", (ContinuousClock.now - start) / .seconds(1))
    say(
      [
        fault.name, fault.stage.rawValue, fault.law, found?.law ?? "-",
        found.map { "\($0.breach.foundAt)" } ?? "-", seconds,
        quoted(found?.breach.complaint ?? failure),
      ].joined(separator: ","))
  }
  say("# found: \(faults.count - survivors.count) of \(faults.count)")
  for name in survivors { say("# not found: \(name)") }
}
exit(alarms == 0 && survivors.count <= 3 ? 0 : 1)
