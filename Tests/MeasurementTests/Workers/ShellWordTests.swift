import Measurement
import Testing

@Suite struct ShellWordTests {
  @Test func `plain words stay as they are, except what zsh takes for a program`() {
    for word in ["verify", "--law", "FZ-P1", "a/b.c", "375x667@2", "1,2", "a=b"] {
      #expect(ShellWord.quoted(word) == word)
    }
    #expect(ShellWord.quoted("=ls") == "'=ls'")
  }

  @Test(arguments: ["", " ", "a b", "it's", "$HOME", "`ls`", "a\nb", "*", "\\", "\"", "ü", "'''"])
  func `a shell reads back what was quoted`(word: String) throws {
    let result = try ChildProcess.run(
      WorkerCommand(
        label: "sh", executable: "sh", arguments: ["-c", "printf %s \(ShellWord.quoted(word))"]))
    #expect(String(decoding: result.output, as: UTF8.self) == word)
  }
}
