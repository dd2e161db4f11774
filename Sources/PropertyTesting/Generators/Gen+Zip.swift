/// Several values side by side.
///
/// - Parameter generators: what makes each; each is an argument of its own when a counterexample
///   is explained.
/// - Returns: One generator of them all.
public func zip<each Value>(
  _ generators: repeat Gen<each Value>
) -> Gen<(repeat each Value)> {
  Gen<(repeat each Value)> { testCase throws(Discarded) in
    (repeat try testCase.span(.argument, (each generators).body))
  }
}
