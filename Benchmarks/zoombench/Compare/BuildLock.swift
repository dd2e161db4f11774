internal import Foundation
internal import SystemPackage

/// Keeps two comparisons from building in one folder at the same time.
///
/// The lock belongs to the open file, so it ends with the process, even after a crash.
struct BuildLock {
  private let descriptor: FileDescriptor

  /// Takes the lock; while another process holds it, calls `waiting` once and waits.
  ///
  /// - Throws: `Failure` if the lock file cannot be locked.
  init(in folder: FilePath, waiting: () -> Void) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: true)
      descriptor = try FileDescriptor.open(
        folder.appending("lock"), .readWrite, options: [.create, .closeOnExec],
        permissions: [.ownerReadWrite])
    } catch {
      throw Failure(.cannotCreate, "\(folder): build: \(error) (choose another folder)")
    }
    if flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 { return }
    waiting()
    while flock(descriptor.rawValue, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw Failure(.cannotCreate, "\(folder): lock: \(Errno(rawValue: errno))")
      }
    }
  }

  func release() { try? descriptor.close() }
}
