import Mutation
import Testing

@Suite struct SchemataTests {
  @Test func `a body is written once per mutant and once unchanged`() {
    #expect(
      schemata("func f() -> Int {\n  a - b\n}\n").text == """
        func f() -> Int {
          switch MutationRuntime.active(in: 0) {
        case 1:
        return a + b
        default:
        return a - b
        }

        }

        """)
  }

  @Test func `the beginning of each block is noted`() {
    let text = schemata("func f() {\n  if a {\n    b = 1\n  }\n}\n").text
    #expect(
      text.contains(
        "case -1:\nMutationRuntime.note(1);if a {\n    MutationRuntime.note(2);b = 1\n  }\n"))
  }

  @Test func `a mutant belongs to its innermost block`() {
    let mutants = schemata("func f() {\n  g(1)\n  if a { h(2) }\n}\n").mutants
    #expect(mutants.map(\.block) == [1, 1, 1, 2, 2, 2])
  }

  @Test func `initial values and default arguments also select a mutant`() {
    let text = schemata("struct A { let a = true; func f(b: Bool = true) {} }").text
    #expect(text.contains("let a = switch MutationRuntime.active(in: 0) {\ncase 1:\nfalse\n"))
    #expect(text.contains("b: Bool = MutationRuntime.active(in: 1) == 2 ? false :\ntrue)"))
  }

  @Test func `the variant of each line is known`() {
    let made = schemata("func f() {\n  a =\n    -b\n  c = -d\n}\n")
    let lines = made.text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line == "_ = ()" { #expect(made.variant(ofLine: index + 1) == .mutant(1)) }
      if line == "    b" { #expect(made.variant(ofLine: index + 1) == .mutant(2)) }
    }
    #expect(made.variant(ofLine: 1) == nil)
    #expect(made.variant(ofLine: 2) == .unchanged(block: 0))
    #expect(made.variant(ofLine: lines.count) == nil)
  }

  @Test func `variants that do not compile are left out, and mutants keep their numbers`() {
    let source = "func f() -> Int { -a }\nfunc g() -> Int { -b }"
    let left = schemata(source, without: [.mutant(1), .notes(block: 0)])
    #expect(left.mutants == schemata(source).mutants)
    #expect(!left.text.contains("case 1:"))
    #expect(left.text.contains("case 2:"))
    let whole = schemata(source, without: [.unchanged(block: 0)])
    #expect(whole.text.hasPrefix("func f() -> Int { -a }\n"))
    #expect(whole.variant(ofLine: 1) == nil)
  }
}
