extension MachineDescription {
  /// What makes times unlike: two machines that differ in any of these are never compared.
  ///
  /// Load, and the kernel's and the compiler's last digits, are left out: they change what is
  /// measured by less than a run of the same machine does, and would cut every history in pieces.
  package var likeness: [String] {
    // Memory in powers of two: of the same kind of machine, kernels report some pages more or less.
    let memory = memoryBytes.map { 64 - $0.leadingZeroBitCount }
    return [
      cpuModel ?? "?", logicalCores.map { "\($0)" } ?? "?", memory.map { "\($0)" } ?? "?",
      architecture ?? "?", Self.release(kernel), isVirtualised.map { "\($0)" } ?? "?",
      buildConfiguration?.rawValue ?? "?", Self.release(swiftVersion),
    ]
  }

  /// Whether ratios measured on both may stand in one series.
  package func isLike(_ other: MachineDescription) -> Bool { likeness == other.likeness }

  /// The first two numbers of a version: "Linux 6.1.0-13" and "Linux 6.1.2" are the same.
  private static func release(_ version: String?) -> String {
    guard let version else { return "?" }
    return version.split(separator: ".", omittingEmptySubsequences: false).prefix(2)
      .joined(separator: ".")
  }
}
