import Foundation
import Testing

@testable import ZoomGeometry

struct StrictDecodingTests {
  struct Note: Decodable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case pitch
      case length = "beats"
    }

    let pitch: Int
    let length: Double

    init(from decoder: any Decoder) throws {
      let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
      let pitch = try values.decode(Int.self, forKey: .pitch)
      length = try values.decode(Double.self, forKey: .length)
      self.pitch = try decoder.checked { () throws(GeometryError) in
        try GeometryError.side(pitch, "pitch")
      }
    }
  }

  func decode(_ text: String) throws -> [Note] {
    try JSONDecoder().decode([Note].self, from: Data(text.utf8))
  }

  func message(_ text: String) -> String {
    do {
      return "\(try decode(text))"
    } catch DecodingError.dataCorrupted(let context) {
      return context.codingPath.map(\.stringValue).joined() + ": " + context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test func `known keys are read by their names in the file`() throws {
    #expect(try decode(#"[{"pitch": 3, "beats": 0.5}]"#).map(\.length) == [0.5])
  }

  @Test func `another key is an error that names it, its place and the known ones`() {
    let message = message(#"[{"pitch": 3, "beats": 1}, {"pitch": 3, "beats": 1, "lenght": 2}]"#)
    #expect(message == #"Index 1: there is no key "lenght" here (use pitch, beats)"#)
    // The name in the code is not the name in the file.
    #expect(self.message(#"[{"pitch": 3, "length": 1}]"#).contains(#""length""#))
  }

  @Test func `an error of geometry becomes one of decoding`() {
    #expect(message(#"[{"pitch": 0, "beats": 1}]"#) == "Index 0: pitch: 0 is not positive")
  }

  @Test func `what is no object is an error`() {
    #expect(throws: DecodingError.self) { try decode("[7]") }
  }
}
