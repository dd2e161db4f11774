internal import Foundation
internal import Measurement

/// Resources of a process at one time of a soak.
package struct ResourceReading: Sendable, Hashable, Codable {
  package let seconds: Double
  /// The resident memory without the bodies that are kept to be compared.
  package let residentBytes: UInt64
  package let threads: Int
  package let descriptors: Int
  /// The files in this process's folder for temporary files; nil if they were not counted.
  package let temporaryFiles: Int?
  /// The answers so far.
  package let answers: Int
}

extension ResourceReading {
  /// Reads the resources of a process from /proc, by default of this one; nil without /proc.
  ///
  /// Temporary files are counted only on demand, since a shared folder of them may be large.
  package init?(
    process: Int32? = nil, seconds: Double, answers: Int, countsFiles: Bool, keptBytes: Int = 0
  ) {
    let folder = "/proc/\(process.map { "\($0)" } ?? "self")"
    guard let status = SystemText.contents(ofFile: folder + "/status"),
      let resident = SystemText.bytes(of: "VmRSS", in: status),
      let threads = SystemText.value(of: "Threads", in: status).flatMap({ Int($0) }),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")
    else { return nil }
    let files =
      process == nil && countsFiles
      ? FileManager.default.subpaths(atPath: NSTemporaryDirectory())?.count : nil
    self.init(
      seconds: seconds, residentBytes: resident.saturatingSubtract(UInt64(keptBytes)),
      threads: threads,
      descriptors: descriptors.count, temporaryFiles: files, answers: answers)
  }
}

/// Reads the resources of this process, and perhaps of a server's, during a step.
struct ResourceWatch {
  private(set) var series = [ResourceSeries(process: "zoombench")]
  private let server: Int32?
  private let interval: UInt64
  private let countsFiles: Bool
  private var next: UInt64 = 0

  init(server: Int32?, every seconds: Double, countsFiles: Bool) {
    (self.server, self.countsFiles) = (server, countsFiles)
    interval = UInt64(seconds * 1e9)
    if server != nil { series.append(ResourceSeries(process: "server")) }
  }

  mutating func look(at now: UInt64, answers: Int, keptBytes: Int) {
    guard now >= next else { return }
    next = now + interval
    for index in series.indices {
      series[index].append(
        ResourceReading(
          process: index == 0 ? nil : server, seconds: Double(now) / 1e9, answers: answers,
          countsFiles: countsFiles, keptBytes: index == 0 ? keptBytes : 0))
    }
  }

  /// The CPU time of each process in nanoseconds; nil if it cannot be read.
  var processorTimes: [UInt64?] {
    [Timestamps.processCPU()] + (server.map { [ProcessorAccount.time(of: $0)] } ?? [])
  }

  /// Returns the resources that each process used since it had some CPU times.
  func usage(since start: [UInt64?]) -> [LoadStep.Usage] {
    zip(series, zip(start, processorTimes)).map { series, times in
      let (before, after) = times
      let used = before.flatMap { before in after?.saturatingSubtract(before) }
      return LoadStep.Usage(
        processorSeconds: used.map { Double($0) / 1e9 },
        residentBytes: series.readings.map(\.residentBytes).max())
    }
  }
}

/// The readings of a process during a soak, and the resources that grow.
package struct ResourceSeries: Sendable, Codable {
  package let process: String
  package private(set) var readings: [ResourceReading] = []

  package init(process: String) { self.process = process }

  package mutating func append(_ reading: ResourceReading?) {
    if let reading { readings.append(reading) }
  }

  /// A resource that grew without end.
  package struct Growth: Sendable, Hashable, Codable {
    package let resource: String
    /// The levels in the second and in the last quarter of the soak.
    package let from: Double
    package let to: Double
    /// The growth per answer.
    package let perAnswer: Double
  }

  /// The fewest readings that show growth: by chance, quarters of six are apart once in 924 times.
  private static let fewest = 24
  /// Growth of memory below this many bytes per answer is ignored: histograms and lists of times.
  private static let leastBytes = 128.0
  /// Growth of a count, such as that of threads, below this is ignored.
  private static let leastCount = 3.0

  /// The resources that grow; the first quarter, in which caches fill, does not count.
  package var growths: [Growth] {
    let memory = growth("memory") { Double($0.residentBytes) }
    let counts = [
      growth("threads") { Double($0.threads) }, growth("descriptors") { Double($0.descriptors) },
      growth("temporary files") { Double($0.temporaryFiles ?? 0) },
    ]
    return [memory].compactMap { $0 }.filter { $0.perAnswer >= Self.leastBytes }
      + counts.compactMap { $0 }.filter { $0.to - $0.from >= Self.leastCount }
  }

  /// Returns the growth of a resource; nil if it levels off.
  ///
  /// It grows if the last quarter lies above the second without overlap, and the medians of the last three
  /// rise, the last step by at least half of the one before: a cache that fills takes ever smaller steps.
  private func growth(_ resource: String, _ value: (ResourceReading) -> Double) -> Growth? {
    guard readings.count >= Self.fewest else { return nil }
    let length = readings.count / 4
    let starts = (1...3).map { readings.count - (4 - $0) * length }
    let quarters = starts.map { start in readings[start..<start + length].map(value).sorted() }
    let levels = quarters.map { $0[length / 2] }
    let (early, late) = (levels[1] - levels[0], levels[2] - levels[1])
    guard early > 0, late >= early / 2, let highest = quarters[0].last,
      let lowest = quarters[2].first, lowest > highest
    else { return nil }
    let answers =
      readings[starts[2] + length / 2].answers - readings[starts[0] + length / 2].answers
    return Growth(
      resource: resource, from: levels[0], to: levels[2],
      perAnswer: (levels[2] - levels[0]) / Double(max(1, answers)))
  }
}
