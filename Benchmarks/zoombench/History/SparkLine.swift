/// A series as a line of blocks, each as high as its value.
enum SparkLine {
  /// The eighths of a block (Unicode 2581 to 2588).
  private static let blocks = Array("▁▂▃▄▅▆▇█")
  /// The same order of height, where only ASCII is sure to show.
  private static let characters = Array("_.-=+*#@")

  /// As many as fit a line beside their label.
  static let mostValues = 60

  /// Draws the newest values, the least lowest and the greatest highest.
  ///
  /// Equal values are of middle height: there is nothing to see in them.
  static func rendered(_ values: [Double], isASCII: Bool) -> String {
    let marks = isASCII ? characters : blocks
    let shown = values.suffix(mostValues)
    guard let least = shown.min(), let greatest = shown.max() else { return "" }
    return String(
      shown.map { value in
        // Halved first, for the difference of two finite numbers may not be one.
        let share = (value / 2 - least / 2) / (greatest / 2 - least / 2)
        guard share.isFinite else { return marks[marks.count / 2 - 1] }
        return marks[min(marks.count - 1, Int(share * Double(marks.count)))]
      })
  }
}
