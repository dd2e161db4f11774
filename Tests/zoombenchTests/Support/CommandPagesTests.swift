import Foundation
import Testing

@testable import zoombench

/// Compares the pages' descriptions of commands and options with the built command's help.
@Suite struct CommandPagesTests {
  private struct Dump: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let shouldDisplay: Bool?
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let names: [Name]?
    let valueName: String?
    let kind: String
    let abstract: String?
    let shouldDisplay: Bool?
    let allValues: [String]?

    var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map(\.name) }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Documentation").standardizedFileURL

  private static func page(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// Returns the listed commands without subcommands, by their words: "bench", "history list".
  private static func commands() async throws -> [(words: String, arguments: [Argument])] {
    func dump(_ words: [String]) async throws -> Command {
      let text = try await TestFolder().zoombench(words + ["--experimental-dump-help"]).output
      return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
    }
    // `play` is a separate program, which has its own help.
    let play = try await dump(["play"])
    func leaves(_ command: Command, _ words: [String]) -> [(String, [Argument])] {
      let inner = (command.subcommands ?? []).filter {
        $0.shouldDisplay != false && $0.commandName != "help"
      }
      if inner.isEmpty {
        let arguments = ((words == ["play"] ? play : command).arguments ?? []).filter {
          $0.shouldDisplay != false && !["help", "version"].contains($0.longNames.first)
        }
        return [(words.joined(separator: " "), arguments)]
      }
      return inner.flatMap { leaves($0, words + [$0.commandName]) }
    }
    return leaves(try await dump([]), [])
  }

  @Test func `the page of options has every option of every command`() async throws {
    var text = """
      # All options

      What `zoombench help COMMAND` prints, on one page. [Command line](CommandLine.md) says which options are alike.

      """
    let commands = try await Self.commands()
    #expect(commands.count > 15)
    for (words, arguments) in commands {
      text += "\n## \(words)\n\n| argument | meaning |\n|---|---|\n"
      text += arguments.map { Self.row($0) }.joined()
    }
    // To update the page: ZOOMBENCH_WRITE_PAGES=1 swift test --filter CommandPagesTests
    if ProcessInfo.processInfo.environment["ZOOMBENCH_WRITE_PAGES"] == "1" {
      try text.write(
        to: Self.folder.appending(path: "Options.md"), atomically: true, encoding: .utf8)
    }
    #expect(try Self.page("Options.md") == text, "write it with ZOOMBENCH_WRITE_PAGES=1")
  }

  private static func row(_ argument: Argument) -> String {
    let value = argument.valueName.map { $0.replacing("|", with: "\\|") } ?? ""
    let spellings = (argument.names ?? []).map {
      $0.kind == "long" ? "--\($0.name)" : "-\($0.name)"
    }
    let name =
      switch argument.kind {
      case "positional": "`<\(value)>`"
      case "flag": spellings.map { "`\($0)`" }.joined(separator: ", ")
      default: spellings.map { "`\($0) <\(value)>`" }.joined(separator: ", ")
      }
    var meaning = (argument.abstract ?? "").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ").replacing("|", with: "\\|").replacing("<", with: "&lt;")
    if let values = argument.allValues {
      meaning +=
        (meaning.isEmpty ? "" : " ") + "One of \(values.map { "`\($0)`" }.joined(separator: ", "))."
    }
    return "| \(name) | \(meaning) |\n"
  }

  @Test func `the page of the command line names every command, and options that they have`()
    async throws
  {
    let page = try Self.page("CommandLine.md")
    let commands = try await Self.commands()
    for (words, _) in commands {
      let parts = words.split(separator: " ").map(String.init)
      let line = page.split(separator: "\n").first { $0.hasPrefix("| `\(parts[0])") }
      #expect(line != nil && parts.allSatisfy { line?.contains($0) == true }, "\(words)")
    }
    // Rows of the second table: an option's purpose, its spelling, and the commands that have it.
    var tried = 0
    for line in page.split(separator: "\n") where line.contains("`--") && line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3 else { continue }
      let options = cells[1].matches(of: /--([a-z-]+)/).map { String($0.output.1) }
      let named = cells[2].matches(of: /`([a-z]+(?: [a-z]+)*)`/).map { String($0.output.1) }
      for name in named {
        let having = commands.filter { $0.words == name || $0.words.hasPrefix("\(name) ") }
        // A command has one of several spellings in a row.
        let has = having.contains { command in
          command.arguments.contains { !Set($0.longNames).isDisjoint(with: options) }
        }
        #expect(has, "\(name) has none of \(options)")
        tried += 1
      }
    }
    #expect(tried >= 20)
  }

  @Test func `the page of results has every format of every command`() async throws {
    let rows = try Self.page("Results.md").split(separator: "\n").filter { $0.hasPrefix("|") }
    var tried = 0
    for (words, arguments) in try await Self.commands() {
      guard let format = arguments.first(where: { $0.longNames.contains("format") }) else {
        continue
      }
      let values = try #require(format.allValues, "\(words)")
      tried += 1
      // The formats of `report` have a separate table.
      let own = words == "report" ? rows : rows.filter { $0.contains("`\(words)`") }
      for value in values {
        #expect(own.contains { $0.contains("`\(value)`") }, "\(words) --format \(value)")
      }
    }
    #expect(tried >= 5)
  }

  @Test func `every exit code is on the page of results and in the help`() async throws {
    let rows = try Self.page("Results.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
    let help = try await TestFolder().zoombench("--help").output
    for status in zoombench.ExitStatus.allCases {
      let code = Substring("\(status.rawValue)")
      #expect(
        rows.contains { row in
          row.dropFirst(2).prefix { $0 != "|" }.split { !$0.isNumber }.contains(code)
        }, "\(status)")
      #expect(help.split { !$0.isNumber }.contains(code), "\(status)")
    }
  }
}
