/// The version of a file on a server, which every later answer must have.
///
/// It is the strong ETag or, without one, the time of the last change. Both are of one length.
/// A weak ETag says only that two versions are alike (RFC 9110, section 8.8.1).
struct RemoteVersion: Sendable, Hashable {
  let length: Int
  let etag: String?
  /// The header Last-Modified as the server wrote it, and in seconds since 1970.
  let modified: String?
  let modifiedSeconds: Int?

  /// The age in seconds from which on a time is a strong validator.
  ///
  /// The file must no longer be able to change within that second. RFC 9110, section 8.8.2.2, asks
  /// for one second; a minute also covers clocks that differ.
  private static let leastAge = 60

  /// Reads the version in the headers of an answer.
  /// - Throws: the reason without a full stop if nothing in them identifies a version.
  init(_ headers: [String: String], length: Int) throws(RangeFailure) {
    self.length = length
    etag = headers["etag"].flatMap { Self.isStrong($0) ? $0 : nil }
    modified = headers["last-modified"].flatMap { HTTPDate.seconds($0) == nil ? nil : $0 }
    modifiedSeconds = modified.flatMap(HTTPDate.seconds)
    if etag != nil { return }
    guard let modifiedSeconds else {
      throw RangeFailure(
        headers["etag"] == nil
          ? "the server says neither ETag nor Last-Modified, so a change would not be noticed"
          : "the server's ETag is weak, so a change would not be noticed")
    }
    let now = headers["date"].flatMap(HTTPDate.seconds) ?? FileVersion.Moment.now().seconds
    guard now >= modifiedSeconds + Self.leastAge else {
      throw RangeFailure(
        "it was changed less than a minute ago, and its server sends only a weak ETag or none")
    }
  }

  /// Whether an ETag is strong, and safe as a part of a header line (RFC 9110, section 8.8.3).
  private static func isStrong(_ etag: String) -> Bool {
    let bytes = etag.utf8
    return (2...1024).contains(bytes.count) && bytes.first == 0x22 && bytes.last == 0x22
      && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
  }

  /// The header lines by which the server refuses a request for another version (status 412), or
  /// answers with the whole file (200) if it does not know the first of them.
  var conditions: [String] {
    if let etag { return ["If-Match: \(etag)", "If-Range: \(etag)"] }
    return modified.map { ["If-Unmodified-Since: \($0)", "If-Range: \($0)"] } ?? []
  }

  /// Whether an answer has this version: a server may ignore conditions.
  func isVersion(of headers: [String: String]) -> Bool {
    headers[header] == etag ?? modified
  }

  /// The name of the header that says the version.
  var header: String { etag == nil ? "last-modified" : "etag" }

  /// The version as one of a local file, for an index: the ETag takes the inode's place.
  var fileVersion: FileVersion {
    let digest = etag.map { SHA256.digest(of: Array($0.utf8)) } ?? []
    return FileVersion(
      device: 0, inode: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, length: length,
      modified: FileVersion.Moment(seconds: modifiedSeconds ?? 0, nanoseconds: 0),
      changed: FileVersion.Moment(seconds: 0, nanoseconds: 0))
  }

  /// Whether an index of the version is one of this file.
  ///
  /// An index made through the server has the same validators. One made on the server's disk has
  /// the file's own time, which servers send as Last-Modified, in seconds. As with local files
  /// whose times are compared, a new version of the same length and time is not detected.
  func isIndexed(as version: FileVersion) -> Bool {
    if version == fileVersion { return true }
    return version.changed != fileVersion.changed && version.length == length
      && version.modified.seconds == modifiedSeconds
  }
}
