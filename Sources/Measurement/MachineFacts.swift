#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the facts of a `MachineDescription` come from on each system.
enum MachineFacts {
  /// Gathers all that the running system tells.
  static func gathered() -> MachineDescription {
    var machine = MachineDescription()
    if let names = systemNames() {
      machine.kernel = "\(names.system) \(names.release)"
      machine.architecture = names.machine
    }
    machine.logicalCores = logicalCores()
    machine.loadAverages = loadAverages()
    #if canImport(Darwin)
      machine.cpuModel = text(ofControl: "machdep.cpu.brand_string")
      machine.memoryBytes = number(ofControl: "hw.memsize", as: UInt64.self)
      machine.operatingSystem = text(ofControl: "kern.osproductversion").map { "macOS \($0)" }
      machine.isVirtualised = number(ofControl: "kern.hv_vmm_present", as: Int32.self).map {
        $0 != 0
      }
    #else
      let cpuInfo = SystemText.contents(ofFile: "/proc/cpuinfo") ?? ""
      let memInfo = SystemText.contents(ofFile: "/proc/meminfo") ?? ""
      // os-release(5) names both places, in this order.
      let osRelease =
        SystemText.contents(ofFile: "/etc/os-release")
        ?? SystemText.contents(ofFile: "/usr/lib/os-release") ?? ""
      machine.cpuModel = LinuxReports.cpuModel(cpuInfo: cpuInfo)
      machine.memoryBytes = SystemText.bytes(of: "MemTotal", in: memInfo)
      machine.operatingSystem = LinuxReports.operatingSystem(osRelease: osRelease)
      machine.isVirtualised = LinuxReports.isVirtualised(cpuInfo: cpuInfo)
    #endif
    return machine
  }

  private static func systemNames() -> (system: String, release: String, machine: String)? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    return (
      string(ofCharacters: names.sysname), string(ofCharacters: names.release),
      string(ofCharacters: names.machine)
    )
  }

  private static func logicalCores() -> Int? {
    let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return count > 0 ? Int(count) : nil
  }

  private static func loadAverages() -> [Double]? {
    var loads = [0.0, 0.0, 0.0]
    return getloadavg(&loads, 3) == 3 ? loads : nil
  }

  /// Reads a C array of characters, which Swift sees as a tuple, up to its terminating zero.
  private static func string<Characters>(ofCharacters characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  #if canImport(Darwin)
    private static func text(ofControl name: String) -> String? {
      var size = 0
      guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func number<Number: FixedWidthInteger>(
      ofControl name: String, as type: Number.Type
    ) -> Number? {
      var value: Number = 0
      var size = MemoryLayout<Number>.size
      guard sysctlbyname(name, &value, &size, nil, 0) == 0, size == MemoryLayout<Number>.size
      else { return nil }
      return value
    }
  #endif
}
