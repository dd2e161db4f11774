internal import PropertyTesting

/// A word and a number.
private let generator = Gens.zip(Gen<UInt32>.anyInteger, Gen<Int>.integer(in: -1000...1000))

/// Tries a law with a planted fault that a fuzzer finds by following code coverage.
///
/// Uniformly drawn values meet it in one of 2^32 * 2001 cases.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzOne(UnsafeRawBufferPointer(start: start, count: count), generator) { drawn, _ in
    guard drawn.0 == 0x5A17_C0DE else { return }
    try Property.require(drawn.1 != -321, "the planted fault was found")
  }
}
