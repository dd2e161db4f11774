/// A requirement of the IIIF Image API that an answer can break, with its place in the specification.
package struct IIIFRule: Sendable, Hashable {
  /// The strength of the requirement in the words of RFC 2119.
  ///
  /// The definition of a parameter counts as MUST.
  package enum Strength: String, Sendable, Codable { case must, should, may }

  /// The name: "IIIF-R1".
  package let id: String
  package let strength: Strength
  package let stage: IIIFStage
  package let statement: String
  /// The sections of 2.1 and 3.0; nil if that version lacks the rule.
  package let section2: String?
  package let section3: String?

  private init(
    _ id: String, _ strength: Strength, _ stage: IIIFStage, _ section2: String?,
    _ section3: String?, _ statement: String
  ) {
    (self.id, self.strength, self.stage) = ("IIIF-\(id)", strength, stage)
    (self.section2, self.section3, self.statement) = (section2, section3, statement)
  }

  // Region.
  static let regionPixels = IIIFRule(
    "R1", .must, .region, "4.1", "4.1", "A region x,y,w,h shows exactly these pixels.")
  static let regionClipped = IIIFRule(
    "R2", .should, .region, "4.1", "4.1", "A region that reaches over the edge is cut there.")
  static let regionEmpty = IIIFRule(
    "R3", .should, .region, "4.1", "4.1",
    "A region without pixels, or outside the picture, is refused with 400.")
  static let regionPercent = IIIFRule(
    "R4", .must, .region, "4.1", "4.1",
    "A region in percent shows the pixels that it means, each edge rounded up or down.")
  static let regionSquare = IIIFRule(
    "R5", .must, .region, "4.1", "4.1",
    "The region square is as wide and high as the picture's shorter side.")
  static let regionFull = IIIFRule(
    "R6", .must, .region, "4.1", "4.1", "The region full shows the whole picture.")

  // Size.
  static let sizeLargest = IIIFRule(
    "S1", .must, .size, "4.2", "4.2",
    "The size max (and full in 2.1) is the region's own, within the server's limits.")
  static let sizeBySide = IIIFRule(
    "S2", .must, .size, "4.2", "4.2",
    "The sizes w, and ,h are exact, and the other side keeps the ratio within a pixel.")
  static let sizeByPercent = IIIFRule(
    "S3", .must, .size, "4.2", "4.2", "A size in percent is that of the region, within a pixel.")
  static let sizeByBoth = IIIFRule(
    "S4", .must, .size, "4.2", "4.2", "The size w,h is exact.")
  static let sizeWithin = IIIFRule(
    "S5", .must, .size, "4.2", "4.2",
    "The size !w,h is as large as fits, and keeps the ratio within a pixel.")
  static let sizeAbove = IIIFRule(
    "S6", .should, .size, nil, "4.2",
    "A size above the region's, without ^, is refused with 400.")
  static let sizeNone = IIIFRule(
    "S7", .should, .size, "4.2", "4.2",
    "A size of no pixels, or above the server's limits, is refused with 400.")
  static let sizeLimited = IIIFRule(
    "S10", .may, .size, "5.3", nil, "A size above the limits of info.json is not answered.")
  static let sizeContent = IIIFRule(
    "S8", .must, .size, "4.2", "4.2",
    "The whole region is scaled: nothing is shifted, cut off, darker or lighter.")
  static let sizeKernel = IIIFRule(
    "S9", .may, .size, "4.2", "4.2",
    "Pixels are averaged, not skipped; no kernel is required, but skipping shifts and aliases.")

  // Rotation.
  static let rotationQuarters = IIIFRule(
    "T1", .must, .rotation, "4.3", "4.3", "90, 180 and 270 turn clockwise, and move pixels only.")
  static let rotationMirror = IIIFRule(
    "T2", .must, .rotation, "4.3", "4.3", "! exchanges left and right before the rotation.")
  static let rotationAny = IIIFRule(
    "T3", .should, .rotation, "4.3", "4.3",
    "Any other angle turns clockwise, unscaled, in the smallest box that holds everything.")
  static let rotationBackground = IIIFRule(
    "T5", .should, .rotation, "4.3", "4.3",
    "What an angle leaves empty is transparent in formats that can show it.")
  static let rotationRange = IIIFRule(
    "T4", .should, .rotation, "4.3", "4.3", "An angle below 0 or above 360 is refused with 400.")

  // Quality.
  static let qualityColour = IIIFRule(
    "Q1", .must, .quality, "4.4", "4.4", "default and color keep the colours that there are.")
  static let qualityGrey = IIIFRule(
    "Q2", .must, .quality, "4.4", "4.4", "gray is grey, as light as the picture.")
  static let qualityBitonal = IIIFRule(
    "Q3", .must, .quality, "4.4", "4.4",
    "bitonal has two levels; what is white is lighter in the picture than what is black.")
  static let qualityUnknown = IIIFRule(
    "Q4", .should, .quality, "4.4", "4.4", "An unknown quality is refused with 400.")
  static let qualityDefault = IIIFRule(
    "Q5", .may, .quality, "4.4", "4.4",
    "default is the picture in colour where it has colours; another quality is allowed.")

  // Format.
  static let formatTrue = IIIFRule(
    "F1", .must, .format, "4.5", "4.5",
    "The body is a picture in the requested format, and the content type says so.")
  static let formatSame = IIIFRule(
    "F3", .must, .format, "4.6", "4.6", "Formats differ in their coding, not in what they show.")
  static let formatUnknown = IIIFRule(
    "F2", .should, .format, "4.5", "4.5", "An unknown format is refused with 400.")

  // Syntax.
  static let syntax = IIIFRule(
    "N1", .may, .protocol, "9", "4.7",
    "What the grammar does not have is refused; what a server does with it is left open.")
  static let clientError = IIIFRule(
    "N2", .should, .protocol, "7.2", "7.3",
    "A request that cannot be met is no error of the server: no status of 500 or above but 501.")
  static let errorStatus = IIIFRule(
    "N4", .must, .protocol, "7.1", "7.2", "An error has the status of an error, and no 200.")
  static let errorText = IIIFRule(
    "N5", .should, .protocol, "7.2", "7.3", "The body of an error says what is wrong.")
  static let encoding = IIIFRule(
    "N6", .must, .protocol, "9", "9", "Percent-encoded characters mean what they stand for.")
  static let offered = IIIFRule(
    "N3", .must, .protocol, "5.3", "5.7", "What the claimed level or info.json offers is answered.")

  // Information.
  static let informationFields = IIIFRule(
    "I1", .must, .protocol, "5.2", "5.2", "info.json has what is required, in the required form.")
  static let informationSize = IIIFRule(
    "I2", .must, .protocol, "5.2", "5.2", "info.json has the picture's width and height.")
  static let informationSizes = IIIFRule(
    "I3", .must, .protocol, "5.2", "5.3", "Every size in info.json can be had, and is that size.")
  static let informationTiles = IIIFRule(
    "I4", .must, .protocol, "5.2", "5.4",
    "Every tile in info.json can be had, and shows its part of the picture.")
  static let informationLimits = IIIFRule(
    "I5", .must, .protocol, "5.2", "5.2",
    "Limits in info.json hold for its sizes and tiles, and upscaling has one.")
  static let informationType = IIIFRule(
    "I6", .should, .protocol, "5.1", "5.1", "info.json comes as the type that was asked for.")

  static let informationRatio = IIIFRule(
    "I8", .may, .protocol, "5.2", "5.3", "Sizes in info.json keep the picture's ratio.")
  static let informationLevel = IIIFRule(
    "I7", .should, .protocol, "6", "6",
    "info.json claims the highest level that works, and lists what works beyond it.")

  // HTTP.
  static let baseAddress = IIIFRule(
    "H1", .should, .protocol, "2", "2", "The service's own address leads to info.json.")
  static let cors = IIIFRule(
    "H2", .should, .protocol, "5.1", "7.1", "Answers allow other origins (CORS).")
  static let head = IIIFRule(
    "H3", .should, .protocol, nil, "7", "HEAD has the status of GET and no body (RFC 9110).")
  static let canonical = IIIFRule(
    "H4", .must, .protocol, "4.7", "4.8", "A canonical link leads to the same picture.")
  static let profileLink = IIIFRule(
    "H8", .should, .protocol, "5", "6", "A profile link names the level of info.json.")
  static let options = IIIFRule(
    "H9", .should, .protocol, nil, "7.1", "OPTIONS answers a CORS preflight.")
  static let repeated = IIIFRule(
    "H5", .must, .protocol, "4", "4",
    "The same request has the same answer, whatever was asked in between.")
  static let concurrent = IIIFRule(
    "H6", .must, .protocol, "4", "4", "Eight requests at a time have the answers of each alone.")
  static let answers = IIIFRule(
    "H7", .must, .protocol, "7", "7",
    "Every request has an answer in time, and leaves the server running.")

  package static let all = [
    regionPixels, regionClipped, regionEmpty, regionPercent, regionSquare, regionFull,
    sizeLargest, sizeBySide, sizeByPercent, sizeByBoth, sizeWithin, sizeAbove, sizeNone,
    sizeContent, sizeKernel, sizeLimited, rotationQuarters, rotationMirror, rotationAny,
    rotationBackground,
    rotationRange,
    qualityColour, qualityGrey, qualityBitonal, qualityUnknown, qualityDefault, formatTrue,
    formatSame,
    formatUnknown,
    syntax,
    clientError, errorStatus, errorText, encoding, offered, informationFields, informationSize,
    informationSizes, informationTiles,
    informationLimits, informationType, informationLevel, informationRatio, baseAddress, cors, head,
    canonical,
    profileLink, options, repeated, concurrent,
    answers,
  ]
}
