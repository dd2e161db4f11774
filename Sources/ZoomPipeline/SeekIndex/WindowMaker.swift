/// Makes windows: small JPEGs of just the MCUs that a region needs.
struct WindowMaker: Sendable {
  private let jpeg: JPEGStructure
  private let file: any CodedSource
  private let encoder: WindowEncoder

  /// Prepares; nil when the picture's Huffman tables make no sense.
  init?(_ jpeg: JPEGStructure, _ file: any CodedSource) {
    guard let layout = EntropyLayout(jpeg) else { return nil }
    self.init(jpeg, layout, file)
  }

  /// Prepares with tables that were read before.
  init(_ jpeg: JPEGStructure, _ layout: EntropyLayout, _ file: any CodedSource) {
    self.jpeg = jpeg
    self.file = file
    encoder = WindowEncoder(jpeg, layout)
  }

  /// Makes a window; nil when none can be made.
  func part(_ plan: WindowPlan) throws(PipelineError) -> BandReader.Part? {
    guard let encoded = try encoder.encode(plan, reading: file) else { return nil }
    let window = plan.window
    return (
      PartialJPEG(bytes: encoded.bytes, origin: window.origin(jpeg), size: window.size(jpeg)),
      Work(
        bytesRead: encoded.bytesRead, unitsDecoded: window.count, unit: .mcu,
        unitsWalked: plan.mcusWalked, pixelsDecoded: 0, pixelsDelivered: 0)
    )
  }
}
