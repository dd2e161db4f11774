internal import Foundation
internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// A run as tables, for a terminal or as Markdown.
struct TableReport {
  private let report: BenchReport

  init(_ report: BenchReport) { self.report = report }

  func rendered() -> String { pages.rendered() }

  func markdown() -> String { pages.markdown() }

  private var pages: SectionedReport {
    SectionedReport(
      heading: BenchReport.heading(report.environment, seed: report.seed),
      sections: report.pictures.map { picture in
        SectionedReport.Section(
          picture: picture,
          sheets: groups(of: picture).map {
            SectionedReport.Sheet(title: title(of: $0), table: table(of: $0))
          },
          notes: refusals(of: picture))
      },
      footing: footing)
  }

  private func groups(of picture: BenchReport.PictureFacts) -> [BenchReport.Group] {
    report.groups.filter { $0.picture == picture.name }
  }

  private func title(of group: BenchReport.Group) -> String {
    let pixels = group.rounds.first.map { "\($0.region.width)x\($0.region.height) px" } ?? ""
    let rounds = "\(group.rounds.count) round\(group.rounds.count == 1 ? "" : "s")"
    return "\(group.peek.name) (\(pixels)), \(group.state.rawValue), \(rounds)"
  }

  private func table(of group: BenchReport.Group) -> TextTable {
    let hasFloor = group.floor != nil
    let ratios = ["x naive"] + (hasFloor ? ["x floor"] : [])
    let titles =
      ["p50", "p95", "p99"] + ratios.flatMap { [$0, "98 % interval"] }
      + ["px/px", "bytes/px", "memory", "agrees"]
    var table = TextTable(columns: [.left("source")] + titles.map { .right($0) })
    for arm in group.arms {
      guard let figures = group.figures(of: arm) else { continue }
      let delivered = Double(max(1, arm.work.pixelsDelivered))
      let times = [
        Format.milliseconds(figures.median), figures.p95.map(Format.milliseconds) ?? Format.nothing,
        figures.p99.map(Format.milliseconds) ?? Format.nothing,
      ]
      let ratios =
        Self.cells(figures.speedUp) + (hasFloor ? Self.cells(figures.timesFloor) : [])
      let rest = [
        arm.work.decodedPerDelivered.map(Format.significant) ?? Format.nothing,
        arm.work.bytesRead.map { Format.significant(Double($0) / delivered) } ?? Format.nothing,
        arm.peakMemoryBytes.map { Format.bytes(Double($0)) } ?? Format.nothing,
        arm.source == "naive"
          ? "reference"
          : Self.agreement(of: arm),
      ]
      table.append([arm.source] + times + ratios + rest)
    }
    return table
  }

  /// Returns the number of answers that agree, and the kind of agreement.
  private static func agreement(of arm: BenchReport.Arm) -> String {
    let alike = arm.alike?.count ?? 0
    let count = "\(arm.agreed + alike)/\(arm.wallNanoseconds.count)"
    if !arm.disagreements.isEmpty {
      return count + (arm.isExact || arm.alike != nil ? " NO" : " inexact")
    }
    return count + (alike > 0 ? " alike" : "")
  }

  private static func cells(_ ratio: PairedRatio?) -> [String] {
    [
      ratio.map { Format.significant($0.ratio) } ?? Format.nothing,
      ratio?.interval.map {
        "\(Format.significant($0.lower))…\(Format.significant($0.upper))"
      } ?? Format.nothing,
    ]
  }

  private func refusals(of picture: BenchReport.PictureFacts) -> [String] {
    var refused: [String] = []
    for group in groups(of: picture) {
      for refusal in group.refusals {
        let line = "\(refusal.source) cannot read it: \(refusal.reason)"
        if !refused.contains(line) { refused.append(line) }
      }
    }
    let methods = groups(of: picture).first?.arms.compactMap { arm in
      arm.method.map { "\(arm.source) reads it by \($0)" }
    }
    let failed = groups(of: picture).flatMap { group in
      group.failures.map { "\($0.source) FAILED (\(group.state.rawValue)): \($0.reason)" }
    }
    let unlike = groups(of: picture).flatMap { group in
      group.arms.compactMap { arm in
        arm.alike.map { alike -> [String] in
          let mean = Format.significant(alike.meanSum / Double(max(1, alike.count)))
          let limits = "\(arm.source) (\(group.peek.name), \(group.state.rawValue))"
          return [
            alike.count > 0
              ? "\(limits): samples differ by up to \(Format.number(alike.largest)), \(mean) on average"
              : nil,
            alike.firstDifference.map { "\(limits) DIFFERS: \($0)" },
          ].compactMap { $0 }
        } ?? []
      }.flatMap { $0 }
    }
    var said: Set<String> = []
    return (refused + failed + unlike + arrivals(of: picture)).filter { said.insert($0).inserted }
      + (methods ?? [])
  }

