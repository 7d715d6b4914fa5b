package import DiceCommandLine

/// Prepares a detector.
package struct FinderMaker {
  /// Prepares a detector by options.
  package let make: (FinderOptions) throws(ToolError) -> any DieFinder

  /// A maker of detectors.
  package init(_ make: @escaping (FinderOptions) throws(ToolError) -> any DieFinder) {
    self.make = make
  }
}

extension Environment {
  /// Prepares a detector: the library's, or another program's, as the weights want it.
  package func makeFinder(_ options: FinderOptions) throws(ToolError) -> any DieFinder {
    if let maker = finderMaker as? FinderMaker { return try maker.make(options) }
    if let finder = try ObjectFinder(options) { return finder }
    return try DetectorFinder(options)
  }
}
