import ForeignPipelines
import PropertyTesting
import Testing

@testable import ZoomLoad

struct ResourceSeriesTests {
  /// Growth that no run of a sound server has, and the resource that it is found in.
  enum Leak: String, CaseIterable, CustomTestStringConvertible {
    case memory, threads, descriptors
    case files = "temporary files"

    var testDescription: String { rawValue }
  }

  /// Returns the readings of half an hour with fifty answers per second.
  ///
  /// Memory rises by 100 MB while caches fill, and wavers by 8 MB.
  private static func series(_ leak: Leak?, seed: UInt64 = 1, bytes: Int = 1024) -> ResourceSeries {
    var random = SplitMix64(seed: seed)
    var series = ResourceSeries(server: nil, seconds: 0)
    for number in 0..<120 {
      let answers = number * 15 * 50
      let filled = 100_000_000 - 100_000_000 / (1 + number)
      let noise = Int.random(in: 0..<8_000_000, using: &random)
      let leaked = leak == .memory ? answers * bytes : 0
      let busy = Int.random(in: 0..<4, using: &random)
      series.readings.append(
        ResourceReading(
          seconds: Double(number) * 15, answers: answers,
          amounts: [
            "memory": 200_000_000 + filled + noise + leaked,
            "threads": 12 + busy + (leak == .threads ? number / 4 : 0),
            "descriptors": 40 + busy + (leak == .descriptors ? number / 4 : 0),
            "temporary files": 2 + (leak == .files ? number / 4 : 0),
          ]))
    }
    return series
  }

  @Test(arguments: Leak.allCases)
  func `a leak is found, however slow`(_ leak: Leak) {
    #expect(Self.series(leak).growths.map(\.resource) == [leak.rawValue])
  }

  @Test func `a leak of one kilobyte per answer is measured`() throws {
    let growth = try #require(Self.series(.memory).growths.first)
    #expect((700...1400).contains(growth.perAnswer))
  }

  @Test func `nothing grows in two hundred sound servers whose caches fill`() {
    for seed: UInt64 in 0..<200 {
      #expect(Self.series(nil, seed: seed).growths.isEmpty, "seed \(seed)")
    }
  }

  @Test func `a series is too short to judge before its 24th reading`() {
    var short = ResourceSeries(server: nil, seconds: 0)
    short.readings = Array(Self.series(.threads).readings.prefix(23))
    #expect(short.growths.isEmpty)
  }

  @Test func `a series is flat only if enough readings reach its end`() {
    var series = ResourceSeries(server: nil, seconds: 1800)
    #expect(!series.isFlat)
    for reading in Self.series(nil).readings {
      series.note(reading.amounts, at: reading.seconds, answers: reading.answers)
      #expect(series.isFlat == (reading.seconds >= 1710))
    }
  }

  @Test func `a soak whose server ends, or whose bound breaks, is a finding`() throws {
    func findings(_ milliseconds: UInt64, lastReading: Int) throws -> [String] {
      var run = LoadRun(try NamedParts([(200, 200)]), try .usual(), server: 5) { engine, tick in
        VirtualServer.sound(workers: 100, milliseconds: milliseconds).drive(&engine, tick)
      }
      var count = 0
      run.read = { process, _, _ in
        count += process == 5 ? 1 : 0
        return count > lastReading && process == 5 ? nil : ["memory": 1 << 24]
      }
      run.step("soak", rate: 4, seconds: 600, isSoak: true)
      return run.findings()
    }
    #expect(try findings(5, lastReading: .max).isEmpty)
    let ended = try findings(5, lastReading: 60)
    #expect(ended.count == 1 && ended[0].hasPrefix("server could not be read any more after 29"))
    #expect(
      try findings(1500, lastReading: .max) == ["p95<1s is broken in the soak at 4 views/s"])
  }

  @Test func `readings that are missed are not made up for`() throws {
    let pause = VirtualServer.millisecond * 2000..<VirtualServer.millisecond * 8000
    let server = VirtualServer(wake: { pause.contains($0) ? pause.upperBound : $0 }) {
      (VirtualServer.millisecond, LoadAnswer(body: NamedParts.body($0.part)))
    }
    var run = LoadRun(try NamedParts(), server, try .usual())
    var count = 0
    run.read = { _, _, _ in
      count += 1
      return [:]
    }
    run.step("", rate: 10)
    // A reading each second, but none during the pause.
    #expect((14...15).contains(count))
  }

  /// The largest number that Linux gives to a process, which none has.
  private static let nobody: Int32 = 4_194_303

  @Test func `a server that cannot be read has no figures`() throws {
    var run = LoadRun(try NamedParts(), try .usual(), server: Self.nobody) { engine, tick in
      VirtualServer.sound().drive(&engine, tick)
    }
    let step = run.step("", rate: 10)
    let server = try #require(step.server)
    #expect(server.residentBytes == nil && server.processorSeconds == nil)
  }

  @Test(arguments: [nil, 5])
  func `a leak of this process or of the server is found in a soak`(leaking: Int32?) throws {
    var run = LoadRun(try NamedParts(), try .usual(), server: 5) { engine, tick in
      VirtualServer.sound().drive(&engine, tick)
    }
    var count = 0
    run.read = { process, countsFiles, _ in
      #expect(countsFiles)
      count += process == leaking ? 1 : 0
      return ["memory": (process == leaking ? count : 1) << 24, "threads": 7]
    }
    let step = run.step("soak", rate: 4, seconds: 600, isSoak: true)
    // The last view may end after the step.
    #expect((120...121).contains(count))
    #expect(run.report.soak.map(\.server) == [nil, 5])
    let most = [step.own.residentBytes, step.server?.residentBytes]
    #expect(most == (leaking == nil ? [count << 24, 1 << 24] : [1 << 24, count << 24]))
    let findings = run.findings()
    #expect(findings.count == 1)
    let words = "memory of \(leaking == nil ? "zoombench" : "server") grows"
    #expect(findings.first?.contains(words) == true, "\(findings)")
  }

  #if os(Linux)
    @Test func `bodies that are kept to be compared do not count as memory of the source`() {
      #expect(ResourceReading.amounts(of: nil, keptBytes: .max)?["memory"] == 0)
    }

    @Test func `the resources of this process are read, and those of a missing one are not`() throws
    {
      let amounts = try #require(ResourceReading.amounts(of: nil))
      #expect(amounts.keys.sorted() == ["descriptors", "memory", "threads"])
      #expect((amounts["memory"] ?? 0) > 1_000_000 && (amounts["descriptors"] ?? 0) >= 3)
      #expect(ResourceReading.amounts(of: Int32.max) == nil)
    }
  #endif
}
