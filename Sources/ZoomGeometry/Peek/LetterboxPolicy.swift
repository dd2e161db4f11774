/// What a touch beside the shown picture means.
///
/// Aspect fit leaves empty bars, the letterbox, left and right of the picture or above and below
/// it. The published ForceZoom does not look: in the lower bar it shows a crop that lies wholly
/// outside the picture (FZ-B3).
public enum LetterboxPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The touch counts as one on the nearest place of the picture.
  case clamp
  /// The touch shows nothing. The picture's border still counts as picture.
  case reject
}
