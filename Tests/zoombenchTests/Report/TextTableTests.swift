import Testing

@testable import zoombench

@Suite struct TextTableTests {
  private func table() -> TextTable {
    var table = TextTable(columns: [.left("name"), .right("n"), .left("last")])
    table.append(["a", "1", ""])
    table.append(["longer", "1000", "x"])
    return table
  }

  private func markdown(_ table: TextTable) -> String {
    table.markdownHead + table.markdownRows.joined()
  }

  @Test func `columns are as wide as their widest cell and lines have no trailing spaces`() {
    #expect(
      table().rendered() == """
        name       n  last
        a          1
        longer  1000  x

        """)
  }

  @Test func `width counts characters and not bytes`() {
    var table = TextTable(columns: [.left("x"), .left("y")])
    table.append(["é…", "1"])
    table.append(["ab", "2"])
    #expect(table.rendered() == "x   y\né…  1\nab  2\n")
  }

  @Test func `markdown says how columns are aligned`() {
    #expect(
      markdown(table()) == """
        | name | n | last |
        | :-- | --: | :-- |
        | a | 1 |  |
        | longer | 1000 | x |

        """)
  }

  @Test func `a bar in a cell does not end it in markdown`() {
    var table = TextTable(columns: [.left("x")])
    table.append(["a|b"])
    // With a combining mark, the bar is another character for Swift but not for Markdown.
    table.append(["a|\u{301}b"])
    #expect(table.markdownRows.map { $0.unicodeScalars.count { $0 == "\\" } } == [1, 1])
  }
}
