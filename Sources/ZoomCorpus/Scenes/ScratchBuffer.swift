/// A fixed number of trivial values on the heap, freed with the object that owns it.
///
/// The row painters and the JPEG coder touch every pixel several times; array bounds and uniqueness
/// checks there cost more than the arithmetic. A buffer belongs to exactly one painter or coder,
/// which keeps it in a `let` and uses `base` only inside its own methods: the caller of a method
/// keeps the object alive until it returns, so the memory outlives every use. It is not `Sendable`.
final class ScratchBuffer<Element: BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Allocates `count` elements, all equal to `value`; one element is kept even for a count of 0.
  init(count: Int, repeating value: Element) {
    precondition(count >= 0, "a scratch buffer cannot hold a negative number of elements")
    self.count = count
    base = .allocate(capacity: max(count, 1))
    base.initialize(repeating: value, count: max(count, 1))
  }

  deinit {
    base.deallocate()
  }
}
