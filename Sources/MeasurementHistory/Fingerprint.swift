package import Measurement

extension MachineDescription {
  /// The kind of machine and build in 32 hexadecimal digits.
  ///
  /// It includes all facts that change the ratio of two programs: processor, cores, memory class,
  /// architecture, virtualisation and optimisation. An unknown fact differs from all known ones. Runs
  /// of different kinds are never compared.
  ///
  /// Kernel and compiler are excluded. They are the same for both programs of a ratio, and an upgrade
  /// that started a new history would hide a slow-down that it caused: see `changes(to:)`.
  package var fingerprint: String { Self.digits(of: hardware) }

  private typealias Fact = (name: String, value: String?)

  private var hardware: [Fact] {
    [
      ("cpu", cpuModel), ("cores", logicalCores.map { String($0) }),
      ("memory", memoryBytes.map { String(Self.memoryClass(of: $0)) }),
      ("architecture", architecture), ("virtualised", isVirtualised.map { String($0) }),
      ("build", buildConfiguration?.rawValue),
    ]
  }

  private var software: [Fact] {
    [("kernel", kernel), ("system", operatingSystem), ("Swift", swiftVersion)]
  }

  private static func digits(of facts: [Fact]) -> String {
    var text = ""
    for (name, value) in facts {
      guard let value else { continue }
      // The length prevents a value with a line end from looking like two facts.
      text += "\(name) \(value.utf8.count) \(value)\n"
    }
    return FowlerNollVo.digits(text.utf8)
  }

  /// Returns the installed memory in MiB: the next power of two, or one and a half times a power of two.
  ///
  /// The kernel reserves some memory, so that a machine of 8 GiB reports 7.7 or 7.8.
  static func memoryClass(of bytes: UInt64) -> UInt64 {
    var size: UInt64 = 1 << 20
    // The bound, beyond any machine, prevents overflow for hostile numbers.
    while size < bytes, size < 1 << 62 {
      if size + size / 2 >= bytes { return (size + size / 2) >> 20 }
      size <<= 1
    }
    return size >> 20
  }

  /// Returns each change of the software up to a later run, as a clause.
  package func changes(to later: MachineDescription) -> [String] {
    zip(software, later.software).compactMap { before, after in
      before.value == after.value
        ? nil : "\(before.name) \(before.value ?? "unknown") became \(after.value ?? "unknown")"
    }
  }
}

/// The hash FNV-1a of 128 bits: stable across processes and versions, unlike Swift's own.
///
/// It does not protect against forgery. Offset and prime: the FNV page of L. C. Noll, and
/// draft-eastlake-fnv.
enum FowlerNollVo {
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in bytes {
      state ^= UInt128(byte)
      state &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
