/// What the texts `/proc/cpuinfo` and `/etc/os-release` of Linux say, as far as they say it.
///
/// The texts are arguments, so each function can be shown the texts of other machines.
package enum LinuxReports {
  /// Returns the name of the first processor.
  ///
  /// x86 has `model name`. ARM mostly has numbers only, which are given as they are; util-linux
  /// has the list of what they mean (`sys-utils/lscpu-arm.c`).
  package static func cpuModel(cpuInfo: String) -> String? {
    // "cpu model" is MIPS, "cpu" POWER, "uarch" RISC-V, "Hardware" the board of 32-bit ARM.
    for key in ["model name", "cpu model", "cpu", "uarch", "Hardware"] {
      if let name = SystemText.value(of: key, in: cpuInfo) { return name }
    }
    guard let implementer = SystemText.value(of: "CPU implementer", in: cpuInfo),
      let part = SystemText.value(of: "CPU part", in: cpuInfo)
    else { return nil }
    return "ARM implementer \(implementer) part \(part)"
  }

  /// Returns whether the processor says that it runs under a hypervisor.
  ///
  /// - Returns: Nil where there are no x86 `flags`: other processors do not tell.
  package static func isVirtualised(cpuInfo: String) -> Bool? {
    SystemText.value(of: "flags", in: cpuInfo)?.split(separator: " ").contains("hypervisor")
  }

  /// Returns the name and version for people, `PRETTY_NAME`, or else `NAME`.
  ///
  /// Values are quoted like a shell's (os-release(5)): in double quotes a backslash takes the
  /// meaning from the character after it.
  package static func operatingSystem(osRelease: String) -> String? {
    for key in ["PRETTY_NAME", "NAME"] {
      if let value = SystemText.value(of: key, in: osRelease, separator: "=") {
        let name = unquoted(value)
        if !name.isEmpty { return name }
      }
    }
    return nil
  }

  private static func unquoted(_ value: String) -> String {
    guard let quote = value.first, quote == "\"" || quote == "'" else { return value }
    guard value.last == quote else { return String(value.dropFirst()) }
    let inner = value.dropFirst().dropLast()
    if quote == "'" { return String(inner) }
    var result = ""
    var escaped = false
    for character in inner {
      if character == "\\" && !escaped {
        escaped = true
      } else {
        result.append(character)
        escaped = false
      }
    }
    return result
  }
}
