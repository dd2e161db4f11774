/// Whether a window's coordinates turn when the interface does.
///
/// No rectangle tells: a view turned by hand in a window that has turned already is turned twice
/// (ZV-B4). So it is an input.
public enum WindowKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// The coordinates stay those of the upright device: iOS up to 7.
  case fixed
  /// The coordinates are those of the interface: iOS 8 and later.
  case turning
}
