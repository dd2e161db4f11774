public import ZoomGeometry

/// A defect of a published zoom system, with the code that comments, tests and reports use for it.
public struct PublishedDefect: Sendable, Hashable {
  /// The system and a number: `FZ-B1`.
  public let code: String
  /// The system that has the defect.
  public let system: ZoomSystem
  /// The defect in one sentence.
  public let summary: String
  /// The laws that the published system breaks because of it; empty for a defect that no law detects.
  public let laws: [String]

  /// Returns the name of a system's publication.
  public static func publication(of system: ZoomSystem) -> String {
    switch system {
    case .peek: "FlexMonkey/ForceZoom"
    case .fullscreen: "Matt Gallagher, ZoomingViewController (Cocoa with Love)"
    case .force: "Produkt/3dForceTouchExamples"
    case .doubleTap: "fanyinan/ZoomImageScrollViewDemo and fanyinan/WZPhotoBrowser"
    case .transition: "quri/Titanium"
    }
  }

  /// Returns the known defects that make a published system break a law.
  public static func behind(_ law: String, of system: ZoomSystem) -> [PublishedDefect] {
    all.filter { $0.system == system && $0.laws.contains(law) }
  }

  /// All known defects, by system and number.
  public static let all =
    defects(.peek, "FZ", peek) + defects(.fullscreen, "ZV", fullscreen)
    + defects(.force, "FT", force) + defects(.doubleTap, "DT", doubleTap)
    + defects(.transition, "TI", transition)

  /// Reads a table with a defect in each row: the summary and, in brackets, the laws.
  private static func defects(
    _ system: ZoomSystem, _ prefix: String, _ table: String
  ) -> [PublishedDefect] {
    table.split(separator: "\n").enumerated().map { number, row in
      let parts = row.split(separator: " [")
      let laws = parts.count > 1 ? parts[1].dropLast().split(separator: " ").map(String.init) : []
      return PublishedDefect(
        code: "\(prefix)-B\(number + 1)", system: system, summary: String(parts[0]), laws: laws)
    }
  }

  private static let peek = """
    The vertical offset of the crop is computed from the picture's width. [FZ-P3y FZ-P4 FZ-P5 \
    FZ-P7 FZ-P8 FZ-P11 GE-37 NUM-5 NUM-6]
    The crop's origin is limited to the unit square, its far edge is not. [FZ-P1 FZ-P8 GE-12]
    A touch beside the picture is not rejected and shows smeared edge pixels. [FZ-P1 FZ-P13c \
    FZ-P13r]
    The crop's size is that of the view, not that of the peek. [FZ-P2]
    The frame on the screen is not limited to the picture and does not match the crop. [FZ-P5 \
    FZ-P6 NUM-7]
    A picture smaller than the peek gives a crop larger than the picture. [FZ-P1 FZ-P2 FZ-P12s]
    Empty bounds give NaN. [FZ-P14]
    An empty picture gives infinities and NaN; a missing picture ends the app. [FZ-P14]
    The scale is multiplied in and divided out again, which loses the digits of a tiny scale. \
    [FZ-P14]
    1:1 means a picture pixel per point, so each pixel covers 2 x 2 or 3 x 3 of the screen. \
    [GE-25]
    The frame is drawn when the finger comes down, does not follow it, and stays after a \
    cancelled touch or a changed screen. [GE-6 GE-21 GE-27 GE-30 GE-40 GE-51]
    The crop's origin is a fraction of a pixel, and no rule says how to round it. [FZ-P15]
    The crop is taken from the stored picture, not from the upright one.
    """

  private static let fullscreen = """
    A view that is dismissed in landscape ends with its sides swapped. [ZV-P8]
    In landscape the bounds and the turn jump while the frame is animated. [GE-38]
    The black square behind a turning view does not cover a window wider than high. [ZV-P10]
    In a window that turns with the interface, the view is turned once more. [ZV-P12 GE-9 GE-22]
    An unknown orientation counts as portrait while the interface is in landscape. [ZV-P7 ZV-P13 \
    ZV-P15]
    After the inline view is replaced, the old one goes to full screen.
    A controller that is released in full screen never returns the view.
    A view that comes back is put in front of its siblings. [ZV-P8]
    Without a window the view is sized to nothing.
    From one landscape to the other the direction of the turn is undefined.
    A window that is empty, or has a number that is not finite, is not refused.
    """

