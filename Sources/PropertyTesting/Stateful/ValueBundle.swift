/// A collection of values that some commands create and later commands use.
///
/// The model has a bundle of its knowledge about each value, and the subject has one of the values themselves. A
/// command that creates a value adds to both, in `apply(to:)` and in `run(on:)`; the keys agree because the commands
/// run in the same order. A later command holds a key drawn with `Gen.key(of:)`. When shrinking deletes the command
/// that created the value, the key is drawn again, so that creators and users shrink together.
///
/// ```swift
/// struct Open: Command {
///   func run(on app: inout App) throws { app.documents.add(try app.open()) }
///   func apply(to model: inout Model) { model.documents.add("") }
/// }
/// struct Write: Command {
///   let document: BundleKey
///   func run(on app: inout App) { app.documents[document]?.write("x") }
///   func apply(to model: inout Model) { model.documents[document]? += "x" }
/// }
/// let machine = StateMachine<App, Model>(startingAt: Model()) { model in
///   .oneOf(
///     .command(.constant(Open())),
///     .command(Gen.key(of: model.documents).map { Write(document: $0) }))
/// }
/// ```
public struct ValueBundle<Value> {
  private var values: [(key: BundleKey, value: Value)] = []
  private var next = 1

  /// Creates an empty bundle.
  public init() {}

  /// The keys of the values, the oldest first.
  public var keys: [BundleKey] { values.map(\.key) }

  /// Adds a value.
  ///
  /// - Returns: The key of the value: the first is 1, and no key is reused.
  @discardableResult
  public mutating func add(_ value: Value) -> BundleKey {
    let key = BundleKey(number: next)
    next += 1
    values.append((key, value))
    return key
  }

  /// The value with a key, nil if there is none; assigning nil removes it.
  public subscript(key: BundleKey) -> Value? {
    get { values.first { $0.key == key }?.value }
    set {
      guard let place = values.firstIndex(where: { $0.key == key }) else { return }
      if let newValue { values[place].value = newValue } else { values.remove(at: place) }
    }
  }
}

extension ValueBundle: Sendable where Value: Sendable {}

/// The key of a value of a bundle, in the model and in the subject.
public struct BundleKey: Hashable, Sendable, CustomStringConvertible {
  let number: Int

  /// The number of the value, from 1: `#2`.
  public var description: String { "#\(number)" }
}

extension Gen where Value == BundleKey {
  /// Returns a generator of the keys of a bundle, the oldest first; while the bundle is empty, commands with a key are
  /// left out.
  public static func key<Item>(of bundle: ValueBundle<Item>) -> Gen {
    let keys = bundle.keys
    guard !keys.isEmpty else { return Gen { _ throws(Discarded) in throw Discarded() } }
    return .element(of: keys)
  }
}
