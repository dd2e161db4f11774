public import SystemPackage

/// Where seek indexes that `zoombench index` has written are looked for.
///
/// What a peek costs depends on whether one is there, so that measurements say where they looked.
public enum StoredIndexes: Sendable, Hashable {
  /// Nowhere: peeks lay indexes down themselves.
  case none
  /// Beside each picture, then in the user's folder for caches.
  case standard
  /// In one folder.
  case folder(FilePath)

  /// The places, the first to be looked into first.
  var stores: [SidecarStore] {
    // Without a folder for caches or a key of the user's there is none to look into.
    switch self {
    case .none: []
    case .standard: [SidecarStore.Place.beside, nil].compactMap { try? SidecarStore($0) }
    case .folder(let folder): [try? SidecarStore(.folder(folder))].compactMap(\.self)
    }
  }
}
