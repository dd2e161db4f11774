import Testing

@testable import zoombench

@Suite struct TextTableTests {
  private static let table: TextTable = {
    var table = TextTable(columns: [.left("name"), .right("n"), .left("last")])
    table.append(["é…", "1", ""])
    table.append(["longer", "1000", "x|y"])
    return table
  }()

  @Test func `columns are as wide as their widest cell and lines have no trailing spaces`() {
    let lines = ["name       n  last", "é…         1", "longer  1000  x|y"]
    #expect(Self.table.rendered() == lines.map { "\($0)\n" }.joined())
    #expect(Self.table.rendered(indent: "> ") == lines.map { "> \($0)\n" }.joined())
    #expect(TextTable(columns: [.left("a"), .right("b")]).rendered() == "a  b\n")
  }

  @Test func `markdown says how columns are aligned, and a bar in a cell does not end it`() {
    #expect(Self.table.markdownHead == "| name | n | last |\n| :-- | --: | :-- |\n")
    #expect(
      Self.table.markdownRows == ["| é… | 1 |  |\n", "| longer | 1000 | x\\|y |\n"])
    // With a combining mark, the bar is another character for Swift but not for Markdown.
    var table = TextTable(columns: [.left("x")])
    table.append(["a|\u{301}b"])
    #expect(table.markdownRows.joined().unicodeScalars.count { $0 == "\\" } == 1)
  }
}
