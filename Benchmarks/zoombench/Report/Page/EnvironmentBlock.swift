internal import Measurement

/// The machine and software of a run, without which the numbers cannot be judged.
enum EnvironmentBlock {
  static func entries(_ machine: MachineDescription) -> [(String, String?)] {
    [
      ("Processor", machine.cpuModel),
      ("Logical cores", machine.logicalCores.map { String($0) }),
      ("Memory", machine.memoryBytes.map { Format.bytes(Double($0)) }),
      ("System", machine.operatingSystem),
      ("Kernel", machine.kernel),
      ("Architecture", machine.architecture),
      ("Virtual machine", machine.isVirtualised.map { $0 ? "yes" : "no" }),
      (
        "Load over 1, 5, 15 minutes",
        machine.loadAverages.map { $0.map { Format.trimmed($0) }.joined(separator: ", ") }
      ),
      ("Swift", machine.swiftVersion),
      ("Build", machine.buildConfiguration?.rawValue),
    ]
  }

  static func markup(_ result: BuildComparison) -> Markup {
    func build(_ build: BuildComparison.Build) -> String {
      let parts: [String?] = [
        build.name, build.commit.map { "commit \($0)" },
        build.isDirty == true ? "with changes that are not committed" : nil, build.tool,
      ]
      return parts.compactMap { $0 }.joined(separator: ", ")
    }
    let settings = result.settings
    return PageParts.list(
      [
        ("Base", build(result.base)), ("Candidate", build(result.candidate)),
        ("Started", result.startedAt), ("Took", "\(Format.trimmed(result.seconds)) s"),
        ("Seed", String(result.seed)),
        (
          "Looks after launches",
          settings.looks.prefix(50).map { String($0) }.joined(separator: ", ")
        ),
        ("Pairs a launch", String(settings.pairsPerLaunch)),
        ("Launches to confirm", String(settings.confirmingLaunches)),
      ] + entries(result.machine))
  }

  static func markup(_ report: BenchReport) -> Markup {
    let environment = report.environment
    return PageParts.list(
      [
        ("Command", report.command.joined(separator: " ")), ("Started", report.startedAt),
        ("Seed", String(report.seed)), ("zoombench", environment.zoombench),
        ("libvips", environment.libvips), ("libvips threads", String(environment.libvipsThreads)),
        ("Cost of a timer", Format.duration(Double(environment.timerOverheadNanoseconds))),
      ] + entries(environment.machine))
  }
}
