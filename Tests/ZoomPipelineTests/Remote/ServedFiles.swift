import SystemPackage
import TestSupport
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Pictures in a folder, and servers in memory that have the same files.
struct ServedFiles {
  enum Kind: String, CaseIterable {
    case jpeg = "jpg"
    case restarts = "rows.jpg"
    case progressive = "progressive.jpg"
    case png
    case tiffStrips = "strips.tif"
    case tiffPlain = "plain.tif"
    case tiffTiles = "tiles.tif"
    case pnm = "ppm"
    case webp

    /// The settings of libvips' encoder; nil for files that our own encoder makes.
    var settings: String? {
      switch self {
      case .jpeg, .restarts, .progressive: nil
      case .png: "[compression=1]"
      case .tiffStrips: "[compression=deflate]"
      case .tiffPlain, .pnm, .webp: ""
      case .tiffTiles: "[tile,tile-width=64,tile-height=64,compression=deflate]"
      }
    }
  }

  static let place = "https://host.example/photos/"

  let folder: TestFolder
  private let key: SidecarKeyFile

  init() throws {
    folder = try TestFolder()
    key = SidecarKeyFile(folder.path.appending("key"))
  }

  func write(_ kind: Kind, _ width: Int = 700, _ height: Int = 500) throws -> FilePath {
    let path = folder.path.appending("photo.\(kind.rawValue)")
    if let settings = kind.settings {
      try Image(Pixels.noise(width, height)).write(to: path, settings: settings)
      return path
    }
    var options = JPEGEncoding(quality: 90)
    if kind == .restarts { options = options.with(\.restart, .rows(1)) }
    if kind == .progressive { options = options.with(\.coding, .progressive) }
    return try folder.write(
      JPEGBytes(width, height, options).bytes, as: "photo.\(kind.rawValue)")
  }

  func server(
    _ paths: [FilePath], lanes: Int = 32, fault: @escaping MemoryServer.Fault = { _, _, _ in nil }
  ) throws -> MemoryServer {
    let pairs = try paths.map { path in
      (Self.place + (path.lastComponent?.string ?? ""), try bytes(of: path))
    }
    return MemoryServer(Dictionary(uniqueKeysWithValues: pairs), lanes: lanes, fault: fault)
  }

  /// libvips marks its PNM loader as untrusted.
  static func reference(_ path: FilePath) throws -> Reference {
    try Reference(path, limits: PictureLimits(loaders: .all))
  }

  func address(of path: FilePath) -> FilePath {
    FilePath(Self.place + (path.lastComponent?.string ?? ""))
  }

  /// Builds the index of a picture's version on a server, for a place beside it.
  func index(of path: FilePath) throws -> [UInt8] {
    let made = SidecarStore(.folder(folder.path.appending("made")), key: key)
    let name = address(of: path)
    try made.build(for: name, limits: try server([path]).limits())
    return try bytes(of: made.location(for: name))
  }

  /// Opens a picture with an index beside it.
  func openBesideIndex(_ name: FilePath, on server: MemoryServer) throws -> any RegionSource {
    try PartialPipeline(
      stores: [SidecarStore(.beside, key: key)], limits: server.limits(expectsIndex: true)
    ).open(name)
  }
}

extension FilePath {
  var remoteText: String { RemoteAddress.text(of: self) }
}
