package import SystemPackage
package import ZoomPipeline

extension SidecarStore {
  /// A store with a key of its own, both in a folder of a test's.
  package init(in folder: FilePath) {
    self.init(
      .folder(folder.appending("index")), key: SidecarKeyFile(folder.appending("key")))
  }
}
