import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Random headers of a JPEG, valid or not, without entropy-coded data, which opening never reads.
private struct RandomHeaders {
  private(set) var bytes: [UInt8] = [0xFF, 0xD8]
  private var random: SplitMix64

  init(_ number: UInt64) {
    random = SplitMix64(seed: number)
    var segments: [[UInt8]] = []
    if chance(70) {
      segments.append(JPEGBytes.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]))
    }
    if chance(60) { segments.append(exif()) }
    if chance(8) { segments.append(exif()) }
    if chance(20) {
      segments.append(JPEGBytes.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)))
    }
    if chance(35) { segments += profile() }
    if chance(30) { segments.append(adobe()) }
    if chance(10) { segments.append(JPEGBytes.segment(0xFE, some(20))) }
    if chance(10) { segments.append(JPEGBytes.segment(0xDD, [0, UInt8(some(1)[0])])) }
    if chance(3) { segments.append(JPEGBytes.segment(pick([0xCC, 0xDC, 0xE5, 0xED]), some(4))) }
    if chance(30) { segments.shuffle(using: &random) }
    segments.append(JPEGBytes.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)))
    for kind: UInt8 in [0, 0x10] {
      let counts: [UInt8] = [0, 2] + [UInt8](repeating: 0, count: 14)
      segments.append(JPEGBytes.segment(0xC4, [kind] + counts + [0, 1]))
    }
    segments += frameAndScan()
    bytes += segments.joined() + some(40) + [0xFF, 0xD9]
    if chance(35) {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 2..<bytes.count, using: &random)] =
          chance(50) ? some(1)[0] : pick([0, 1, 8, 0xFF])
      }
    }
    if chance(4) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick(_ choices: [UInt8]) -> UInt8 {
    choices.randomElement(using: &random) ?? 0
  }

  private mutating func some(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private mutating func frameAndScan() -> [[UInt8]] {
    let count = chance(96) ? Int(pick([1, 3, 3, 3, 4])) : 2
    let names: [[UInt8]] = [
      [1, 2, 3, 4], [0, 1, 2, 3], [82, 71, 66, 65], [1, 1, 2, 3], some(4),
    ]
    let ids = Array((chance(60) ? names[0] : names[Int(pick([1, 2, 3, 4]))]).prefix(count))
    let code = chance(92) ? pick([0xC0, 0xC0, 0xC1, 0xC2]) : pick([0xC3, 0xC5, 0xC9, 0xCA])
    let side = { (large: Bool) -> [UInt8] in large ? [0xFF, 0xF0] : [0, 33] }
    var frame: [UInt8] = [chance(97) ? 8 : 12] + side(chance(3)) + side(chance(3)) + [UInt8(count)]
    for id in ids { frame += [id, pick([0x11, 0x22, 0x21, 0x41, 0x44]), 0] }
    let isWhole = chance(75)
    let scanned = isWhole ? ids : chance(90) ? [ids[0]] : [ids[0] &+ 9]
    return [
      JPEGBytes.segment(code, frame),
      JPEGBytes.segment(
        0xDA, [UInt8(scanned.count)] + scanned.flatMap { [$0, 0] } + [0, code == 0xC2 ? 0 : 63, 0]),
    ]
  }

  private mutating func adobe() -> [UInt8] {
    let body = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, pick([0, 1, 1, 2, 3])]
    return JPEGBytes.segment(0xEE, chance(90) ? body : Array(body.dropLast(Int(pick([1, 4])))))
  }

  private mutating func profile() -> [[UInt8]] {
    let count = Int(pick([1, 1, 2, 3]))
    return (1...count).map { number in
      let isOdd = chance(6)
      return JPEGBytes.segment(
        0xE2,
        Array("ICC_PROFILE\0".utf8) + [
          isOdd ? some(1)[0] : UInt8(number), UInt8(chance(97) ? count : 9),
        ]
          + some(Int(chance(95) ? 30 : pick([0, 1]))))
    }
  }

  private mutating func exif() -> [UInt8] {
    let isLittle = chance(50)
    func short(_ number: Int) -> [UInt8] {
      let pair = [UInt8(number >> 8 & 255), UInt8(number & 255)]
      return isLittle ? pair.reversed() : pair
    }
    func long(_ number: Int) -> [UInt8] {
      isLittle ? short(number) + short(number >> 16) : short(number >> 16) + short(number)
    }
    let tags = [0x010F, 0x011A, 0x8769, 0x0201, 0x0202, 0x8825, 0xA005, 0x0000, 0x0131]
    func directory(_ random: inout SplitMix64, next: Int) -> [UInt8] {
      let count = Int.random(in: 0...5, using: &random)
      var entries = (0..<count).map { _ -> [UInt8] in
        let type = Int.random(in: 0...13, using: &random)
        let value = Int.random(in: 0...90, using: &random)
        return short(tags.randomElement(using: &random) ?? 0) + short(type)
          + long(Int.random(in: 0...20, using: &random)) + long(value)
      }
      for _ in 0..<[0, 1, 1, 1, 1, 1, 2][Int.random(in: 0..<7, using: &random)] {
        let isOdd = Int.random(in: 0..<12, using: &random) == 0
        let value = Int.random(in: isOdd ? 0...70_000 : 1...8, using: &random)
        let type = isOdd ? Int.random(in: 0...13, using: &random) : 3
        let length = isOdd ? Int.random(in: 0...3, using: &random) : 1
        entries.append(
          short(0x0112) + short(type) + long(length)
            + (type == 4 ? long(value) : short(value) + [0, 0]))
      }
      entries.shuffle(using: &random)
      return short(entries.count) + entries.joined() + long(next)
    }
    let gap = chance(85) ? 0 : 6
    let next = chance(40) ? 60 : 0
    var body = Array("Exif\0\0".utf8) + (isLittle ? Array("II".utf8) : Array("MM".utf8)) + short(42)
    body += long(8 + gap) + some(gap) + directory(&random, next: next)
    body += directory(&random, next: 0) + some(Int(pick([0, 12, 200])))
    if chance(5) { body.removeLast(Int.random(in: 0..<body.count, using: &random)) }
    return JPEGBytes.segment(0xE1, body)
  }
}

struct JPEGMetadataTests {
  @Test func `headers read without libvips give the same answers as libvips, or none`() throws {
    let folder = try TestFolder()
    var certain = 0
    let count = Thoroughness.pick(500, full: 3000) as UInt64
    for number in 0..<count {
      let headers = RandomHeaders(number)
      let path = try folder.write(headers.bytes, as: "a.jpg")
      guard let (_, metadata) = try? JPEGParser.read(FileReader(path)), metadata.isCertain else {
        continue
      }
      certain += 1
      let own = try Picture(path)
      guard let asked = try? Picture(path, limits: .standard, asksLibvips: true) else {
        Issue.record("libvips refuses headers \(number)")
        continue
      }
      #expect(Self.facts(own) == Self.facts(asked), "headers \(number)")
    }
    // Neither too few nor too many files are decided without libvips; otherwise this tests nothing.
    #expect(certain > Int(count) / 4 && certain < Int(count) * 9 / 10)
  }

  private static func facts(_ picture: Picture) -> [String] {
    [
      picture.loader, "\(picture.storedSize)", "\(picture.bands)", picture.format.rawValue,
      picture.interpretation.rawValue, "\(picture.orientation)", picture.reach.rawValue,
      "\(picture.isInterlaced)", "\(picture.profileLength)",
    ]
  }
}
