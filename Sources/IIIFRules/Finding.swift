package import PixelLaws

/// A violation of a rule, with the smallest request that was found to show it.
package struct IIIFFinding: Sendable {
  package let rule: IIIFRule
  /// The step at fault; for rules about all requests, the step of the only parameter that matters.
  package let stage: IIIFStage
  /// The known fault that explains it completely: "x and y swapped".
  package let cause: String?
  package let complaint: String
  /// The requests to replay in this order; the last one shows the violation.
  package let requests: [String]
  /// The request that first showed it.
  package let original: String
  package let foundAfter: Int
  package let shrinkRequests: Int
  /// The interval of the failure rate of repetitions, with 95 % confidence; nil if all failed.
  package let failureRate: ClosedRange<Double>?
  /// The expected and the received picture, if both are pictures.
  package let mismatch: PixelMismatch?
}

package struct IIIFReport: Sendable {
  /// The number of checks of a rule, or the reason why there were none.
  package struct Coverage: Sendable {
    package let rule: IIIFRule
    package let count: Int
    /// The reason why the rule does not apply to this server: "version 2 does not have it".
    package let notApplicable: String?
  }

  package let findings: [IIIFFinding]
  package let coverage: [Coverage]
  package let requests: Int
  /// The server in one sentence: version, level, format, agreement with a full decode.
  package let summary: String
}
