internal import SwiftSyntax

extension SyntaxProtocol {
  /// The range of bytes of the node, without surrounding white space and comments.
  var textRange: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }

  /// Whether the node is inside an initialiser.
  var isInInitialiser: Bool {
    var holder = parent
    while let next = holder, !next.is(InitializerDeclSyntax.self) { holder = next.parent }
    return holder != nil
  }
}

extension CodeBlockItemSyntax {
  /// Whether the item is the value of the function, closure or branch that contains it.
  var isValue: Bool {
    guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
    return list.givesValue
  }
}

extension CodeBlockItemListSyntax {
  /// Whether a single expression in this list is the value of the enclosing body.
  ///
  /// In a closure it may be a value, and counts as one.
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

  /// Returns whether an `if` or a `switch` is an expression whose value is used.
  private static func isValue(_ node: Syntax) -> Bool {
    guard let holder = node.parent else { return false }
    // An `else if` is a branch of the outer `if`.
    if holder.is(IfExprSyntax.self) { return isValue(holder) }
    guard holder.is(ExpressionStmtSyntax.self) else { return true }
    guard let item = holder.parent?.as(CodeBlockItemSyntax.self) else { return false }
    return item.isValue && node.hasNoReturn
  }
}

extension SyntaxProtocol {
  /// Whether the node is free of `return` statements of the function that contains it.
  ///
  /// An `if` or a `switch` with such a `return` is a statement, even as the only item.
  var hasNoReturn: Bool {
    let returns = ReturnFinder(viewMode: .sourceAccurate)
    returns.walk(Syntax(self))
    return !returns.found
  }
}

/// Finds a `return` of the function that contains a node.
private final class ReturnFinder: SyntaxVisitor {
  var found = false

  override func visit(_: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    found = true
    return .skipChildren
  }

  override func visit(_: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
