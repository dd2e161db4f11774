/// A requirement of the IIIF Image API that an answer can break.
///
/// The raw value consists of the name, with the letter of the stage, the strength, the sections of 2.1 and
/// 3.0 ("-" if that version lacks the rule), and the requirement.
package enum IIIFRule: String, Sendable, CaseIterable {
  case regionPixels = "R1 must 4.1 4.1 A region x,y,w,h shows exactly these pixels."
  case regionClipped = "R2 should 4.1 4.1 A region that reaches over the edge is cut there."
  case regionEmpty =
    "R3 should 4.1 4.1 A region without pixels, or outside the picture, is refused with 400."
  case regionPercent =
    "R4 must 4.1 4.1 A region in percent shows the pixels that it means, each edge rounded up or down."
  case regionSquare =
    "R5 must 4.1 4.1 The region square is as wide and high as the picture's shorter side."
  case regionFull = "R6 must 4.1 4.1 The region full shows the whole picture."

  case sizeLargest =
    "S1 must 4.2 4.2 The size max (and full in 2.1) is the region's own, within the server's limits."
  case sizeBySide =
    "S2 must 4.2 4.2 The sizes w, and ,h are exact, and the other side keeps the ratio within a pixel."
  case sizeByPercent = "S3 must 4.2 4.2 A size in percent is exact within a pixel."
  case sizeByBoth = "S4 must 4.2 4.2 The size w,h is exact."
  case sizeWithin =
    "S5 must 4.2 4.2 The size !w,h is as large as fits, and keeps the ratio within a pixel."
  case sizeAbove = "S6 should - 4.2 A size above the region's, without ^, is refused with 400."
  case sizeNone =
    "S7 should 4.2 4.2 A size of no pixels, or above the server's limits, is refused with 400."
  case sizeContent =
    "S8 must 4.2 4.2 The whole region is scaled: nothing is shifted, cut off, darker or lighter."
  case sizeKernel =
    "S9 may 4.2 4.2 Pixels are averaged, not skipped; no kernel is required, but skipping shifts and aliases."
  case sizeLimited = "S10 may 5.3 - A size above the limits of info.json is not answered."

  case rotationQuarters = "T1 must 4.3 4.3 90, 180 and 270 turn clockwise, and move pixels only."
  case rotationMirror = "T2 must 4.3 4.3 ! exchanges left and right before the rotation."
  case rotationAny =
    "T3 should 4.3 4.3 Any other angle turns clockwise, unscaled, in the smallest box that holds everything."
  case rotationBackground =
    "T5 should 4.3 4.3 The corners that an angle leaves empty are transparent in formats that can show it."
  case rotationRange = "T4 should 4.3 4.3 An angle below 0 or above 360 is refused with 400."

  case qualityColour = "Q1 must 4.4 4.4 default and color keep the colours that there are."
  case qualityGrey = "Q2 must 4.4 4.4 gray is grey, as light as the picture."
  case qualityBitonal =
    "Q3 must 4.4 4.4 bitonal has two levels; its white parts are lighter in the picture than its black parts."
  case qualityUnknown = "Q4 should 4.4 4.4 An unknown quality is refused with 400."
  case qualityDefault =
    "Q5 may 4.4 4.4 default is the picture in colour where it has colours; another quality is allowed."

  case formatTrue =
    "F1 must 4.5 4.5 The body is a picture in the requested format, and the content type says so."
  case formatSame = "F3 must 4.6 4.6 Formats differ in their coding, not in what they show."
  case formatUnknown = "F2 should 4.5 4.5 An unknown format is refused with 400."

  case syntax =
    "N1 may 9 4.7 A request outside the grammar is refused, though the specification leaves that open."
  case clientError =
    "N2 should 7.2 7.3 A request that cannot be met is answered with a status below 500, or with 501."
  case errorStatus = "N4 must 7.1 7.2 An error has the status of an error, not 200."
  case errorText = "N5 should 7.2 7.3 The body of an error says what is wrong."
  case encoding = "N6 must 9 9 A percent-encoded character means the same as the plain one."
  case offered = "N3 must 5.3 5.7 A request that the claimed level or info.json offers is answered."

  case informationFields = "I1 must 5.2 5.2 info.json has the required fields in the required form."
  case informationSize = "I2 must 5.2 5.2 info.json has the picture's width and height."
  case informationSizes = "I3 must 5.2 5.3 Every size in info.json is answered, and at that size."
  case informationTiles =
    "I4 must 5.2 5.4 Every tile in info.json is answered, and shows its part of the picture."
  case informationLimits =
    "I5 must 5.2 5.2 Limits in info.json hold for its sizes and tiles, and upscaling has one."
  case informationType = "I6 should 5.1 5.1 info.json has the content type that was requested."
  case informationLevel =
    "I7 should 6 6 info.json claims the highest level that works, and lists the other features that work."
  case informationRatio = "I8 may 5.2 5.3 Sizes in info.json keep the picture's ratio."

  case baseAddress = "H1 should 2 2 The service's own address leads to info.json."
  case cors = "H2 should 5.1 7.1 Answers allow other origins (CORS)."
  case head = "H3 should - 7 HEAD has the status of GET and no body (RFC 9110)."
  case canonical = "H4 must 4.7 4.8 A canonical link leads to the same picture."
  case profileLink = "H8 should 5 6 A profile link names the level of info.json."
  case options = "H9 should - 7.1 OPTIONS answers a CORS preflight."
  case repeated = "H5 must 4 4 The same request has the same answer, also after other requests."
  case concurrent = "H6 must 4 4 Eight requests at the same time get the answers of each alone."
  case answers = "H7 must 7 7 Every request has an answer in time, and leaves the server running."

  /// The strength of the requirement in the words of RFC 2119.
  ///
  /// The definition of a parameter counts as MUST.
  package enum Strength: String, Sendable, Codable { case must, should, may }

  private var fields: [Substring] { rawValue.split(separator: " ", maxSplits: 4) }

  /// The name: "IIIF-R1".
  package var id: String { "IIIF-\(fields[0])" }
  package var strength: Strength { Strength(rawValue: String(fields[1])) ?? .may }
  /// The section of 2.1; nil if that version lacks the rule.
  package var section2: String? { section(fields[2]) }
  /// The section of 3.0; nil if that version lacks the rule.
  package var section3: String? { section(fields[3]) }
  package var statement: String { String(fields[4]) }

  private func section(_ field: Substring) -> String? { field == "-" ? nil : String(field) }

  package var stage: IIIFStage {
    switch rawValue.first {
    case "R": .region
    case "S": .size
    case "T": .rotation
    case "Q": .quality
    case "F": .format
    default: .protocol
    }
  }
}
