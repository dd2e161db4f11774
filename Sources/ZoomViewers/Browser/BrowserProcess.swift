internal import Measurement
internal import SystemPackage
package import ZoomGeometry
internal import ZoomPipeline

/// A running browser of one device pixel ratio, with one page at a time.
package final class BrowserProcess {
  /// The program.
  package let command: BrowserCommand
  /// The number of device pixels per CSS pixel, which cannot change: screenshots follow only the flag.
  package let ratio: Double
  private let tools: DevTools
  private let profile: ScratchFolder
  private var current: VirtualPage?

  /// Starts a browser.
  ///
  /// - Parameters:
  ///   - command: The program.
  ///   - ratio: The number of device pixels per CSS pixel.
  ///   - size: The size of the window in CSS pixels.
  ///   - hosts: The hosts that its pages may reach.
  /// - Throws: `cannotStart`.
  package init(
    _ command: BrowserCommand, ratio: Double, size: ViewSize, allows hosts: [String] = []
  ) throws(ViewerFailure) {
    do throws(PipelineError) { profile = try ScratchFolder() } catch {
      throw .cannotStart("\(error)")
    }
    (self.command, self.ratio) = (command, ratio)
    let flags = command.flags(ratio: ratio, size: size, profile: profile.path, allows: hosts)
    // The browser reads commands at descriptor 3 and writes answers to 4.
    tools = try DevTools(
      WorkerCommand(
        label: "browser", executable: "/bin/sh",
        arguments: [
          "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", command.path.string,
        ] + flags))
    do {
      _ = try tools.call("Browser.getVersion")
    } catch {
      throw error.isDeath ? .cannotStart("\(command.path): \(error)") : error
    }
  }

  deinit { close() }

  /// Returns a page of a size at an origin such as "https://v.test": the last one, or a fresh one.
  ///
  /// A fresh page is in a new context, without the storage, the cache or the process of an earlier page.
  package func page(
    fresh: Bool, size: ViewSize, origin: String
  ) throws(ViewerFailure) -> VirtualPage {
    if let current, !fresh, current.origin == origin {
      try current.resize(to: size)
      return current
    }
    try current?.close()
    current = nil
    do {
      let made = try VirtualPage(tools, size: size, origin: origin)
      current = made
      return made
    } catch {
      guard case .protocol(let refusal) = error else { throw error }
      throw .tooOld(version: command.version, lacks: "what a page needs: \(refusal)")
    }
  }

  /// Returns the peak resident memory of the browser's processes in bytes.
  ///
  /// It is the largest of each kind, "browser", "renderer" or "GPU"; unknown ones are left out.
  package func memory() throws(ViewerFailure) -> [String: UInt64] {
    let found = try tools.call("SystemInfo.getProcessInfo")
    var memory: [String: UInt64] = [:]
    for process in found["processInfo"]?.elements ?? [] {
      guard let kind = process["type"]?.text, let id = process["id"]?.number,
        let status = SystemText.contents(ofFile: "/proc/\(Int(id))/status"),
        let bytes = SystemText.bytes(of: "VmHWM", in: status)
      else { continue }
      memory[kind] = max(memory[kind] ?? 0, bytes)
    }
    return memory
  }

  /// Returns the CPU time of all its processes in nanoseconds; 0 if the system cannot read it.
  package func processorTime() -> UInt64 {
    tools.account.note(descendants: tools.descendants, of: tools.identifier)
    return tools.account.nanoseconds ?? 0
  }

  /// Ends the browser and removes its files.
  package func close() {
    tools.end()
    profile.remove()
  }
}
