/// A sequential Huffman JPEG encoder with 8-bit samples, written for making test pictures.
///
/// It follows ITU-T T.81 (1992) and can write, on purpose, every structure that a sequential file
/// may legally have, including those that libjpeg's own compressor never produces (late height,
/// one scan per component, fill bytes). It needs memory for one row of MCUs, not for the picture.
/// Only integers are used: the same picture and options give the same bytes everywhere.
///
/// ```swift
/// let plan = try BaselineJPEG.Plan(scene, options: options)
/// let file = try plan.encoded()
/// ```
package enum BaselineJPEG {
  /// Largest width or height.
  ///
  /// T.81 allows 65535; libjpeg, and so nearly every decoder, 65500.
  package static let maximumSide = 65_500

  /// Why a picture cannot be encoded as asked.
  package enum Failure: Error, Hashable, Sendable {
    /// A side is below 1 or above `maximumSide`.
    case invalidSize(SceneSize)
    /// Quality is outside 1...100.
    case invalidQuality(Int)
    /// The list of sampling factors has another length than the colour has components.
    case wrongSamplingCount(expected: Int, got: Int)
    /// A sampling factor is outside 1...4.
    case invalidSampling(component: Int, Sampling)
    /// An interleaved scan would hold more than 10 blocks in an MCU (T.81 B.2.3).
    case tooManyBlocksInMCU(Int)
    /// A restart interval does not fit 0...65535 MCUs.
    case invalidRestartInterval(Int)
    /// An EXIF orientation is outside 1...8.
    case invalidOrientation(Int)
    /// A metadata block does not fit its marker segment.
    case metadataTooLong(bytes: Int, limit: Int)
    /// The number of fill bytes is outside 0...255, or the trailer has a negative length.
    case invalidPadding(Int)
    /// The scene's size or pixel form is not the one the plan was made for.
    case unsuitableScene(SceneSize, PixelForm)
    /// Rows pushed so far are not whole rows, too many or, at the end, too few.
    case wrongRowBytes(Int)
    /// Optimised tables and several scans need the picture twice: rows cannot just be pushed.
    case needsWholePicture
  }
}
