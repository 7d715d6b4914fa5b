// What translated tests ask of Swift Testing.

@safe nonisolated(unsafe) private var testCount = 0
@safe nonisolated(unsafe) private var expectationCount = 0
@safe nonisolated(unsafe) private var failureCount = 0

/// Runs a test.
func test(_ name: StaticString, _ body: () -> Void) {
  let (expectations, failures) = (expectationCount, failureCount)
  body()
  testCount += 1
  // A test that expects nothing has lost its cases.
  if expectationCount == expectations { fail("\(name): nothing was expected") }
  if failureCount > failures { print("\(name) failed") }
}

/// `#expect` of a condition.
func expect(
  _ condition: Bool, _ note: @autoclosure () -> Note = "", file: StaticString = #fileID,
  line: UInt = #line
) {
  expectationCount += 1
  if !condition { fail("\(file):\(line): \(note().text)") }
}

/// `expectEqual` of the tests' own support.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ note: @autoclosure () -> Note = "",
  file: StaticString = #fileID, line: UInt = #line
) {
  expect(value == expected, note(), file: file, line: line)
}

/// `#require` of a condition.
func require(
  _ condition: Bool, _ note: @autoclosure () -> Note = "", file: StaticString = #fileID,
  line: UInt = #line
) {
  expect(condition, note(), file: file, line: line)
  if !condition { finish() }
}

/// `#require` of a value.
func require<Value>(
  _ value: Value?, _ note: @autoclosure () -> Note = "", file: StaticString = #fileID,
  line: UInt = #line
) -> Value {
  expect(value != nil, note(), file: file, line: line)
  guard let value else { finish() }
  return value
}

/// Tells of a failure; the first hundred are enough to see what is wrong.
private func fail(_ note: Note) {
  failureCount += 1
  if failureCount <= 100 { print(note.text) }
}

/// Says what was found, and ends the program.
func finish() -> Never {
  print("\(testCount) tests, \(expectationCount) expectations, \(failureCount) failures")
  exitProgram(failureCount == 0 && testCount > 0 ? 0 : 1)
}

/// Where a test failed.
///
/// Embedded Swift describes only what says how: other values are left out.
struct Note: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: StaticString) { text += value.description }

    mutating func appendInterpolation<Value: CustomStringConvertible>(_ value: Value) {
      text += value.description
    }

    mutating func appendInterpolation<Value>(_ value: Value) { text += "…" }
  }

  let text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}
