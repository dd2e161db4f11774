import Measurement

@testable import zoombench

/// Constructs reports of laws, so that writers can be tested on known rows.
enum SampleVerifyReport {
  static func row(
    _ law: String, verdict: VerifyReport.LawEnding = .held, kind: VerifyPlan.Domain = .geometry,
    breaches: [VerifyReport.BreachRow] = [], classes: [VerifyReport.ClassShare] = []
  ) -> VerifyReport.LawRow {
    VerifyReport.LawRow(
      law: law, statement: "The crop lies inside the picture.", source: "ForceZoom",
      subject: "peek original", kind: kind, cases: 12_345, discards: 6, isExhaustive: false,
      classes: classes, verdict: verdict, reason: verdict == .undecided ? "too few <cases>" : nil,
      seconds: 0.25, engineShare: 0.5, breaches: breaches)
  }

  static func breach(
    input: String = "touch (375, 474.1) on 1600x1200 in 375x667",
    complaint: String = "the crop ends 187.5 px past the right edge"
  ) -> VerifyReport.BreachRow {
    VerifyReport.BreachRow(
      input: input, complaint: complaint,
      token: "zt1-abc", replay: "zoombench verify --law FZ-P1 --replay zt1-abc", evaluations: 31,
      failureRate: [0.25, 0.5], picture: "out/FZ-P1.png")
  }

  static func report(_ rows: [VerifyReport.LawRow]) -> VerifyReport {
    VerifyReport(
      tool: "zoombench 0", command: ["zoombench", "verify"], startedAt: "2027-01-15T08:00:00Z",
      seed: 7, seconds: 1.5, environment: MachineDescription(), laws: rows)
  }
}
