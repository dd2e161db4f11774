import Testing
import ZoomGeometry

struct LayerFiniteTests {
  static let bad = [Double.nan, .infinity, -.infinity]
  static let rect = ViewRect(x: 1, y: 2, width: 3, height: 4)
  static let shadow = Shadow(offset: ViewPoint(x: 1, y: 1), radius: 2, opacity: 1)

  /// Expects that a layer is finite, and is not with any of its numbers bad.
  func check<Value>(
    _ value: Value, _ paths: [WritableKeyPath<Value, Double>], as layer: (Value) -> Layer
  ) {
    #expect(layer(value).isFinite)
    for path in paths {
      for number in Self.bad {
        var changed = value
        changed[keyPath: path] = number
        #expect(!layer(changed).isFinite, "\(path)")
      }
    }
  }

  @Test func `a picture with any number that is not finite is not`() {
    let plain = PictureLayer(
      content: PictureRect(x: 1, y: 2, width: 3, height: 4), size: ViewSize(width: 3, height: 4),
      transform: .identity)
    check(
      plain,
      [
        \.content.x, \.content.y, \.content.width, \.content.height, \.size.width, \.size.height,
        \.transform.a, \.transform.ty, \.cornerRadius, \.opacity,
      ], as: Layer.picture)
    for number in Self.bad {
      var masked = plain
      masked.mask = ViewRect(x: 0, y: 0, width: 1, height: number)
      #expect(!Layer.picture(masked).isFinite)
      // A mask does not hide a size that is not finite.
      masked.mask = Self.rect
      #expect(Layer.picture(masked).isFinite)
      for side in [\ViewSize.width, \.height] {
        var endless = masked
        endless.size[keyPath: side] = number
        #expect(!Layer.picture(endless).isFinite)
      }
    }
  }

  @Test func `a fill with any number that is not finite is not`() {
    check(
      FillLayer(rect: Self.rect, shade: 0),
      [
        \.rect.x, \.rect.y, \.rect.width, \.rect.height, \.shade, \.opacity, \.cornerRadius,
      ], as: Layer.fill)
  }

  @Test func `an outline with any number that is not finite is not`() {
    check(
      OutlineLayer(rect: Self.rect, width: 1, shade: 0),
      [\.rect.x, \.rect.y, \.rect.width, \.rect.height, \.width, \.shade], as: Layer.outline)
  }

  @Test func `nor is a layer with such a shadow`() {
    let paths: [WritableKeyPath<Shadow, Double>] = [
      \.offset.x, \.offset.y, \.radius, \.opacity,
    ]
    let fill = FillLayer(rect: Self.rect, shade: 0)
    let outline = OutlineLayer(rect: Self.rect, width: 1, shade: 0)
    let picture = PictureLayer(
      content: PictureRect(x: 1, y: 2, width: 3, height: 4), size: ViewSize(width: 3, height: 4),
      transform: .identity)
    check(Self.shadow, paths) { shadow in
      var layer = fill
      layer.shadow = shadow
      return .fill(layer)
    }
    check(Self.shadow, paths) { shadow in
      var layer = outline
      layer.shadow = shadow
      return .outline(layer)
    }
    check(Self.shadow, paths) { shadow in
      var layer = picture
      layer.shadow = shadow
      return .picture(layer)
    }
  }
}
