internal import PropertyTesting

/// A value and two limits.
private struct Numbers {
  let value, first, second: Double
}

/// A generator without `zip`, which would look up the type of its tuple at run time in every case.
private let generator = Gen { testCase throws(Discarded) in
  Numbers(
    value: testCase.double(in: -1e6...1e6), first: testCase.double(in: -1e6...1e6),
    second: testCase.double(in: -1e6...1e6))
}

/// Tries the law that a clamped value is within the limits; it holds, so this measures the speed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzOne(UnsafeRawBufferPointer(start: start, count: count), generator) { numbers, _ in
    let low = min(numbers.first, numbers.second)
    let high = max(numbers.first, numbers.second)
    let clamped = min(max(numbers.value, low), high)
    try Property.require(low <= clamped && clamped <= high)
  }
}
