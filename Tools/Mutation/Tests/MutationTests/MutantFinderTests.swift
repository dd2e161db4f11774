import Mutation
import Testing

@Suite struct MutantFinderTests {
  @Test(arguments: [
    ("a + b", ["arithmetic: a + b → a - b"]), ("a - b", ["arithmetic: a - b → a + b"]),
    ("a * b", ["arithmetic: a * b → a / b"]), ("a / b", ["arithmetic: a / b → a * b"]),
    ("a % b", ["arithmetic: a % b → a * b"]),
    ("a < b", ["comparison: a < b → a <= b", "comparison: a < b → a >= b"]),
    ("a <= b", ["comparison: a <= b → a < b", "comparison: a <= b → a > b"]),
    ("a > b", ["comparison: a > b → a >= b", "comparison: a > b → a <= b"]),
    ("a >= b", ["comparison: a >= b → a > b", "comparison: a >= b → a < b"]),
    ("a == b", ["comparison: a == b → a != b"]), ("a != b", ["comparison: a != b → a == b"]),
    ("a && b", ["boolean: a && b → a || b"]), ("a || b", ["boolean: a || b → a && b"]),
    ("!a", ["boolean: !a → a"]), ("true", ["boolean: true → false"]),
    ("false", ["boolean: false → true"]), ("a..<b", ["range: a..<b → a ... b"]),
    ("a...b", ["range: a...b → a ..< b"]), ("-a", ["sign: -a → a"]),
    ("7", ["literal: 7 → 8", "literal: 7 → 6"]), ("0", ["literal: 0 → 1", "literal: 0 → (-1)"]),
    ("2.5", ["literal: 2.5 → 3.5", "literal: 2.5 → 1.5"]),
    ("0.5", ["literal: 0.5 → 1.5", "literal: 0.5 → (-0.5)"]), ("a.x", ["axis: x → y"]),
    ("a.height", ["axis: height → width"]), ("maxX", ["axis: maxX → maxY"]),
    ("min(a, b)", ["extremum: min → max", "clamp: min(a, b) → (a)", "clamp: min(a, b) → (b)"]),
    ("a.max()", ["extremum: max → min"]), ("a.clamped(to: b)", ["clamp: a.clamped(to: b) → a"]),
    ("floor(a)", ["rounding: floor → ceil", "rounding: floor → round"]),
    (
      "a.rounded()",
      ["rounding: a.rounded() → a.rounded(.down)", "rounding: a.rounded() → a.rounded(.up)"]
    ), ("a.rounded(.down)", ["rounding: down → up", "rounding: down → toNearestOrAwayFromZero"]),
    ("a.b(c)", []),
  ]) func `an expression has exactly these mutants`(expression: String, expected: [String]) {
    #expect(names("var value: T { \(expression) }") == expected)
  }

  @Test func `parentheses preserve the operands of a mutated expression`() {
    // The multiplication keeps its precedence, whichever operator is next to it.
    #expect(
      names("var value: T { a - (b - c) * d - e }") == [
        "arithmetic: a - (b - c) * d - e → (a - (b - c) * d) + e",
        "arithmetic: a - (b - c) * d → (a + ((b - c) * d))",
        "arithmetic: (b - c) * d → ((b - c) / d)", "arithmetic: b - c → b + c",
      ])
  }

  @Test func `labels, parameters and types are not axes`() {
    #expect(names("func f(x: Int) -> T { T(x: a, width: b) }").isEmpty)
  }

  @Test(arguments: [
    "func f() { a = b }", "func f() { a += b }", "func f() { g() }", "func f() throws { try g() }",
    "func f() -> T { g(); return a }", "func f() { if a { g() } }",
    "func f() { switch a { case .b: g() } }",
    "func f() -> T { if a { g(); return b } else { return c } }",
  ]) func `a statement with an effect can be dropped`(source: String) {
    #expect(names(source).filter { $0.hasPrefix("statement:") }.count == 1)
  }

  @Test(arguments: [
    "func f() -> T { g() }", "var f: T { g() }", "var f: T { get { g() } }",
    "func f() -> T { if a { g() } else { h() } }", "var f: T { switch a { default: g() } }",
    "func f() -> T { let b = if a { g() } else { h() }; return b }",
    "func f() -> T { return b.map { g($0) } }", "init() { a = b }", "init() { self.init(b) }",
  ]) func `a value or an initialisation cannot be dropped`(source: String) {
    #expect(names(source).allSatisfy { !$0.hasPrefix("statement:") })
  }

  @Test func `mutants are named by type and function`() {
    let source = """
      extension A { struct B { init(_ a: Int, b: Int) { c = 1 }; func d() { let e = 2 } } }
      extension A { static let f = 3; func g(h: Int = 4) {}; var i: Int { get { 5 } set { j = 6 } } }
      """
    var functions: [String] = []
    for mutant in schemata(source).mutants where functions.last != mutant.function {
      functions.append(mutant.function)
    }
    #expect(functions == ["A.B.init(_:b:)", "A.B.d()", "A.f", "A.g(h:)", "A.i", "A.i.set"])
  }

  @Test func `the same mistake in the same function is counted`() {
    #expect(
      names("func f() { a = -b; c = -b }").filter { $0.hasPrefix("sign") } == [
        "sign: -b → b", "sign: -b → b #2",
      ])
  }

  @Test func `a name does not depend on lines or other functions`() {
    let plain = "func f() -> T { a +\n    b }"
    let moved = "// A comment.\n\nfunc e() -> T { a + b }\nfunc f() -> T {\n  a + b\n}"
    #expect(names(plain).last == names(moved).last)
    #expect(schemata(moved).mutants.last?.line == 5)
  }
}

func names(_ source: String) -> [String] { schemata(source).mutants.map(\.name) }

func schemata(_ source: String, without left: Set<Schemata.Variant> = []) -> Schemata {
  Schemata(of: source, file: "A.swift", firstID: 1, firstBlock: 0) { left.contains($0) }
}
