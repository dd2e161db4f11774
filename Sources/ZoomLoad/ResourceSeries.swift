internal import Foundation
internal import Measurement

/// Resources of a process at one time of a step.
package struct ResourceReading: Sendable, Hashable, Codable {
  package let seconds: Double
  /// The answers so far.
  package let answers: Int
  /// The amounts by the names of resources.
  package let amounts: [String: Int]

  /// The resident memory, in bytes, without the bodies that are kept to be compared.
  package static let memory = "memory"
  /// The resources in the order in which they are shown; of files, those in the folder for temporary ones.
  package static let names = [memory, "threads", "descriptors", "temporary files"]

  /// Reads the resources of a process from /proc, or of this one without a number; nil without /proc.
  ///
  /// Temporary files are counted only on demand, since a shared folder of them may be large. A server's are not,
  /// and it keeps no bodies.
  package static func amounts(
    of process: Int32?, countsFiles: Bool = false, keptBytes: Int = 0
  ) -> [String: Int]? {
    let folder = "/proc/\(process.map { "\($0)" } ?? "self")"
    guard let status = SystemText.contents(ofFile: folder + "/status"),
      let resident = SystemText.bytes(of: "VmRSS", in: status),
      let threads = SystemText.value(of: "Threads", in: status).flatMap({ Int($0) }),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")
    else { return nil }
    let files =
      process == nil && countsFiles
      ? FileManager.default.subpaths(atPath: NSTemporaryDirectory())?.count : nil
    let memory = max(0, Int(clamping: resident) - (process == nil ? keptBytes : 0))
    let all = [memory, threads, descriptors.count, files]
    let amounts = zip(names, all).compactMap { name, amount in amount.map { (name, $0) } }
    return Dictionary(uniqueKeysWithValues: amounts)
  }
}

/// The readings of a process during a step, and the resources that grow.
package struct ResourceSeries: Sendable, Codable {
  /// The server's process; nil for this one.
  package let server: Int32?
  /// The length of the step.
  let seconds: Double
  package var readings: [ResourceReading] = []
  /// Whether the process could not be read any more.
  private(set) var isLost = false

  /// Notes resources that were read at some time of the step; nil if they could not be read.
  mutating func note(_ amounts: [String: Int]?, at seconds: Double, answers: Int) {
    guard let amounts, !isLost else { return isLost = true }
    readings.append(ResourceReading(seconds: seconds, answers: answers, amounts: amounts))
  }

  package var process: String { server == nil ? "zoombench" : "server" }

  /// The CPU time so far in nanoseconds; nil if it cannot be read.
  var processorTime: UInt64? {
    if let server { ProcessorAccount.time(of: server) } else { Timestamps.processCPU() }
  }

  /// A resource that grew without end.
  package struct Growth: Sendable, Hashable {
    package let resource: String
    /// The levels in the second and in the last quarter of the soak, and the growth per answer.
    package let from, to: Int
    package let perAnswer: Double
  }

  /// The fewest readings that show growth: by chance, quarters of six are apart once in 924 times.
  private static let fewest = 24

  /// The resources that grow; the first quarter, in which caches fill, does not count.
  package var growths: [Growth] { ResourceReading.names.compactMap(growth) }

  /// Whether nothing grows in enough readings until the end of the step.
  package var isFlat: Bool {
    readings.count >= Self.fewest && readings[readings.count - 1].seconds >= 0.95 * seconds
      && growths.isEmpty
  }

  /// Returns the growth of a resource; nil if it levels off, or is small.
  ///
  /// It grows if the last quarter lies above the second without overlap, and the medians of the last three
  /// rise, the last step by at least half of the one before: a cache that fills takes ever smaller steps.
  private func growth(_ resource: String) -> Growth? {
    guard readings.count >= Self.fewest else { return nil }
    let length = readings.count / 4
    let quarters = (1...3).map { quarter in
      let start = readings.count - (4 - quarter) * length
      return readings[start..<start + length].map { $0.amounts[resource] ?? 0 }.sorted()
    }
    let levels = quarters.map { $0[length / 2] }
    let (early, late) = (levels[1] - levels[0], levels[2] - levels[1])
    guard early > 0, 2 * late >= early, quarters[2][0] > quarters[0][length - 1] else { return nil }
    let ends = [readings.count - 3 * length, readings.count - length].map { $0 + length / 2 }
    let answers = readings[ends[1]].answers - readings[ends[0]].answers
    // Histograms and lists of times grow by fewer bytes per answer, and threads and files waver by fewer.
    let rise = levels[2] - levels[0]
    let perAnswer = Double(rise) / Double(max(1, answers))
    guard resource == ResourceReading.memory ? perAnswer >= 128 : rise >= 3 else { return nil }
    return Growth(resource: resource, from: levels[0], to: levels[2], perAnswer: perAnswer)
  }
}
