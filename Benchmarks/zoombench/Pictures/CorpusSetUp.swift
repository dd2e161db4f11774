internal import ArgumentParser
internal import Foundation
internal import Synchronization
package import ZoomCorpus

/// Makes corpus pictures with a progress bar, for all subcommands.
package struct CorpusSetUp {
  let folder: CorpusFolder
  let isQuiet: Bool

  package init(folder: CorpusFolder, isQuiet: Bool = false) {
    (self.folder, self.isQuiet) = (folder, isQuiet)
  }

  /// Makes the missing pictures.
  ///
  /// Two pictures at a time, because only JPEGs with restart markers use two threads each.
  package func make(_ pictures: [CorpusPicture]) async throws {
    let bar = ProgressBar(isQuiet: isQuiet)
    defer { bar.finish() }
    let weights = pictures.map { Double($0.structure.width * $0.structure.height) }
    let total = max(1, weights.reduce(0, +))
    let done = Shares(count: pictures.count)
    // The largest first, so that the last picture is not a large one that keeps one thread busy.
    let order = pictures.indices.sorted { weights[$0] > weights[$1] }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (turn, index) in order.enumerated() {
        if turn >= 2 { try await group.next() }
        let picture = pictures[index]
        let weight = weights[index]
        let folder = folder
        group.addTask {
          _ = try await folder.make(picture, workers: Self.workers) { fraction in
            bar.update(done.set(index, to: fraction * weight) / total, "making \(picture.name)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
}

extension CorpusManifest {
  /// Returns the pictures with the given names; throws a usage error for an unknown name.
  package func pictures(asked names: [String]) throws -> [CorpusPicture] {
    do {
      return try pictures(named: names)
    } catch {
      throw ValidationError(error.description)
    }
  }
}

/// The progress of each picture, reported by several threads.
private final class Shares: Sendable {
  private let values: Mutex<[Double]>

  init(count: Int) { values = Mutex([Double](repeating: 0, count: count)) }

  func set(_ index: Int, to value: Double) -> Double {
    values.withLock { values in
      values[index] = value
      return values.reduce(0, +)
    }
  }
}
