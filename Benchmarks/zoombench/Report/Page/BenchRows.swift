internal import Measurement
internal import ZoomPipeline

/// The rows of a benchmark's table.
enum BenchRows {
  static func row(_ group: BenchReport.Group, _ arm: BenchReport.Arm) -> Markup {
    let figures = group.figures(of: arm)
    let delivered = Double(max(1, arm.work.pixelsDelivered))
    let bytes = arm.work.bytesRead.map { Double($0) / delivered }
    let speedUp = arm.source == "naive" ? nil : figures?.speedUp
    return PageParts.row(
      group.picture,
      [
        .init("Peek", "\(group.peek.name), \(group.state.rawValue)", isLeft: true),
        .init("Source", PageParts.name(arm.source), isLeft: true),
        .init("p50", Format.duration(figures?.median), key: figures?.median),
        .init("p95", Format.duration(figures?.p95), key: figures?.p95),
        .init("× naive", cell(speedUp), key: speedUp?.ratio),
        .init("× floor", cell(figures?.timesFloor), key: figures?.timesFloor?.ratio),
        .init(
          "px / px", arm.work.decodedPerDelivered.map { Format.significant($0) } ?? Format.nothing,
          key: arm.work.decodedPerDelivered),
        .init("bytes / px", bytes.map { Format.significant($0) } ?? Format.nothing, key: bytes),
        .init(
          "Peak memory", arm.peakMemoryBytes.map { Format.bytes(Double($0)) } ?? Format.nothing,
          key: arm.peakMemoryBytes.map { Double($0) }),
        .init("Agrees", agreement(arm)),
      ])
  }

  private static func cell(_ ratio: PairedRatio?) -> Markup {
    guard let ratio else { return Markup(Format.nothing) }
    let interval = ratio.interval.map {
      " <small>[\(Format.significant($0.lower)), \(Format.significant($0.upper))]</small>"
    }
    return Markup(Format.significant(ratio.ratio)) + Markup(html: interval ?? "")
  }

  private static func agreement(_ arm: BenchReport.Arm) -> Markup {
    if arm.source == "naive" { return Markup("reference") }
    let count = "\(arm.agreed)/\(arm.wallNanoseconds.count)"
    if arm.disagreements.isEmpty { return Markup(count) }
    return arm.isExact
      ? PageParts.badge("✗ \(count)", style: "differs") : Markup("\(count), inexact")
  }
}
