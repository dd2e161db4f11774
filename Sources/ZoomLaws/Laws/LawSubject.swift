/// Something that laws are held against: one form of a zoom system, a pipeline, or a faulty one.
public protocol LawSubject: Sendable {
  /// What reports call it, such as `peek corrected` or `tiled`.
  var name: String { get }
  /// What one case costs, in units of a formula's evaluation: 1 unless it plays or decodes.
  ///
  /// Whoever runs many laws gives each so many times fewer cases.
  var caseCost: Int { get }
}

extension LawSubject {
  /// A formula's cost.
  public var caseCost: Int { 1 }
}
