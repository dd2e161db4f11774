package import PixelLaws

/// What a server does that a rule forbids, by the smallest request that was found to show it.
package struct IIIFFinding: Sendable {
  package let rule: IIIFRule
  /// The step that goes wrong: of rules about all requests, that of the only parameter that matters.
  package let stage: IIIFStage
  /// The known fault that explains it wholly: "x and y swapped".
  package let cause: String?
  package let complaint: String
  /// The requests to send again, one after the other; the last one shows it.
  package let requests: [String]
  /// The request by which it was first seen.
  package let original: String
  /// How many requests had been sent when it was seen.
  package let foundAfter: Int
  /// How many more it took to make the request small.
  package let shrinkRequests: Int
  /// Between which shares of repetitions it shows, with 95 % confidence; nil where it did every time.
  package let failureRate: ClosedRange<Double>?
  /// Expected and got, where both are pictures.
  package let mismatch: PixelMismatch?
}

/// What a run found out about a server.
package struct IIIFReport: Sendable {
  /// How often a rule was looked at, and why never.
  package struct Coverage: Sendable {
    package let rule: IIIFRule
    package let count: Int
    /// Why the rule cannot be broken by this server: "2.1 does not have it".
    package let notApplicable: String?
  }

  package let findings: [IIIFFinding]
  package let coverage: [Coverage]
  package let requests: Int
  /// The first sentence on the server: version, level, format, how answers agree with a full decode.
  package let summary: String
}
