internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

struct BenchSection {
  let report: BenchReport
  let name: String
  let id: String

  /// The number of differing answers, and the sources and programs that failed.
  private var sentence: String {
    let (compared, differing) = report.agreement
    let failed = report.failed
    let differ =
      "\(Format.grouped(differing)) of \(Format.grouped(compared)) answers differ from a full decode."
    let failures = "\(failed.joined(separator: ", ")) failed and could not be compared."
    if compared == 0 { return failed.isEmpty ? "naive ran alone." : failures }
    return failed.isEmpty ? differ : "\(differ) \(failures)"
  }

  func markup(_ budget: inout PageBudget) throws -> Markup {
    let (compared, differing) = report.agreement
    let failed = report.failed
    var values: [String: Any] = [
      "id": Markup(id), "name": Markup(Format.shortName(name)),
      "tone": Markup(
        report.finding != nil ? "differs" : compared > 0 ? "agrees" : "inconclusive"),
      "verdict": Markup(
        differing > 0
          ? "Pixels differ"
          : !failed.isEmpty
            ? "A source failed" : compared > 0 ? "All pixels agree" : "Nothing was compared"),
      "sentence": Markup(sentence),
      "problems": problems.map { ["line": budget.text(Markup($0), "remark")] },
      "rows": PageParts.joined(
        report.groups.flatMap { group in
          group.arms.map { budget.text(BenchRows.row(group, $0), "row of a source") }
        }),
      "environment": budget.text(EnvironmentBlock.markup(report), "environment"),
    ]
    let sizes = budget.chart(sizeCharts, "charts of picture size")
    if !sizes.html.isEmpty { values["sizes"] = ["charts": sizes] }
    var parts: [Markup] = []
    for (index, picture) in report.pictures.enumerated() {
      parts.append(details(of: picture, isOpen: index == 0, &budget))
    }
    let details = PageParts.joined(parts)
    if !details.html.isEmpty { values["details"] = ["content": details] }
    return try PageTemplates.render(PageTemplates.bench, values)
  }

  private var problems: [String] {
    let unmeasured = report.unmeasured.map {
      "Not measured: \(Format.shortName($0.picture)): \(Format.oneLine($0.reason, limit: 300))"
    }
    var seen: Set<String> = []
    let others = report.groups.flatMap { group in
      group.refusals.map { "\(group.picture): \($0.source) cannot read it: \($0.reason)" }
        + group.failures.map {
          "\(group.picture), \(group.state.rawValue): \($0.source) failed: \($0.reason)"
        }
    }.filter { seen.insert($0).inserted }
    return unmeasured + others.map { Format.oneLine($0, limit: 400) }
  }

  private func series(_ group: BenchReport.Group) -> [SampleSeries] {
    group.arms.map { arm in
      SampleSeries(
        name: arm.source, colour: report.colour(of: arm.source),
        nanoseconds: arm.wallNanoseconds.map { Double($0) })
    }
  }

  private func details(
    of picture: BenchReport.PictureFacts, isOpen: Bool, _ budget: inout PageBudget
  ) -> Markup {
    let groups = report.groups.filter { $0.picture == picture.name }
    guard !groups.isEmpty else { return Markup(html: "") }
    let scale = ChartAxis(
      over: groups.flatMap(\.arms).flatMap { $0.wallNanoseconds.map { max(1, Double($0)) } },
      isLogarithmic: true)
    var content = PageParts.figure(
      "Colours of this picture's maps", detail: "wall time, log scale",
      HeatMapChart.legend(scale).markup,
      caption: Markup(
        "One scale for every map of the picture; a cell has the median of the peeks that showed some of it, a grey one none."
      ))
    content = Markup(html: "<div class=\"charts scale\">\(content.html)</div>")
    content = budget.chart(content, "colour scale")
    for group in groups {
      content =
        content
        + budget.chart(
          charts(group, picture, scale), "charts of a picture, peek and state")
    }
    let megapixels = Double(picture.width) * Double(picture.height) / 1e6
    let facts =
      "\(picture.width) × \(picture.height), \(Format.trimmed(megapixels)) Mpx,"
      + " \(Format.bytes(Double(picture.byteCount)))"
    return PageParts.details(
      Markup(Format.shortName(picture.name)) + Markup(html: " <small>\(facts)</small>"),
      isOpen: isOpen, content: content)
  }

  private func charts(
    _ group: BenchReport.Group, _ picture: BenchReport.PictureFacts, _ scale: ChartAxis
  ) -> Markup {
    let name = Format.shortName("\(group.picture), \(group.peek.name), \(group.state.rawValue)")
    let series = series(group)
    let detail = "\(group.peek.name), \(group.state.rawValue)"
    let charts =
      PageParts.figure(
        "ECDF", detail: detail, ECDFChart.markup(series, title: "ECDF of \(name)"),
        caption: SampleSeries.legend(series), isLegend: true)
      + PageParts.figure(
        "Violin", detail: detail, ViolinChart.markup(series, title: "Violin plot of \(name)"))
    let maps = group.arms.map { arm in
      Markup(
        html: "<figure class=\"plain\">"
          + (HeatMapChart.markup(
            peeks(group, arm, picture),
            aspect: Double(picture.width) / Double(picture.height), scale: scale,
            title: "Latency by position: \(arm.source), \(name)")?.html ?? "")
          + "<figcaption>\(Markup.escaped(Format.shortName(arm.source)))</figcaption></figure>")
    }
    return Markup(
      html: "<div class=\"charts\">\(charts.html)<figure><h4>Latency by position"
        + " <small>\(Markup.escaped(detail))</small></h4><div class=\"maps\">"
        + "\(PageParts.joined(maps).html)</div></figure></div>\n")
  }

  private func peeks(
    _ group: BenchReport.Group, _ arm: BenchReport.Arm, _ picture: BenchReport.PictureFacts
  ) -> [HeatMapChart.Peek] {
    let (width, height) = (Double(picture.width), Double(picture.height))
    return zip(group.rounds, arm.wallNanoseconds).map { round, nanoseconds in
      let region = round.region
      return HeatMapChart.Peek(
        left: Double(region.x) / width, right: Double(region.maxX) / width,
        top: Double(region.y) / height, bottom: Double(region.maxY) / height,
        nanoseconds: max(1, Double(nanoseconds)))
    }
  }

  /// One chart per peek and state, over all pictures.
  private var sizeCharts: Markup {
    let charts = report.conditions.map { condition in
      let curves = report.sizeCurves(condition)
      let keys = curves.map {
        "<span class=\"key \(SampleSeries.style(ofColour: $0.colour))\">"
          + "\(Markup.escaped(Format.shortName($0.name)))</span>"
      }
      return PageParts.figure(
        condition.name, detail: "median wall time",
        SizeChart.markup(curves, title: "Latency against picture size, \(condition.name)"),
        caption: Markup(html: keys.joined()), isLegend: true)
    }
    return PageParts.joined(charts)
  }
}

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
        .init("Source", Format.shortName(arm.source), isLeft: true),
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
