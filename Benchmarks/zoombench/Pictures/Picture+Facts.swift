internal import ZoomGeometry
internal import ZoomPipeline

extension Picture {
  /// Facts from the headers, the most useful first.
  var facts: [String] {
    var facts = ["\(size)", kind]
    if let jpeg = jpegStructure {
      facts.append(
        jpeg.restartInterval == 0
          ? "no restart markers"
          : "a restart marker every \(jpeg.restartInterval) MCUs (a row has \(jpeg.mcusPerRow))")
    }
    facts.append("\(bands) x \(format.rawValue) \(interpretation.rawValue)")
    if orientation != .up { facts.append("EXIF orientation \(orientation.rawValue)") }
    if profileLength > 0 { facts.append("ICC profile of \(profileLength) bytes") }
    if jpegStructure?.hasGainMap == true { facts.append("gain map (not applied)") }
    facts.append(Format.bytes(Double(version.length)))
    return facts
  }

  var kind: String {
    if let jpeg = jpegStructure { return "JPEG \(jpeg.process.rawValue) \(jpeg.samplingName)" }
    return formatName + (isInterlaced ? " interlaced" : "")
      + (reach == .regions ? " readable in parts" : "")
  }

  /// The usual spelling of the format, from the name of libvips' loader.
  private var formatName: String {
    let name = loader.hasSuffix("load") ? String(loader.dropLast(4)) : loader
    return switch name {
    case "webp": "WebP"
    case "jp2k": "JPEG 2000"
    case "jxl": "JPEG XL"
    case "openslide": "OpenSlide"
    case "magick": "ImageMagick"
    default: name.uppercased()
    }
  }

  /// Whether `zoombench index` may make an index of it.
  var canBeIndexed: Bool {
    jpegStructure != nil || loader == "pngload" && !isInterlaced
  }
}
