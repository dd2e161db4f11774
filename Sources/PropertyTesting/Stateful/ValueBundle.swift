/// Values that some commands make and later ones use.
///
/// The model has a bundle of what it knows of each value, the subject has one of the values
/// themselves. A command that makes a value adds to both, in `apply(to:)` and in `run(on:)`; as
/// commands run in the same order, the keys agree. A later command holds a key that is drawn with
/// `Gen.key(of:)`: it is drawn anew when the command that made its value is left out, so that
/// makers and users shrink together.
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

  /// An empty bundle.
  public init() {}

  /// The keys of the values there are, the oldest first.
  public var keys: [BundleKey] { values.map(\.key) }

  /// Adds a value.
  ///
  /// - Returns: Its key: the first is 1, and none is given twice.
  @discardableResult
  public mutating func add(_ value: Value) -> BundleKey {
    let key = BundleKey(number: next)
    next += 1
    values.append((key, value))
    return key
  }

  /// The value of a key; nil where there is none, and set to nil to remove it.
  public subscript(key: BundleKey) -> Value? {
    get { values.first { $0.key == key }?.value }
    set {
      guard let place = values.firstIndex(where: { $0.key == key }) else { return }
      if let newValue { values[place].value = newValue } else { values.remove(at: place) }
    }
  }
}

extension ValueBundle: Sendable where Value: Sendable {}

/// Names a value of a bundle, in the model and in the subject.
public struct BundleKey: Hashable, Sendable, CustomStringConvertible {
  let number: Int

  /// The number of the value, from 1: `#2`.
  public var description: String { "#\(number)" }
}

extension Gen where Value == BundleKey {
  /// A key of a bundle, the oldest first; while it is empty the command that wants one is left out.
  public static func key<Item>(of bundle: ValueBundle<Item>) -> Gen {
    let keys = bundle.keys
    guard !keys.isEmpty else { return Gen { _ throws(Discarded) in throw Discarded() } }
    return .element(of: keys)
  }
}
