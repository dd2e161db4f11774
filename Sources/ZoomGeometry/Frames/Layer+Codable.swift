// A layer stands in files under the name of its kind: {"picture": {...}}.

extension Layer {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case picture, fill, outline
  }

  /// Decodes the one layer of an object.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    switch values.allKeys.first {
    case .picture where values.allKeys.count == 1:
      self = .picture(try values.decode(PictureLayer.self, forKey: .picture))
    case .fill where values.allKeys.count == 1:
      self = .fill(try values.decode(FillLayer.self, forKey: .fill))
    case .outline where values.allKeys.count == 1:
      self = .outline(try values.decode(OutlineLayer.self, forKey: .outline))
    default:
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a layer is one of picture, fill and outline"))
    }
  }

  /// Encodes the layer under the name of its kind.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .picture(let layer): try values.encode(layer, forKey: .picture)
    case .fill(let layer): try values.encode(layer, forKey: .fill)
    case .outline(let layer): try values.encode(layer, forKey: .outline)
    }
  }
}
