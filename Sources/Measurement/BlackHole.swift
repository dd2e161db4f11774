// Both attributes are needed: a body that is never inlined may still be found to be empty by the
// optimiser, which then drops the call together with its argument. The second is underscored, yet
// it is what Swift benchmark packages rely on (ordo-one/benchmark, google/swift-benchmark).

/// Uses a value in a way the compiler cannot see through, so that computing it is not optimised
/// away.
///
/// The call reads nothing, stores nothing and keeps no reference.
///
/// - Parameter value: The result of the work that has to happen.
@inline(never)
@_optimize(none)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {}