  private static let force = """
    Only the touches that changed are counted, so a second finger goes unnoticed. [FT-P1 FT-P3 \
    GE-4 GE-27 GE-40]
    The state changes before the number of touches is checked. [FT-P2 FT-P3]
    The recogniser ignores a cancelled touch, so its state and the zoom stay as they were. [FT-P4 GE-6 GE-30]
    The force of a gesture lasts until the next one begins. [FT-P4]
    When a gesture ends, its force becomes that of the lifting finger. [FT-P4]
    The largest force is assumed to be 6.6, so at full force the shadow is on the other side. [FT-P5 FT-P7]
    The shadow's radius does not reach 0 at full force, and falls below 0 if it is small. [FT-P6 \
    FT-P9 GE-46]
    A largest force of 0 gives infinities and NaN. [FT-P5]
    Moving the anchor moves the view, so the touched point jumps to the view's middle. [FT-P10 \
    FT-P11 FT-P12 GE-17]
    Forces below 1 do nothing. [GE-7]
    An empty frame gives an anchor at a corner. [FT-P10]
    The frame is measured once and is wrong after the screen changed. [GE-21 GE-50]
    The zoom is undone only if the gesture ends, not if it is cancelled or fails. [FT-P4 GE-6 GE-55]
    The zoom has no upper limit. [FT-P5]
    The anchor is relative to the view and not to the picture in it. [FT-P11]
    The force is divided by 7, so the last twentieth of the animation is out of reach. [FT-P18]
    A force of 7 or more asks for the moment at which the animation ends, or a later one; by then the animation has \
    been removed, and the view is shown as at rest. [FT-P16 GE-7]
    """

  private static let doubleTap = """
    The first version does not divide the offset by the scale. [DT-P5 DT-P8r DT-P9 NUM-10]
    The offset is right only if the largest zoom is not reached. [DT-P5 DT-P8r NUM-10]
    The zoom is compared for equality, so after an animation a double tap only snaps back. \
    [DT-P6n]
    Empty bounds or an empty picture give NaN. [DT-P11]
    The smallest zoom is computed once and not again when the screen changes. [GE-41 GE-49 GE-50]
    A double tap enlarges to twice the fit, which is in general not 1:1. [GE-25]
    The zoom rectangle uses the scroll view's frame, but the fit uses its bounds.
    The picture's size is in points: half of its pixels in a picture marked @2x.
    """

  private static let transition = """
    Only one side of the mask is animated. [TI-P5 GE-37]
    A zoomed picture is dismissed with a mask and a scale computed from its zoomed frame. [TI-P16 \
    GE-38]
    A turned picture is dismissed with a mask and a scale computed from its turned frame. [TI-P16]
    The mask uses the thumbnail's own frame, but the transform uses the converted one. [TI-P1 \
    TI-P2 TI-P4]
    Without a thumbnail the transform is singular, and an empty picture gives NaN.
    The rubber band of a pinch depends on how often the fingers are sampled. [GE-4 GE-18 GE-42 \
    GE-56]
    After a pinch the position of the anchor is limited instead of the picture's middle. [TI-P9 \
    TI-P23 GE-12]
    A tap that resets the zoom forgets the turn. [TI-P13]
    A double tap does nothing in landscape. [GE-41]
    A turn within 0.3 s of another starts from the old orientation. [TI-P13]
    The scale is compared for equality, so after a pinch there and back a tap does not dismiss. \
    [TI-P21]
    A cancelled pinch leaves a scale outside its limits. [TI-P8]
    The duration of a throw jumps at 200 points per second. [TI-P17]
    The anchor of an empty view is NaN.
    The largest zoom, 3 times the fit, does not reach 1:1. [GE-25]
    A second report of the same orientation animates the picture once more. [GE-40]
    An animation goes on between points of the old screen when the screen changes. [GE-40 \
    GE-54 GE-57]
    A pinch that begins while the picture turns makes the picture jump. [GE-8]
    """
}
