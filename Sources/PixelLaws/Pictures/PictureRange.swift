/// The range that random test pictures are drawn from.
public struct PictureRange: Sendable, Hashable {
  /// A kind of file, the simplest first.
  public enum FileKind: Sendable, Hashable, CaseIterable {
    /// PNG.
    case png
    /// Tiled TIFF.
    case tiff
    /// JPEG with a restart marker after every MCU row or every few MCU rows.
    case jpegWithRestarts
    /// JPEG with other restart intervals or without restart markers.
    case jpeg

    /// Whether decoding the file yields the samples that were stored.
    public var isLossless: Bool { self == .png || self == .tiff }

    /// Returns the picture with a container of this kind.
    func sample(of picture: TestPicture) -> TestPicture {
      var picture = picture
      var form = PictureContainer.JPEGForm()
      switch self {
      case .png: picture.container = .png
      case .tiff: picture.container = .tiledTIFF(16)
      case .jpegWithRestarts: picture.container = .jpeg(form)
      case .jpeg:
        form.restart = .none
        picture.container = .jpeg(form)
      }
      return picture
    }
  }

  /// The range of widths and heights in pixels.
  public var sides: ClosedRange<Int>
  /// The kinds of file; at least one.
  public var kinds: Set<FileKind>
  /// Whether pictures with orientation tags are drawn too.
  public var allowsOrientation: Bool
  /// Whether all pictures show smooth waves, which allow a shift to be measured.
  public var isSmooth: Bool

  /// Creates a range; by default, small pictures of every kind.
  ///
  /// 97 px hold six MCUs of 16 px and a part of a seventh, or seven tiles of the smallest TIFF.
  public init(
    sides: ClosedRange<Int> = 1...97, kinds: Set<FileKind> = Set(FileKind.allCases),
    allowsOrientation: Bool = true, isSmooth: Bool = false
  ) {
    precondition(sides.lowerBound >= 1 && sides.upperBound <= 65_500, "no picture has such sides")
    self.sides = sides
    self.kinds = kinds
    self.allowsOrientation = allowsOrientation
    self.isSmooth = isSmooth
  }
}
