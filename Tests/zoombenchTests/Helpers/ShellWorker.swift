import Foundation
import SystemPackage

/// A worker for `compare` as a short shell script, which reports times without doing work.
///
/// A sample may report a millisecond more than it took, so a reported millisecond is accepted, and CPU time
/// is not checked. The results therefore do not depend on the machine.
struct ShellWorker {
  struct Case {
    var name: String
    /// CPU time of one run, in nanoseconds; it varies by half a per cent between rounds.
    var nanoseconds = 1_000_000
    var digest = "aa"
    /// The first round in which the worker ends instead of answering.
    var lastRound = Int.max
  }

  var cases: [Case]

  /// Writes the program into a folder and returns its path.
  func write(to name: String, in folder: TestFolder) throws -> FilePath {
    let listed =
      cases.map { "{\"name\":\"\($0.name)\",\"role\":\"gated\"}" }
      + ["{\"name\":\"more\",\"role\":\"canary\"}"]
    let all = cases + [Case(name: "more")]
    let numbers = all.enumerated().map { index, each in
      "    \(index)) cost=\(each.nanoseconds) digest=\(each.digest) last=\(min(each.lastRound, 1 << 40)) ;;\n"
    }
    let text = """
      #!/bin/sh
      while read -r word number round repeats extra; do
        case ${number:-0} in
      \(numbers.joined())    esac
        case $word in
          hello) echo 'hello 1 {"tool":"shell 1","cases":[\(listed.joined(separator: ","))]}' ;;
          open) echo "opened 1000000 $cost" ;;
          sample)
            [ "$round" -le "$last" ] || kill -SEGV $$
            varied=$((cost + cost / 1000 * (round * 7919 % 11 - 5) / 10))
            echo "sample 1000000 $((varied * repeats * (1000 + extra) / 1000)) $digest" ;;
          count) echo "counters {\\"bytes read\\":$cost}" ;;
          *) exit ;;
        esac
      done

      """
    try folder.writeProgram(text, to: name)
    return folder.file(name)
  }
}
