internal import Foundation
internal import Synchronization

/// The programs that are running and awaited: compilers, valgrind, launches of zoombench.
///
/// An interrupted run ends them and the programs that they started: `swift build` starts each compiler in
/// another process group, so a signal to one group does not reach all.
enum RunningTools {
  /// A process; its start time distinguishes it from a later one with the same number.
  private struct Identity: Hashable {
    let process: Int32
    let start: UInt64
  }

  private struct State {
    var running: Set<Identity> = []
    var isEnding = false
  }

  private static let state = Mutex(State())

  /// Registers a program to be ended if the run is interrupted, or ends it at once if that has happened.
  ///
  /// - Returns: The registration, to be ended when the program has ended.
  static func insert(_ process: Int32) -> Registration {
    let identity = Identity(process: process, start: Status(of: process)?.start ?? 0)
    let isEnding = state.withLock { state in
      state.running.insert(identity)
      return state.isEnding
    }
    if isEnding { end([identity]) }
    return Registration { state.withLock { _ = $0.running.remove(identity) } }
  }

  /// Removes a program from the list.
  struct Registration: Sendable {
    fileprivate let body: @Sendable () -> Void

    func end() { body() }
  }

  /// Asks all programs to end; after two seconds, kills the remaining ones and all their descendants.
  static func endAll() {
    end(
      state.withLock { state in
        state.isEnding = true
        return state.running
      })
  }

  private static func end(_ roots: Set<Identity>) {
    guard !roots.isEmpty else { return }
    // Listed first, because the children of an ended process get another parent.
    var family = descendants(of: roots)
    for one in roots where isRunning(one) { kill(one.process, SIGTERM) }
    for _ in 0..<200 where family.contains(where: isRunning) {
      family.formUnion(descendants(of: family))
      if !roots.contains(where: isRunning) { break }
      usleep(10_000)
    }
    for one in family where isRunning(one) { kill(one.process, SIGKILL) }
  }

  private struct Status {
    let parent: Int32
    let start: UInt64
    let isZombie: Bool

    /// Returns nil if there is no such process, or no /proc.
    init?(of process: Int32) {
      // The name, in parentheses, may contain any character.
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 19, let parent = Int32(fields[1]), let start = UInt64(fields[19]) else {
        return nil
      }
      (self.parent, self.start, isZombie) = (parent, start, fields[0] == "Z")
    }
  }

  private static func isRunning(_ one: Identity) -> Bool {
    #if os(Linux)
      Status(of: one.process).map { $0.start == one.start && !$0.isZombie } ?? false
    #else
      kill(one.process, 0) == 0
    #endif
  }

  /// Returns the processes and their descendants; only the processes on systems without /proc.
  private static func descendants(of roots: Set<Identity>) -> Set<Identity> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var children: [Int32: [Identity]] = [:]
    for process in names.compactMap({ Int32($0) }) {
      guard let status = Status(of: process) else { continue }
      children[status.parent, default: []].append(Identity(process: process, start: status.start))
    }
    var (found, waiting) = (roots, Array(roots))
    while let next = waiting.popLast() {
      for child in children[next.process] ?? [] where found.insert(child).inserted {
        waiting.append(child)
      }
    }
    return found
  }
}
