import Mutation

/// Returns the names of the mutants of a source, without their functions.
func names(_ source: String) -> [String] { schemata(source).mutants.map(\.name) }

func schemata(_ source: String, without left: Set<Schemata.Variant> = []) -> Schemata {
  Schemata(of: source, file: "A.swift", firstID: 1, firstBlock: 0) { left.contains($0) }
}
