/// Which test pictures are to be drawn.
public struct PictureRange: Sendable, Hashable {
  /// A kind of file, the simplest first.
  public enum FileKind: Sendable, Hashable, CaseIterable {
    /// PNG.
    case png
    /// Tiled TIFF.
    case tiff
    /// JPEG with a restart marker at every row of MCUs or every few.
    case jpegWithRestarts
    /// JPEG with restart markers elsewhere or none.
    case jpeg

    /// Whether the file holds the very samples it was given.
    public var isLossless: Bool { self == .png || self == .tiff }

    /// A picture in such a file.
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

  /// The sides in pixels.
  public var sides: ClosedRange<Int>
  /// The kinds of file; at least one.
  public var kinds: Set<FileKind>
  /// Whether pictures stored turned or mirrored are drawn too.
  public var allowsOrientation: Bool
  /// Whether smooth waves, by which a shift can be measured, are all that is shown.
  public var isSmooth: Bool

  /// Pictures of a range; small ones of every kind without arguments.
  ///
  /// 97 px hold six MCUs of 16 px and a part of a seventh, and seven tiles of the smallest TIFF.
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
