internal import SwiftSyntax

/// A part of a source that is written once per mutant.
struct Body {
  /// The form in which the variants are written.
  enum Form {
    /// Statements; a single expression may be the returned value.
    case statements(isValue: Bool)
    /// The initial value of a property.
    case initialValue
    /// The default value of a parameter.
    case defaultArgument
  }

  let function: String
  let form: Form
  let node: Syntax
  /// The blocks inside it that record when they are reached.
  var blocks: [CodeBlockItemListSyntax] = []
}

/// Finds the parts that can be mutated: the outermost bodies of functions, and initial values.
///
/// Raw values of cases, types and attributes are skipped, because they cannot be selected at run time.
final class BodyFinder: SyntaxVisitor {
  private(set) var bodies: [Body] = []
  private var names: [String] = []
  private var depth = 0

  // MARK: Names

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text)
  }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription)
  }
  override func visitPost(_: StructDeclSyntax) { names.removeLast() }
  override func visitPost(_: EnumDeclSyntax) { names.removeLast() }
  override func visitPost(_: ClassDeclSyntax) { names.removeLast() }
  override func visitPost(_: ActorDeclSyntax) { names.removeLast() }
  override func visitPost(_: ProtocolDeclSyntax) { names.removeLast() }
  override func visitPost(_: ExtensionDeclSyntax) { names.removeLast() }

  private func enter(_ name: String) -> SyntaxVisitorContinueKind {
    names.append(name)
    return .visitChildren
  }

  private func name(_ last: String) -> String { (names + [last]).joined(separator: ".") }

  // MARK: Functions

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = name(node.name.text + labels(node.signature.parameterClause))
    defaults(of: node.signature.parameterClause, in: name)
    if let body = node.body { add(body.statements, name) }
    return .skipChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = name("init" + labels(node.signature.parameterClause))
    defaults(of: node.signature.parameterClause, in: name)
    if let body = node.body { add(body.statements, name) }
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
        bodies.append(Body(function: name, form: .initialValue, node: Syntax(value)))
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

  private func defaults(of clause: FunctionParameterClauseSyntax, in function: String) {
    for parameter in clause.parameters {
      if let value = parameter.defaultValue?.value {
        bodies.append(Body(function: function, form: .defaultArgument, node: Syntax(value)))
      }
    }
  }

  private func labels(_ clause: FunctionParameterClauseSyntax) -> String {
    "(" + clause.parameters.map { "\($0.firstName.text):" }.joined() + ")"
  }

  private func add(_ statements: CodeBlockItemListSyntax, _ name: String) {
    guard let only = statements.first else { return }
    var isValue = false
    if statements.count == 1, statements.givesValue {
      switch only.item {
      case .expr: isValue = true
      case .stmt(let statement):
        if let branches = statement.as(ExpressionStmtSyntax.self) {
          isValue = branches.expression.hasNoReturn
        }
      case .decl: break
      }
    }
    let blocks = BlockFinder(viewMode: .sourceAccurate)
    blocks.walk(statements)
    bodies.append(
      Body(
        function: name, form: .statements(isValue: isValue), node: Syntax(statements),
        blocks: blocks.blocks))
  }
}

/// Finds the blocks of a body whose statements are not a value.
private final class BlockFinder: SyntaxVisitor {
  private(set) var blocks: [CodeBlockItemListSyntax] = []

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    // It is unknown whether a closure may contain statements.
    let isClosure = node.parent?.is(ClosureExprSyntax.self) ?? false
    if !isClosure, !node.isEmpty, !(node.count == 1 && node.givesValue) { blocks.append(node) }
    return .visitChildren
  }
}
