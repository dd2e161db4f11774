internal import PropertyTesting

/// A word and a number.
private let generator = Gens.zip(Gen<UInt32>.anyInteger, Gen<Int>.integer(in: -1000...1000))

/// A law with a planted fault: values drawn evenly meet it once in 2^32 * 2001 cases, and coverage
/// leads to it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzOne(UnsafeRawBufferPointer(start: start, count: count), generator) { drawn, _ in
    guard drawn.0 == 0x5A17_C0DE else { return }
    try Property.require(drawn.1 != -321, "the planted fault was found")
  }
}
