internal import Foundation
internal import ZoomCorpus
internal import ZoomGeometry

// Times the steps of live zoom systems, an event or a frame in, layers out; their times include the clock's.
//
//   live-steps [PLAYS [GESTURE ...]]     default: 50 plays of one gesture of each system
//
// "blocks" are heap allocations in one play after two plays of warm-up. Exit codes: 0 all well; 1 a corrected
// system allocates; 64 wrong usage.

let words = Array(CommandLine.arguments.dropFirst())
let count: Int? = words.isEmpty ? 50 : Int(words[0])
let gestures =
  words.count > 1
  ? Array(words.dropFirst()) : ["peek", "fullscreen", "force", "double-tap", "transition"]

func say(_ text: String) { FileHandle.standardError.write(Data("live-steps: \(text)\n".utf8)) }

guard let plays = count, (1...100_000).contains(plays),
  let rows = try LiveBench(gestures: gestures, plays: plays).run()
else {
  say("usage: live-steps [plays [gesture ...]]; \(CorpusGestures.names.joined(separator: ", "))")
  exit(64)
}
print(LiveBench.table(rows), terminator: "")
for row in rows where row.form == .corrected && row.blocks ?? 0 > 0 {
  say("\(row.system.rawValue) makes \(row.blocks ?? 0) heap allocations in a play")
  exit(1)
}
