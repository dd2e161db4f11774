import Foundation
import Testing

@testable import zoombench

@Suite struct TerminalTextTests {
  @Test func `every character that steers a terminal is escaped, and no other`() {
    for value in UInt32(0)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)b"
      let isKept = scalar == "\n" || scalar == "\t" || !TerminalText.isUnsafe(scalar)
      #expect((TerminalText.safe(text) == text) == isKept)
    }
    #expect(
      TerminalText.safe("\u{1B}[31m\u{7}\u{9B}\u{202E}") == "\\u001b[31m\\u0007\\u009b\\u202e")
    #expect(TerminalText.safe("a\r\nb\rc") == "a\r\nb\\u000dc")
  }

  @Test func `JSON means the same afterwards`() throws {
    let names = ["\u{1B}\u{7F}\u{9B}", "\u{202E}txt.exe", "\u{61C}ö😀\n"]
    let json = try Output.json(names)
    let safe = TerminalText.safe(json)
    #expect(safe != json)
    #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == names)
  }
}
