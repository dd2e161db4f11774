/// A trunk, drawn from the top of the picture down to its foot.
struct ForestTrunk: Sendable {
  let depth: Int
  let place: Int
  private let halfWidth: Int
  /// Sideways drift in thousandths of the height.
  private let lean: Int
  let foot: Int
  let haze: Int32
  private let wobble: Profile

  init(
    depth: Int, place: Int, half: Int, lean: Int, foot: Int, haze: Int32, wobble: Profile
  ) {
    self.depth = depth
    self.place = place
    halfWidth = half
    self.lean = lean
    self.foot = foot
    self.haze = haze
    self.wobble = wobble
  }

  func centre(at y: Int) -> Int {
    place + (foot - y) * lean / 1000 + wobble.value(y)
  }

  /// Wider towards the foot, widest in the last tenth, where the roots begin.
  func half(at y: Int) -> Int {
    let height = max(1, foot)
    let taper = halfWidth * (700 + 300 * y / height) / 1000
    let root = max(0, y - foot * 9 / 10) * halfWidth / max(1, height / 10)
    return max(1, taper + root * root / max(1, halfWidth * 2))
  }

  /// Trunks of three depths, the farthest first.
  static func plant(_ plan: ScenePlan) -> [ForestTrunk] {
    let counts = [24, 13, 5]
    let halves = [4, 9, 23]
    let feet = [625, 690, 960]
    return counts.indices.flatMap { depth in
      (0..<counts[depth]).map { number in
        let seed = plan.seed(100 + depth * 100 + number)
        let slot = 1000 * number / counts[depth]
        let jitter = LatticeHash.below(1000 / counts[depth], seed, 0, 0)
        var place = slot + jitter
        // The path stays free of near trunks.
        if depth == 2, (380...700).contains(place) { place = place < 560 ? 250 : 840 }
        return ForestTrunk(
          depth: depth, place: plan.across(place),
          half: max(1, plan.across(halves[depth] * (70 + LatticeHash.below(70, seed, 1, 0)))) / 100,
          lean: LatticeHash.below(200, seed, 2, 0) - 100,
          foot: plan.down(feet[depth] + LatticeHash.below(40, seed, 3, 0)),
          haze: [150, 84, 14][depth],
          wobble: Profile(
            seed, coarse: plan.scale(2), fine: 3, amplitude: plan.across(halves[depth]) / 2))
      }
    }
  }
}
