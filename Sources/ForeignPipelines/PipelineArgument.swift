internal import Foundation
internal import SystemPackage
public import ZoomPipeline

/// The reason why a pipeline's description is invalid, and what to write instead.
public struct PipelineArgumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The message, in one line.
  public let description: String
  init(_ description: String) { self.description = description }
}

extension ForeignPipeline {
  /// The descriptions of ready-made pipelines, by name.
  public static let readyMade: [String: String] = [
    "vips": "command:vips crop {file} {out.v} {x} {y} {w} {h}",
    "imagemagick": "command:convert {file}[0] -crop {w}x{h}+{x}+{y} +repage ppm:{out.ppm}",
    "graphicsmagick": "command:gm convert {file}[0] -crop {w}x{h}+{x}+{y} +repage ppm:{out.ppm}",
    "gdal_translate": "command:gdal_translate -q -of PNG -srcwin {x} {y} {w} {h} {file} {out.png}",
    "djpeg": "command,lossy,aligned:djpeg -crop {w}x{h}+{x}+{y} -pnm -outfile {out.ppm} {file}",
    "jpegtran": "command,lossy,aligned:jpegtran -crop {w}x{h}+{x}+{y} -outfile {out.jpg} {file}",
  ]

  /// Creates a pipeline from a description: `NAME=KIND[,OPTION...]:WHAT`, or the name of a ready-made one.
  ///
  /// Kinds are `command`, `worker`, `tiles`, `iiif` and `http`. Options are `lossy`, `upright`, `aligned`,
  /// `colour=srgb` or `colour=p3`, `time=SECONDS`, `memory=MEGABYTES`, and for IIIF servers `rate=REQUESTS-A-SECOND` and `requests=MOST`.
  /// - Parameters:
  /// - text: the description.
  /// - limits: the limits for opening pictures and decoding answers.
  /// - Throws: `PipelineArgumentError`.
  public convenience init(
    _ text: String, limits: PictureLimits = .standard
  ) throws(PipelineArgumentError) {
    let split = text.firstIndex(of: "=")
    let name = String(text[..<(split ?? text.endIndex)])
    guard !name.isEmpty,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    else {
      throw PipelineArgumentError(
        "'\(name)' cannot name a pipeline (write NAME=KIND:WHAT; letters, digits, - _ and .)")
    }
    let description: String
    if let split {
      description = String(text[text.index(after: split)...])
    } else if let known = Self.readyMade[name] {
      description = known
    } else {
      throw PipelineArgumentError(
        "the ready-made pipeline '\(name)' is unknown (write NAME=KIND:WHAT, or use \(Self.readyMade.keys.sorted().joined(separator: ", ")))"
      )
    }
    guard let colon = description.firstIndex(of: ":") else {
      throw PipelineArgumentError("\(name): after '=' comes KIND:WHAT (kinds: \(Self.kinds))")
    }
    let head = description[..<colon].split(separator: ",", omittingEmptySubsequences: false)
      .map(String.init)
    try self.init(
      name: name, kind: head.first ?? "",
      what: String(description[description.index(after: colon)...]),
      options: Array(head.dropFirst()), description: text, limits: limits)
  }

  /// Reads pipelines from a JSON file: `{"pipelines": [{"name": …, "kind": …, "what": …, "options": [...],
  /// "headers": [...]}]}`.
  public static func list(
    json bytes: [UInt8], limits: PictureLimits = .standard
  ) throws(PipelineArgumentError) -> [ForeignPipeline] {
    let file: PipelineList
    do { file = try JSONDecoder().decode(PipelineList.self, from: Data(bytes)) } catch {
      let reason = (error as? DecodingError)?.explanation(in: bytes) ?? "\(error)"
      throw PipelineArgumentError("\(reason) (see Documentation/OtherPipelines.md)")
    }
    var pipelines: [ForeignPipeline] = []
    for entry in file.pipelines {
      let head = ["\(entry.name)=\(entry.kind)"] + (entry.options ?? [])
      pipelines.append(
        try ForeignPipeline(
          name: entry.name, kind: entry.kind, what: entry.what, options: entry.options ?? [],
          headers: entry.headers ?? [],
          description: head.joined(separator: ",") + ":" + entry.what, limits: limits))
    }
    return pipelines
  }
}

/// A JSON file of pipelines.
package struct PipelineList: Codable {
  package var pipelines: [PipelineEntry]

  package init(_ pipelines: [PipelineEntry]) { self.pipelines = pipelines }
}

package struct PipelineEntry: Codable, Sendable {
  var name: String
  var kind: String
  var what: String
  var options: [String]?
  var headers: [String]?
}

extension ForeignOptions {
  mutating func add(_ text: String, of name: String) throws(PipelineArgumentError) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let number = parts.count == 2 ? Double(parts[1]) : nil
    switch (parts.first, number) {
    case ("lossy", nil) where parts.count == 1: isLossy = true
    case ("upright", nil) where parts.count == 1: isUpright = true
    case ("aligned", nil) where parts.count == 1: isAligned = true
    case ("colour", nil) where parts.count == 2 && ColourTarget(rawValue: parts[1]) != nil:
      colour = ColourTarget(rawValue: parts[1])
    case ("time", let seconds?) where seconds > 0 && seconds <= 86_400: chosenSeconds = seconds
    case ("memory", let megabytes?) where megabytes >= 1 && megabytes <= 1e9:
      memory = Int(megabytes) << 20
    // Less than 0.001, a request in a quarter of an hour, must be a mistake.
    case ("rate", let rate?) where rate >= 0.001 && rate <= 1e6: self.rate = rate
    case ("requests", let count?) where count >= 1 && count <= 1e9: requests = Int(count)
    default:
      throw PipelineArgumentError(
        "\(name): the option '\(text)' is unknown (use lossy, upright, aligned, colour=srgb, colour=p3, time=SECONDS, memory=MEGABYTES, rate=REQUESTS-A-SECOND, requests=MOST)"
      )
    }
  }
}
