public import ZoomGeometry

/// How a device is held and how its interface stands: the 35 pairs there are.
///
/// `Gen.allCases` makes them all.
public struct OrientationPair: Sendable, Hashable, CaseIterable {
  /// How the device is held.
  public var device: DeviceOrientation
  /// How the interface stands.
  public var interface: InterfaceOrientation

  /// Creates a pair.
  public init(device: DeviceOrientation, interface: InterfaceOrientation) {
    self.device = device
    self.interface = interface
  }

  /// All pairs, an unknown orientation on either side included; those with the device upright come
  /// first, for a generator takes the first for the simplest.
  public static let allCases: [OrientationPair] = {
    let devices =
      [DeviceOrientation.portrait] + DeviceOrientation.allCases.filter { $0 != .portrait }
    let interfaces =
      [InterfaceOrientation.portrait] + InterfaceOrientation.allCases.filter { $0 != .portrait }
    return devices.flatMap { device in
      interfaces.map { OrientationPair(device: device, interface: $0) }
    }
  }()
}
