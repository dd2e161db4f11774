internal import SwiftSyntax

/// A visitor that finds the mutants in a part of a source, in a syntax tree with folded operators.
final class MutantFinder: SyntaxVisitor {
  struct Edit {
    let mutationOperator: MutationOperator
    let range: Range<Int>
    let replacement: String
  }

  private let source: [UInt8]
  private(set) var edits: [Edit] = []

  init(source: String) {
    self.source = Array(source.utf8)
    super.init(viewMode: .sourceAccurate)
  }

  private static let exchanged: [String: [(MutationOperator, String)]] = [
    "+": [(.arithmetic, "-")], "-": [(.arithmetic, "+")], "*": [(.arithmetic, "/")],
    "/": [(.arithmetic, "*")], "%": [(.arithmetic, "*")], "+=": [(.arithmetic, "-=")],
    "-=": [(.arithmetic, "+=")], "*=": [(.arithmetic, "/=")], "/=": [(.arithmetic, "*=")],
    "&+": [(.arithmetic, "&-")], "&-": [(.arithmetic, "&+")],
    "<": [(.comparison, "<="), (.comparison, ">=")],
    "<=": [(.comparison, "<"), (.comparison, ">")],
    ">": [(.comparison, ">="), (.comparison, "<=")],
    ">=": [(.comparison, ">"), (.comparison, "<")], "==": [(.comparison, "!=")],
    "!=": [(.comparison, "==")], "&&": [(.boolean, "||")], "||": [(.boolean, "&&")],
    "..<": [(.range, "...")], "...": [(.range, "..<")],
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.is(AssignmentExprSyntax.self), node.isInInitialiser {
      // The target of an assignment must stay, or the initialiser does not compile.
      walk(node.rightOperand)
      return .skipChildren
    }
    guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .visitChildren
    }
    for (kind, other) in Self.exchanged[sign] ?? [] {
      // Parentheses preserve the operands, whatever the precedence of the new operator is.
      let text = "\(operand(node.leftOperand)) \(other) \(operand(node.rightOperand))"
      let isOperand = node.parent?.is(InfixOperatorExprSyntax.self) ?? false
      add(kind, node, isOperand ? "(\(text))" : text)
    }
    return .visitChildren
  }

  private func operand(_ node: ExprSyntax) -> String {
    let isOperation = node.is(InfixOperatorExprSyntax.self) || node.is(TernaryExprSyntax.self)
    return isOperation ? "(\(text(node)))" : text(node)
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    switch node.operator.text {
    case "-": add(.sign, node, text(node.expression))
    case "!": add(.boolean, node, text(node.expression))
    case "..<": add(.range, node, "...\(text(node.expression))")
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if let number = Int(node.literal.text.filter { $0 != "_" }) {
      add(.literal, node, "\(number + 1)")
      add(.literal, node, number == 0 ? "(-1)" : "\(number - 1)")
    }
    return .visitChildren
  }

  override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if let number = Double(node.literal.text.filter { $0 != "_" }) {
      for near in [number + 1, number - 1] {
        add(.literal, node, near < 0 ? "(\(near))" : "\(near)")
      }
    }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(.boolean, node, node.literal.text == "true" ? "false" : "true")
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let arguments = node.arguments.map { text($0.expression) }
    let labels = node.arguments.map { $0.label?.text }
    let member = node.calledExpression.as(MemberAccessExprSyntax.self)
    let called = node.calledExpression.as(DeclReferenceExprSyntax.self) ?? member?.declName
    guard let name = called?.baseName else { return .visitChildren }
    extremum(node, name, arguments)
    if member == nil, arguments.count == 1 {
      for other in Self.roundings[name.text] ?? [] { add(.rounding, name, other) }
    }
    if let base = member?.base {
      if name.text.hasPrefix("clamp"), labels == ["to"] { add(.clamp, node, text(base)) }
      if name.text == "rounded", labels == [nil] { rule(node.arguments.first?.expression) }
      if name.text == "rounded", labels.isEmpty {
        for other in ["down", "up"] { add(.rounding, node, "\(text(base)).rounded(.\(other))") }
      }
    }
    return .visitChildren
  }

  private static let roundings = [
    "floor": ["ceil", "round"], "ceil": ["floor", "round"], "round": ["floor", "ceil"],
  ]
  private static let rules = [
    "down": ["up", "toNearestOrAwayFromZero"], "up": ["down", "toNearestOrAwayFromZero"],
    "towardZero": ["awayFromZero", "toNearestOrAwayFromZero"],
    "toNearestOrAwayFromZero": ["down", "up", "toNearestOrEven"],
    "toNearestOrEven": ["down", "up", "toNearestOrAwayFromZero"],
  ]

  private func rule(_ argument: ExprSyntax?) {
    guard let name = argument?.as(MemberAccessExprSyntax.self)?.declName.baseName else { return }
    for other in Self.rules[name.text] ?? [] { add(.rounding, name, other) }
  }

  private static let extrema = [
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum",
  ]

  private func extremum(_ node: FunctionCallExprSyntax, _ name: TokenSyntax, _ arguments: [String])
  {
    guard let other = Self.extrema[name.text] else { return }
    add(.extremum, name, other)
    if arguments.count >= 2 { for argument in arguments { add(.clamp, node, "(\(argument))") } }
  }

  private static let axes: [String: String] = {
    let pairs = [
      ("x", "y"), ("width", "height"), ("minX", "minY"), ("maxX", "maxY"), ("midX", "midY"),
      ("across", "down"), ("columns", "rows"), ("column", "row"),
    ]
    return Dictionary(uniqueKeysWithValues: pairs + pairs.map { ($0.1, $0.0) })
  }()

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    // A member without a base is a case, such as the rounding rule `.down`.
    let isCase = node.parent?.as(MemberAccessExprSyntax.self).map { $0.base == nil } ?? false
    if let other = Self.axes[node.baseName.text], node.argumentNames == nil, !isCase {
      add(.axis, node.baseName, other)
    }
    return .visitChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    if isEffect(node), !node.isValue { add(.statement, node.item, "_ = ()") }
    return .visitChildren
  }

  /// Returns whether an item has an effect and may be left out.
  ///
  /// Initialisations stay, because without them an initialiser fails to compile with an error at another line.
  private func isEffect(_ node: CodeBlockItemSyntax) -> Bool {
    guard case .expr(var expression) = node.item else { return false }
    if let attempt = expression.as(TryExprSyntax.self) { expression = attempt.expression }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      let called = call.calledExpression.as(MemberAccessExprSyntax.self)
      return !node.isInInitialiser || called?.declName.baseName.text != "init"
    }
    guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
    if infix.operator.is(AssignmentExprSyntax.self) { return !node.isInInitialiser }
    let sign = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
    return sign.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(sign)
  }

  private func add(_ kind: MutationOperator, _ node: some SyntaxProtocol, _ replacement: String) {
    edits.append(Edit(mutationOperator: kind, range: node.textRange, replacement: replacement))
  }

  private func text(_ node: some SyntaxProtocol) -> String {
    String(decoding: source[node.textRange], as: UTF8.self)
  }
}
