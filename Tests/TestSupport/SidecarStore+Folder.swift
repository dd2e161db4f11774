package import SystemPackage
package import ZoomPipeline

extension SidecarStore {
  /// Creates a store whose sidecars and key are in a test's folder.
  package init(in folder: FilePath) {
    self.init(
      .folder(folder.appending("index")), key: SidecarKeyFile(folder.appending("key")))
  }
}
