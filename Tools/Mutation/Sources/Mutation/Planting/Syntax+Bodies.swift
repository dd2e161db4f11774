internal import SwiftSyntax

extension SyntaxProtocol {
  /// The bytes of the node without the white space and comments around it.
  var textRange: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }

  /// Tells whether the node stands in an initialiser.
  var isInInitialiser: Bool {
    var holder = parent
    while let next = holder, !next.is(InitializerDeclSyntax.self) { holder = next.parent }
    return holder != nil
  }
}

extension CodeBlockItemSyntax {
  /// Tells whether the item is the value of the function, closure or branch it stands in.
  var isValue: Bool {
    guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
    return list.givesValue
  }
}

extension CodeBlockItemListSyntax {
  /// Tells whether a single expression here is the value of what these items are the body of.
  ///
  /// Of a closure it may be; then it is taken for one.
  var givesValue: Bool {
    guard let owner = parent else { return false }
    if owner.is(AccessorBlockSyntax.self) || owner.is(ClosureExprSyntax.self) { return true }
    if owner.is(SwitchCaseSyntax.self) {
      return owner.parent?.parent.map(Self.isValue) ?? false
    }
    guard owner.is(CodeBlockSyntax.self), let holder = owner.parent else { return false }
    if let function = holder.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause != nil
    }
    if let accessor = holder.as(AccessorDeclSyntax.self) {
      return accessor.accessorSpecifier.text == "get"
    }
    return holder.is(IfExprSyntax.self) && Self.isValue(holder)
  }

  /// Tells whether an `if` or a `switch` is an expression whose value is used.
  private static func isValue(_ node: Syntax) -> Bool {
    guard let holder = node.parent else { return false }
    // `else if` is the branch of another one.
    if holder.is(IfExprSyntax.self) { return isValue(holder) }
    guard holder.is(ExpressionStmtSyntax.self) else { return true }
    guard let item = holder.parent?.as(CodeBlockItemSyntax.self) else { return false }
    return item.isValue && node.hasNoReturn
  }
}

extension SyntaxProtocol {
  /// Tells whether nothing in the node leaves the function it stands in with `return`.
  ///
  /// An `if` or a `switch` with one is a statement, though it stands alone.
  var hasNoReturn: Bool {
    let returns = ReturnFinder(viewMode: .sourceAccurate)
    returns.walk(Syntax(self))
    return !returns.found
  }
}

/// Finds a `return` that leaves the function a node stands in.
private final class ReturnFinder: SyntaxVisitor {
  var found = false

  override func visit(_: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    found = true
    return .skipChildren
  }

  override func visit(_: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
