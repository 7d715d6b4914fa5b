/// Words of a command line.
package enum Arguments {
  /// The word behind an option.
  ///
  /// - Throws: `WrongArgument` where there is none.
  package static func value(of name: String, _ arguments: inout [String]) throws -> String {
    guard !arguments.isEmpty else { throw WrongArgument("\(name) needs a value") }
    return arguments.removeFirst()
  }

  /// A whole number from 1 to a million.
  ///
  /// - Throws: `WrongArgument` for everything else.
  package static func count(_ text: String, _ name: String) throws -> Int {
    guard let count = Int(text), (1...1_000_000).contains(count) else {
      throw WrongArgument("\(name) must be a whole number from 1 on, not \(text)")
    }
    return count
  }
}

/// A command line that is wrong.
package struct WrongArgument: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// A result that is not what it must be: nothing is timed then.
package struct WrongResult: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
