/// A number that geometry cannot work with: which argument, its value, and what is wrong with it.
///
/// Every public entry checks its numbers once; inside, numbers are finite and positive. The value
/// is kept as text, so that two errors about NaN compare equal.
public struct GeometryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with the value.
  public enum Reason: Sendable, Hashable {
    /// NaN or an infinity.
    case notFinite
    /// Zero or less where a size, a length or a scale is needed.
    case notPositive
    /// Below zero where a time or a force is needed.
    case negative
    /// Larger in magnitude than `limit`.
    case tooLarge(limit: Int)
    /// Positive, but so small that the arithmetic would lose its digits or underflow to zero.
    case tooSmall
    /// Not inside a picture of the given size.
    case outside(PixelSize)
    /// What the sentence says: it contradicts what came before it.
    case contradiction(String)
  }

  /// The name of the argument, such as "viewport.width".
  public let argument: String

  /// The value as it prints.
  public let value: String

  /// What is wrong with the value.
  public let reason: Reason

  init(argument: String, value: some CustomStringConvertible, reason: Reason) {
    self.argument = argument
    self.value = value.description
    self.reason = reason
  }

  /// One line: "viewport.width: nan is not finite".
  public var description: String { "\(argument): \(value) \(reason)" }
}

extension GeometryError {
  /// The same error of an argument that is a part of another.
  func inside(_ place: String) -> GeometryError {
    GeometryError(argument: "\(place).\(argument)", value: value, reason: reason)
  }
}

extension GeometryError.Reason: CustomStringConvertible {
  /// The predicate of the error's sentence.
  public var description: String {
    switch self {
    case .notFinite: "is not finite"
    case .notPositive: "is not positive"
    case .negative: "is negative"
    case .tooLarge(let limit): "is larger in magnitude than \(limit)"
    case .tooSmall: "is too small to calculate with"
    case .outside(let size): "is not inside a picture of \(size)"
    case .contradiction(let sentence): sentence
    }
  }
}