  /// Returns the median times of the parts of a server's answers.
  private func arrivals(of picture: BenchReport.PictureFacts) -> [String] {
    groups(of: picture).flatMap { group in
      group.arms.compactMap { arm -> String? in
        guard let arrivals = arm.arrivals, arrivals.count == arm.wallNanoseconds.count,
          let first = try? Summary(nanoseconds: arrivals.map(\.firstByteNanoseconds)),
          let last = try? Summary(nanoseconds: arrivals.map(\.lastByteNanoseconds)),
          let rest = try? Summary(
            nanoseconds: zip(arm.wallNanoseconds, arrivals).map {
              $0 - min($0, $1.lastByteNanoseconds)
            })
        else { return nil }
        return "\(arm.source) (\(group.peek.name), \(group.state.rawValue)): first byte after "
          + "\(Format.milliseconds(first.median)), last after \(Format.milliseconds(last.median)), "
          + "\(group.state == .cold ? "opening and decoding" : "decoding") took "
          + Format.milliseconds(rest.median)
      }
    }
  }

  private var footing: [String] {
    let (compared, differing) = report.agreement
    let alike = report.groups.flatMap(\.arms).compactMap { $0.alike?.count }.reduce(0, +)
    var lines = [
      compared == 0
        ? "Nothing was compared\(report.failed.isEmpty ? ": naive ran alone" : "")."
        : differing == 0
          ? "All \(compared) answers \(report.failed.isEmpty ? "" : "that were compared ")agree with naive's pixels, "
            + (alike == 0
              ? "byte for byte." : "\(compared - alike) byte for byte and \(alike) alike.")
          : "\(differing) of \(compared) answers DIFFER from naive's pixels."
    ]
    if !report.failed.isEmpty {
      let names = report.failed.joined(separator: ", ")
      lines.append("\(names) FAILED and could not be compared (the reason is above).")
    }
    let launches = report.groups.compactMap(\.launches?.count).max()
    lines += [
      "x naive: how many times faster than naive, pairs of the same touch.",
      launches.map {
        "Intervals are about launches: \($0) processes were measured, each counts once."
      } ?? "Intervals are about this one process; --launches makes them about launches.",
    ]
    if report.groups.contains(where: { $0.floor != nil }) {
      lines.append(
        "x floor: time over that of libjpeg-turbo alone, in one thread, on a ready JPEG of the"
          + " region's MCUs.")
    }
    lines += [
      "px/px, bytes/px: pixels decoded, bytes read for each pixel shown.",
      "memory: peak of a fresh process that makes one peek.",
    ]
    if alike > 0 {
      lines.append(
        "alike: of a lossy format; other samples, but the same content in the same place (0.15 px)."
      )
    }
    if report.groups.contains(where: { $0.arms.contains { $0.alike != nil } }) {
      lines.append("Of other people's programs, what they read and decode is not known.")
    }
    for kind in ["command", "worker"] {
      let costs = report.nullAnswers?.filter { $0.kind == kind } ?? []
      guard !costs.isEmpty else { continue }
      let times = costs.map {
        "\(Format.milliseconds($0.medianNanoseconds)) for \($0.width)x\($0.height) px"
      }
      lines.append(
        "A \(kind) that does nothing takes \(times.joined(separator: ", ")); so much of each time is"
          + " not the program's.")
    }
    let missing = report.groups.flatMap { group in group.arms.compactMap(group.figures(of:)) }
    lines += report.unmeasured.map { "Not measured: \(Format.oneLine($0.reason))" }
    if missing.contains(where: { $0.p95 == nil || $0.p99 == nil }) {
      lines.append(
        "p95 needs 59 rounds, p99 needs 299; with fewer the table shows \(Format.nothing)"
          + " (--rounds).")
    }
    return lines
  }
}

extension BenchReport {
  /// Returns the first lines of every table: the environment of the run.
  static func heading(_ environment: Environment, seed: UInt64) -> [String] {
    let machine = environment.machine
    let cores = machine.logicalCores.map { "\($0) cores" }
    let parts = [
      "zoombench \(environment.zoombench)", "libvips \(environment.libvips)", machine.cpuModel,
      cores, machine.operatingSystem, "seed \(seed)",
    ].compactMap { $0 }
    var lines = [parts.joined(separator: ", ")]
    if machine.buildConfiguration == .debug {
      lines.append(
        "DEBUG BUILD: these times are not comparable, and the very large picture is left out by"
          + " default. Use swift run -c release zoombench.")
    }
    return lines
  }
}
