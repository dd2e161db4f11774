internal import SwiftSyntax

/// A part of a source that is written once per mutant.
struct Body {
  enum Form {
    /// Statements, or the initial value of a property; a single expression may be returned.
    case statements(isReturned: Bool)
    case defaultArgument
  }

  let function: String
  let form: Form
  let node: Syntax
  /// The blocks inside the body that record when they are reached.
  var blocks: [CodeBlockItemListSyntax] = []
}

/// A visitor that finds the parts that can be mutated: the outermost bodies of functions, and initial values.
///
/// Types, attributes and the raw values of cases are skipped, because they cannot be selected at
/// run time.
final class BodyFinder: SyntaxAnyVisitor {
  private(set) var bodies: [Body] = []
  private var names: [String] = []

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if let name = node.typeName { names.append(name) }
    return .visitChildren
  }

  override func visitAnyPost(_ node: Syntax) { if node.typeName != nil { names.removeLast() } }

  private func name(_ last: String) -> String { (names + [last]).joined(separator: ".") }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name.text, node.signature.parameterClause, node.body)
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    add("init", node.signature.parameterClause, node.body)
  }

  private func add(
    _ start: String, _ clause: FunctionParameterClauseSyntax, _ body: CodeBlockSyntax?
  ) -> SyntaxVisitorContinueKind {
    let name = name(start + labels(clause))
    for value in clause.parameters.compactMap(\.defaultValue?.value) {
      bodies.append(Body(function: name, form: .defaultArgument, node: Syntax(value)))
    }
    if let body { add(body.statements, name) }
    return .skipChildren
  }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    accessors(node.accessorBlock, name("subscript" + labels(node.parameterClause)))
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      let name = name(binding.pattern.trimmedDescription)
      if let value = binding.initializer?.value {
        bodies.append(
          Body(function: name, form: .statements(isReturned: false), node: Syntax(value)))
      }
      accessors(binding.accessorBlock, name)
    }
    return .skipChildren
  }

  private func accessors(_ block: AccessorBlockSyntax?, _ name: String) {
    switch block?.accessors {
    case .getter(let statements): add(statements, name)
    case .accessors(let list):
      for accessor in list {
        guard let body = accessor.body else { continue }
        let specifier = accessor.accessorSpecifier.text
        add(body.statements, specifier == "get" ? name : "\(name).\(specifier)")
      }
    case nil: break
    }
  }

  private func labels(_ clause: FunctionParameterClauseSyntax) -> String {
    "(" + clause.parameters.map { "\($0.firstName.text):" }.joined() + ")"
  }

  private func add(_ statements: CodeBlockItemListSyntax, _ name: String) {
    guard let only = statements.first else { return }
    var isReturned = false
    if statements.count == 1, statements.givesValue {
      switch only.item {
      case .expr: isReturned = true
      case .stmt(let statement):
        if let branches = statement.as(ExpressionStmtSyntax.self) {
          isReturned = branches.expression.hasNoReturn
        }
      case .decl: break
      }
    }
    let blocks = BlockFinder(viewMode: .sourceAccurate)
    blocks.walk(statements)
    bodies.append(
      Body(
        function: name, form: .statements(isReturned: isReturned), node: Syntax(statements),
        blocks: blocks.blocks))
  }
}

/// A visitor that finds those blocks of a body that do not consist of a single value.
private final class BlockFinder: SyntaxVisitor {
  private(set) var blocks: [CodeBlockItemListSyntax] = []

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    // A note inside a single-expression closure could change its inferred type.
    let isClosure = node.parent?.is(ClosureExprSyntax.self) ?? false
    if !isClosure, !node.isEmpty, !(node.count == 1 && node.givesValue) { blocks.append(node) }
    return .visitChildren
  }
}

extension SyntaxProtocol {
  /// The name of the type that the node declares or extends; nil for other nodes.
  fileprivate var typeName: String? {
    if let extended = self.as(ExtensionDeclSyntax.self)?.extendedType {
      return extended.trimmedDescription
    }
    guard let group = asProtocol((any DeclGroupSyntax).self) else { return nil }
    return group.asProtocol((any NamedDeclSyntax).self)?.name.text
  }

  /// The range of bytes of the node, without surrounding white space and comments.
  var textRange: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }

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
  /// Whether this list, if it is one expression, is the enclosing body's value.
  ///
  /// The only expression in a closure counts as a value, because it may be one.
  var givesValue: Bool {
    guard let owner = parent else { return false }
    if owner.is(AccessorBlockSyntax.self) || owner.is(ClosureExprSyntax.self) { return true }
    if owner.is(SwitchCaseSyntax.self) { return owner.parent?.parent.map(Self.isValue) ?? false }
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
  /// Whether the node lacks a `return` of its own function; a `return` in an inner closure or function does not count.
  ///
  /// An `if` or a `switch` with such a `return` is a statement, even as the only item.
  var hasNoReturn: Bool {
    let returns = ReturnFinder(viewMode: .sourceAccurate)
    returns.walk(Syntax(self))
    return !returns.found
  }
}

/// A visitor that finds a `return` of the function that contains a node.
private final class ReturnFinder: SyntaxVisitor {
  var found = false

  override func visit(_: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    found = true
    return .skipChildren
  }

  override func visit(_: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
