import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

/// Checks that files are refused at opening if libheif ends the process or takes much memory.
struct HEIFSafetyTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Writes a HEIF file with these boxes only.
  private func write(_ boxes: [UInt8]) throws -> FilePath {
    let brand = Array("heic".utf8)
    return try folder.write(box("ftyp", brand + number(0, 4) + brand) + boxes, as: "a.heic")
  }

  private static func dimg(_ source: Int, _ targets: [Int]) -> [UInt8] {
    box("dimg", number(source, 2) + number(targets.count, 2) + targets.flatMap { number($0, 2) })
  }

  private static func meta(_ references: [UInt8]) -> [UInt8] {
    box("meta", full(0) + box("iref", full(0) + references))
  }

  private static let itself = "one of its items is made of itself"
  private static let tooMany = "it has a great many references"
  private static let many = [Int](repeating: 7, count: 65_535)

  /// Each item is made of the next one twice.
  private static let doubled: [UInt8] = (1...30).flatMap { dimg($0, [$0 + 1, $0 + 1]) }
  private static let long: [UInt8] = (1...5).flatMap { dimg($0, many) }
  /// A limit that only ended the search would miss the item that refers to itself.
  private static let longest: [UInt8] = (0..<131_074).flatMap { _ in dimg(1, []) } + dimg(2, [2])
  private static let tooShort = number(4, 4) + Array("dimg".utf8) + number(1, 2) + number(1, 2)

  /// Boxes of references, and the reasons of the refusals; nil for lists without a valid end.
  static let references: [(boxes: [UInt8], reason: String?)] = [
    (dimg(1, [1]), itself),
    (dimg(1, [2, 4]) + dimg(2, [3]) + dimg(3, [1]), itself),
    (doubled, "one of its items is made of more than 262144 others"),
    (long, tooMany), (longest, tooMany),
    // libheif ignores the sizes of these boxes: it expects the next box directly after the list.
    (box("prem", number(2, 2) + number(0, 2) + dimg(1, [2]) + dimg(2, [1])), nil),
    (box("prem", number(2, 2) + number(0, 2) + [0]), nil),
    (box("dimg", number(1, 2) + number(3, 2) + number(2, 2)), nil),
    (dimg(1, [2]) + [0, 0, 0], nil),
    (tooShort + number(1, 2), nil),
  ]

  @Test(arguments: references)
  func `references that libheif cannot follow are refused`(
    _ references: (boxes: [UInt8], reason: String?)
  ) throws {
    // The rest of the file does not matter: files that the carver refuses go to libheif.
    let free = [UInt8]([[UInt8]](repeating: box("free", []), count: 400).joined())
    for more in [[], box("moov", []), free] {
      let path = try write(Self.meta(references.boxes) + more)
      let error = expectError(.damaged, of: path) { try Picture(path) }
      if let reason = references.reason {
        #expect(error?.reason == reason)
      } else {
        #expect(error?.reason != Self.itself)
        // libheif refuses this file for other reasons, too.
        expectError(.damaged, of: path) { try HEIFItems.assertSafe(FileReader(path), .standard) }
      }
    }
  }

  @Test func `a long list is accepted, and a larger table than any needs is refused`() throws {
    let list = try write(Self.meta(Self.dimg(1, Self.many) + Self.dimg(2, [3])))
    try HEIFItems.assertSafe(FileReader(list), .standard)
    let table = try write(box("meta", [UInt8](repeating: 0, count: HEIFFile.mostMeta + 1)))
    expectError(.damaged, of: table) { try HEIFItems.assertSafe(FileReader(table), .standard) }
  }

  /// libheif keeps four bytes for each byte of these lists, and our tables keep sixteen.
  @Test func `lists of properties in several boxes are refused before they take memory`() throws {
    let list = [255] + [UInt8](repeating: 1, count: 255)
    let associations = (0..<4).map { part in
      let lists = (0..<4000).flatMap { number(part << 12 + $0, 2) + list }
      return box("ipma", number(0, 4) + number(4000, 4) + lists)
    }
    let boxes = box("ipco", []) + [UInt8](associations.joined())
    let meta = number(0, 4) + box("iprp", boxes)
    let path = try write(box("meta", meta))
    expectError(.overBudget, of: path) {
      try Picture(path, limits: PictureLimits(bytes: 100_000_000))
    }
    let refusal = #expect(throws: HEIFRefusal.self) { try HEIFItems(meta) }
    #expect(refusal?.reason == "it has two ipma boxes")
  }
}
