/// What is wrong with the corpus, in one line.
package struct CorpusError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
