public import Testing

/// Records an issue unless a value is the expected one.
///
/// It says what `#expect(value == expected)` says, without the text of the code. Of thousands of those
/// macros each takes some 50 ms to compile, and this takes next to none.
public func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if value == expected { return }
  let difference = "\(String(reflecting: value)) is not \(String(reflecting: expected))"
  let words = comment().map { ": " + $0.rawValue } ?? ""
  Issue.record(Comment(rawValue: difference + words), sourceLocation: sourceLocation)
}
