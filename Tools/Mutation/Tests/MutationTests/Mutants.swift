import Mutation

/// The mutants of a source, as a report names them without their function.
func names(_ source: String) -> [String] { schemata(source).mutants.map(\.name) }

func schemata(_ source: String, without left: Set<Schemata.Variant> = []) -> Schemata {
  Schemata(of: source, file: "A.swift", firstID: 1, firstBlock: 0) { left.contains($0) }
}
