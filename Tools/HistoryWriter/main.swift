internal import Foundation
internal import MeasurementHistory

// Test support, no product: what ci/history-kill and the tests kill.
//
//   history-writer write DATABASE     adds runs without end, and prints each id once it is kept
//   history-writer check DATABASE     reads ids from stdin; fails unless each is there, and every
//                                     run that is there is whole

func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("history-writer: \(reason)\n".utf8))
  exit(1)
}

func write(to path: String) throws -> Never {
  let store = try HistoryStore(path: path, createsFile: true)
  while true {
    let id = UUID().uuidString.lowercased()
    try store.append(WrittenRun.make(id: id))
    // One write of less than a pipe's buffer: a line comes whole or not at all.
    FileHandle.standardOutput.write(Data("\(id)\n".utf8))
  }
}

func check(_ path: String) throws {
  var promised: Set<String> = []
  while let line = readLine() { promised.insert(line) }
  let store = try HistoryStore(path: path, createsFile: promised.isEmpty)
  let count = try store.check()
  var found: Set<String> = []
  for run in try store.runs() {
    guard try store.run(id: run.id) == WrittenRun.make(id: run.id) else {
      fail("run \(run.id) is not as it was written")
    }
    found.insert(run.id)
  }
  let missing = promised.subtracting(found)
  if let first = missing.first { fail("\(missing.count) promised runs are missing: \(first)") }
  print("\(promised.count) runs promised, \(count) there, each whole")
}

let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.count) {
  case ("write", 2): try write(to: arguments[2])
  case ("check", 2): try check(arguments[2])
  default: fail("usage: history-writer write|check DATABASE")
  }
} catch {
  fail("\(error)")
}
