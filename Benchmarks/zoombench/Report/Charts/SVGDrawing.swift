/// Builds an SVG picture; coordinates are in its own units, y downwards.
///
/// Inline in a page, it takes its colours from the page's style sheet by class, so the same picture suits
/// light and dark pages. As a separate file, it contains that style sheet.
struct SVGDrawing {
  /// The position of a text relative to its point.
  enum Anchor: String {
    case start, middle, end
  }

  let width: Double
  var height: Double
  private let title: String
  private let summary: String
  private let style: String
  private var body = ""

  /// Begins a drawing; a phone is about 330 units wide.
  ///
  /// Title and summary describe the content for people who cannot see it; user text is escaped. `style` has
  /// further classes of the element.
  init(width: Double, height: Double, title: String, summary: String, style: String = "") {
    self.width = width
    self.height = height
    self.title = title
    self.summary = summary
    self.style = style
  }

  var markup: Markup { Markup(html: element()) }

  /// The text of an SVG file, light or dark according to the reader's screen.
  var file: String {
    // Programs without style sheets show a white background and black text.
    let ground =
      "<style>\(PageStyle.palette)\(PageStyle.charts)</style><rect width=\"100%\" height=\"100%\""
      + " fill=\"#fff\" style=\"fill:var(--ground)\"/>"
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + element(
        " xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.text(width))\""
          + " height=\"\(Self.text(height))\" font-family=\"system-ui, sans-serif\"", ground) + "\n"
  }

  private func element(_ attributes: String = "", _ content: String = "") -> String {
    let label = Markup.escaped(title)
    return "<svg\(attributes) class=\"chart\(style.isEmpty ? "" : " " + style)\" role=\"img\""
      + " viewBox=\"0 0 \(Self.text(width)) \(Self.text(height))\" aria-label=\"\(label)\"><title>"
      + "\(label)</title><desc>\(Markup.escaped(summary))</desc>\(content)\(body)</svg>"
  }

  /// Places another drawing inside this one at its own size.
  mutating func place(_ other: SVGDrawing, _ x: Double, _ y: Double) {
    body += other.element(
      " x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" width=\"\(Self.text(other.width))\""
        + " height=\"\(Self.text(other.height))\"")
  }

  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String
  ) {
    body += "<path class=\"\(style)\" d=\"M\(Self.text(x1)) \(Self.text(y1))L\(Self.text(x2))"
    body += " \(Self.text(y2))\"/>"
  }

  mutating func path(_ path: Path, style: String) {
    guard !path.commands.isEmpty else { return }
    body += "<path class=\"\(style)\" d=\"\(path.commands)\"/>"
  }

  /// Fills a path with an explicit colour, for maps.
  mutating func path(_ path: Path, colour: String) {
    guard !path.commands.isEmpty else { return }
    body += "<path fill=\"\(colour)\" d=\"\(path.commands)\"/>"
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, style: String
  ) {
    body += "<rect class=\"\(style)\" x=\"\(Self.text(x))\" y=\"\(Self.text(y))\""
    body += " width=\"\(Self.text(max(0, width)))\" height=\"\(Self.text(max(0, height)))\"/>"
  }

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, anchor: Anchor = .start, style: String = ""
  ) {
    body += "<text x=\"\(Self.text(x))\" y=\"\(Self.text(y))\""
    if anchor != .start { body += " text-anchor=\"\(anchor.rawValue)\"" }
    if !style.isEmpty { body += " class=\"\(style)\"" }
    body += ">\(Markup.escaped(text))</text>"
  }

  /// Returns a coordinate with one decimal; a tenth of a unit is invisible.
  static func text(_ value: Double) -> String {
    // The clamp keeps the conversion to Int defined.
    guard value.isFinite else { return "0" }
    let tenths = Int((min(max(value, -1e6), 1e6) * 10).rounded())
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    let sign = tenths < 0 ? "-" : ""
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  /// The width of a letter at the page's 11 units: the mean of common wide sans-serif fonts.
  private static let letter = 6.5

  /// Returns the approximate width of a short text of numbers and units; signs are wider than letters.
  static func width(of text: String) -> Double { 7.5 * Double(text.count) }

  /// Returns the start of a text that fits into a width at the page's 11 units, with an ellipsis.
  ///
  /// A letter beyond Latin counts as two, since most wide scripts are twice as wide.
  static func fitted(_ text: String, width: Double) -> String {
    let room = max(1, Int(width / letter))
    var used = 0
    var shown = ""
    for character in text {
      used += character.unicodeScalars.allSatisfy { $0.value < 0x0300 } ? 1 : 2
      // A grapheme cluster can have any length; no script needs more than eight scalars.
      guard used <= room, character.unicodeScalars.count <= 8 else {
        return shown.count > 1 ? shown.dropLast() + "…" : "…"
      }
      shown.append(character)
    }
    return shown
  }
}

struct Path {
  private(set) var commands = ""

  mutating func move(_ x: Double, _ y: Double) {
    commands += "M\(SVGDrawing.text(x)) \(SVGDrawing.text(y))"
  }

  mutating func line(_ x: Double, _ y: Double) {
    commands += "L\(SVGDrawing.text(x)) \(SVGDrawing.text(y))"
  }

  mutating func horizontal(_ x: Double) { commands += "H\(SVGDrawing.text(x))" }

  mutating func vertical(_ y: Double) { commands += "V\(SVGDrawing.text(y))" }

  mutating func close() { commands += "Z" }

  /// Adds a dot, drawn as a stroke with round ends.
  mutating func dot(_ x: Double, _ y: Double) {
    move(x, y)
    commands += "h0"
  }

  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    move(x, y)
    commands += "h\(SVGDrawing.text(width))v\(SVGDrawing.text(height))"
    commands += "h\(SVGDrawing.text(-width))z"
  }
}
