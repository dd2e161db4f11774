/// Runs a property on what a fuzzer's bytes stand for.
///
/// Called from `LLVMFuzzerTestOneInput`, this lets libFuzzer search by coverage among the values
/// of a generator:
///
/// ```swift
/// @_cdecl("LLVMFuzzerTestOneInput")
/// public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
///   fuzzOne(UnsafeRawBufferPointer(start: start, count: count), .anyInteger) { number, _ in
///     try require(clamp(number) >= 0)
///   }
/// }
/// ```
///
/// A failure ends the process, so that libFuzzer keeps the bytes. The text before names the value
/// and a replay token; `check` with the same generator and the token in
/// `PropertySettings.reproducing` runs the case again and makes it simple. A `#expect` has no
/// meaning here, as there is no test: the body throws.
///
/// - Parameters:
///   - bytes: any; they are read as `ReplayToken.fuzzerInput` writes them.
///   - generator: makes the value.
///   - body: throws when the property does not hold. `Discarded` stands for a value that is no
///     test of it.
/// - Returns: What libFuzzer is to be told: 0, or -1 for bytes not worth keeping because their
///   case is discarded or too large.
public func fuzzOne<Value>(
  _ bytes: UnsafeRawBufferPointer, _ generator: Gen<Value>,
  _ body: (Value, inout TestCase) throws -> Void
) -> Int32 {
  switch fuzz(bytes, generator, body) {
  case .passed: return 0
  case .discarded: return -1
  case .failed(let failure): fatalError(failure.description)
  }
}

/// What came of one input of a fuzzer.
enum FuzzOutcome {
  case passed
  case discarded
  case failed(FuzzFailure)
}

/// A value that a fuzzer found.
struct FuzzFailure: CustomStringConvertible {
  let value: String
  let message: String
  let token: ReplayToken

  var description: String {
    "the property does not hold\ncounterexample: \(value)\nfailed with: \(message)\nreplay: \(token)"
  }
}

/// Runs a property on what a fuzzer's bytes stand for, and returns whatever comes of it.
func fuzz<Value>(
  _ bytes: UnsafeRawBufferPointer, _ generator: Gen<Value>,
  _ body: (Value, inout TestCase) throws -> Void
) -> FuzzOutcome {
  var testCase = TestCase()
  testCase.begin(decoding: bytes)
  let value: Value
  do { value = try generator.body(&testCase) } catch { return .discarded }
  if testCase.isOverrun { return .discarded }
  do {
    try body(value, &testCase)
    return testCase.isOverrun ? .discarded : .passed
  } catch is Discarded {
    return .discarded
  } catch {
    // What was drawn after the last choice there is room for would not be drawn again.
    if testCase.isOverrun { return .discarded }
    return .failed(
      FuzzFailure(
        value: "\(value)", message: "\(error)", token: ReplayToken(testCase.choices)))
  }
}
