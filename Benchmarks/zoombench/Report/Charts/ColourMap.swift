internal import Foundation

/// Viridis: a sequential map that rises evenly in lightness and is told apart by colour-blind eyes.
///
/// Twelve of its colours at even distances, from the table of Smith and van der Walt (matplotlib
/// 2.0, public domain), with straight lines between them; enough for the 24 steps drawn.
enum ColourMap {
  private static let anchors: [(Double, Double, Double)] = [
    (68, 1, 84), (72, 33, 115), (67, 62, 133), (56, 88, 140), (45, 112, 142), (37, 133, 142),
    (30, 155, 138), (42, 176, 127), (82, 197, 105), (134, 213, 73), (194, 223, 35), (253, 231, 37),
  ]

  /// Colours as many as an eye tells apart; cells of one colour share a path.
  static let steps = 24

  /// Which colour a share from zero to one has.
  static func step(of share: Double) -> Int { min(steps - 1, max(0, Int(share * Double(steps)))) }

  /// A colour as CSS writes it.
  static func colour(step: Int) -> String {
    let place = Double(step) / Double(steps - 1) * Double(anchors.count - 1)
    let index = min(anchors.count - 2, Int(place))
    let rest = place - Double(index)
    let (low, high) = (anchors[index], anchors[index + 1])
    let channels = [(low.0, high.0), (low.1, high.1), (low.2, high.2)]
    return "#"
      + channels.map { String(format: "%02x", Int(($0 + rest * ($1 - $0)).rounded())) }
      .joined()
  }
}
