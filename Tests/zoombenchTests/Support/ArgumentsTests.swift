import ArgumentParser
import SystemPackage
import Testing
import ZoomGeometry

@testable import zoombench

@Suite struct ArgumentsTests {
  @Test func `a touch is two numbers with a comma between them`() throws {
    let touch = try #require(TouchArgument(argument: "187.5,-3"))
    #expect(touch.point == ViewPoint(x: 187.5, y: -3))
    #expect(TouchArgument(argument: "1, 2")?.point == ViewPoint(x: 1, y: 2))
  }

  @Test(arguments: ["", ",", "1", "1,", ",1", "1,2,3", "1;2", "a,b", "1,2,", "1 2", "1.2.3,4"])
  func `other text is not a touch`(text: String) {
    #expect(TouchArgument(argument: text) == nil)
  }

  @Test func `a viewport has a scale of one unless it names another`() throws {
    let plain = try #require(ViewportArgument(argument: "375x667"))
    #expect(plain.size == ViewSize(width: 375, height: 667))
    #expect(plain.scale == 1)
    let retina = try #require(ViewportArgument(argument: "320.5x568@2"))
    #expect(retina.size == ViewSize(width: 320.5, height: 568))
    #expect(retina.scale == 2)
  }

  @Test(
    arguments: [
      "", "x", "375", "375x", "x667", "375x667@", "@2", "375x667@2@3", "375x667x1", "375X667",
      "375,667", "axb@c", "375x667@two",
    ])
  func `other text is not a viewport`(text: String) {
    #expect(ViewportArgument(argument: text) == nil)
  }

  @Test func `names are separated by commas`() {
    #expect(NameList(argument: "a")?.names == ["a"])
    #expect(NameList(argument: "a, b,c")?.names == ["a", "b", "c"])
  }

  @Test(arguments: ["", " ", ",", "a, ,b"])
  func `an empty name is refused`(text: String) {
    #expect(NameList(argument: text) == nil)
  }
}

@Suite struct DurationArgumentTests {
  @Test(arguments: [("90", 90.0), ("1.5s", 1.5), ("3m", 180), ("2h", 7200)])
  func `seconds, minutes and hours are understood`(text: String, seconds: Double) throws {
    #expect(try DurationArgument(parsing: text).seconds == seconds)
  }

  @Test(arguments: [
    "", "m", "0", "0s", "-1", "nan", "inf", "1d", "9999999", "3 m", "3mm", "1e400h",
  ])
  func `other text is refused with an example of a duration`(text: String) {
    let error = #expect(throws: ValidationError.self) { try DurationArgument(parsing: text) }
    #expect(error?.message.contains("above 0") == true)
  }

  @Test func `a duration is written as it was read`() throws {
    for text in ["90s", "3m", "1.5s"] {
      #expect(try DurationArgument(parsing: text).description == text)
    }
  }
}

@Suite struct FilePathTests {
  @Test(arguments: [
    (".", "."), ("./", "."), ("./.", "."), ("", "."), ("./a", "a"), ("a/./b/.", "a/b"), ("/", "/"),
    ("/.", "/"), ("..", ".."), ("a/..", "a/.."), ("./a/../b", "a/../b"), ("/./a", "/a"),
  ])
  func `dots are left out, and steps upwards are kept`(path: String, without: String) {
    #expect(FilePath(path).withoutDots == FilePath(without))
  }
}
