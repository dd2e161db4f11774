import Foundation
import Testing

@Suite struct TimelineTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Timelines")

  /// The names of the files in the folder of timelines; every one must be a timeline.
  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.isEmpty ? ["(no file)"] : names.sorted()
  }()

  @Test(arguments: names) func `a published behaviour`(file: String) throws {
    let text = try Data(contentsOf: Self.folder.appending(path: file))
    for difference in try Timeline(text).differences() { Issue.record("\(file): \(difference)") }
  }

  /// A light touch on a picture, and a change to the file.
  private func differences(
    replacing old: String = "", with new: String = ""
  ) throws -> [String] {
    let text = """
      {
        "name": "a light touch", "source": "made up", "system": "peek", "picture": [1600, 1200],
        "setup": {"screen": {"width": 375, "height": 667}},
        "timeline": [
          {"at": 0, "picture": [0, 192.875, 375, 281.25], "outline": null, "events": []},
          {"time": 0.1, "phase": "began", "touches": [{"id": 1, "x": 187.5, "y": 333.5}]},
          {"at": 0.5, "form": "corrected", "layers": ["picture", "outline"]},
          {"time": 0.6, "phase": "ended", "touches": [{"id": 1, "x": 187.5, "y": 333.5}]},
          {"at": 1, "sameAs": 0, "scale": 0.234375}
        ]
      }
      """
    #expect(old == "" || text.contains(old))
    return try Timeline(Data(text.replacing(old, with: new).utf8)).differences()
  }

  @Test func `a wrong expectation is reported with its form, its time and both values`() throws {
    #expect(try differences() == [])
    let wrong = ["original", "corrected"].map { "\($0), at 1.0 s: scale is 0.234375, not 0.3" }
    #expect(try differences(replacing: "0.234375", with: "0.3") == wrong)
    #expect(
      try differences(replacing: "\"sameAs\": 0", with: "\"sameAs\": 0.5")
        == wrong.map {
          $0.replacing("scale is 0.234375, not 0.3", with: "the layers differ from those at 0.5 s")
        })
  }

  @Test(arguments: [
    ("\"name\"", "\"nam\"", "there is no key nam"), ("\"peek\",", "\"peek\", \"x\": 1,", "key x"),
    ("[1600, 1200]", "[1600]", "picture"), ("\"time\": 0.6", "\"time\": 0.05", "time"),
    ("\"sameAs\"", "\"same\"", "at 1.0 s: there is no key same"),
    (", \"sameAs\": 0, \"scale\": 0.234375", "", "at 1.0 s: nothing is expected"),
    (",\n    {\"at\": 1, \"sameAs\": 0, \"scale\": 0.234375}", "", "the last item"),
    ("\"system\"", "\"form\": \"original\", \"system\"", "the file has a form"),
    ("\"height\"", "\"fps\": 1, \"height\"", "fps"), ("\"touches\"", "\"touch\"", "touches"),
  ])
  func `a file with a mistake is refused`(old: String, new: String, message: String) {
    let error = #expect(throws: (any Error).self) { try differences(replacing: old, with: new) }
    #expect(error.map { "\($0)".contains(message) } == true, "\(String(describing: error))")
  }
}
