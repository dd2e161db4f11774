package import SystemPackage
internal import ZoomPipeline

/// A picture with the name that results and histories give it.
package struct NamedPicture {
  package let name: String
  package let path: FilePath

  package init(name: String, path: FilePath) {
    self.name = name
    self.path = path
  }

  /// Names a picture by its path or its address.
  init(_ path: FilePath) {
    self.init(
      name: RemoteAddress.isName(path) ? RemoteAddress.text(of: path) : path.text, path: path)
  }
}

/// Names of pictures that do not depend on the folder of a clone.
enum PictureName {
  /// Returns the shortest ending of each path that no other path of the run has, normally the file's name.
  ///
  /// A path whose every ending belongs to another one keeps all its components. Equal names get numbers.
  static func names(of paths: [FilePath]) -> [String] {
    let paths = paths.map { $0.components.map(\.string) }
    func endings(_ path: [String]) -> [ArraySlice<String>] {
      path.indices.reversed().map { path[$0...] }
    }
    var counts: [ArraySlice<String>: Int] = [:]
    for ending in paths.flatMap(endings) { counts[ending, default: 0] += 1 }
    return paths.map { path in
      (endings(path).first { counts[$0] == 1 } ?? path[...]).joined(separator: "/")
    }.numbered
  }
}

extension [String] {
  /// The names with a number after each repetition: the second "a" becomes "a #2".
  var numbered: [String] {
    var seen: Set<String> = []
    // The next number to try for each name, so that many equal names take linear time.
    var next: [String: Int] = [:]
    return map { name in
      var unique = name
      while !seen.insert(unique).inserted {
        next[name, default: 1] += 1
        unique = "\(name) #\(next[name] ?? 2)"
      }
      return unique
    }
  }
}
