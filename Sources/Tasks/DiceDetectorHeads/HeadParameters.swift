internal import DiceWeights

/// The numbers of a head, checked as they are read.
struct HeadParameters {
  let output: String
  let head: NetworkHead

  /// All numbers of a name, nil where there are none.
  func list(_ name: StaticString) -> [Float]? { head.parameters.values(named: name) }

  /// One number of a range.
  func number(
    _ name: StaticString, in range: ClosedRange<Float>, default usual: Float
  ) throws(DetectorHeadError) -> Float {
    guard let values = list(name) else { return usual }
    guard values.count == 1, range.contains(values[0]) else {
      throw fault(name, "one number in \(range.lowerBound)...\(range.upperBound)")
    }
    return values[0]
  }

  /// One whole number of a range.
  func integer(
    _ name: StaticString, in range: ClosedRange<Int>, default usual: Int
  ) throws(DetectorHeadError) -> Int {
    guard let values = list(name) else { return usual }
    guard values.count == 1, let number = Int(exactly: values[0]), range.contains(number) else {
      throw fault(name, "one whole number in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  /// Whether a number is 1; it must be 0 or 1.
  func flag(_ name: StaticString, default usual: Bool = false) throws(DetectorHeadError) -> Bool {
    try integer(name, in: 0...1, default: usual ? 1 : 0) == 1
  }

  /// The value of an enumeration whose code a number is.
  func code<Code: RawRepresentable & CaseIterable>(
    _ name: StaticString, default usual: Code
  ) throws(DetectorHeadError) -> Code where Code.RawValue == Int {
    let last = Code.allCases.map { $0.rawValue }.max() ?? 0
    return Code(rawValue: try integer(name, in: 0...last, default: usual.rawValue)) ?? usual
  }

  /// Finite numbers above 0.
  func positive(
    _ name: StaticString, counts: ClosedRange<Int>, required: String
  ) throws(DetectorHeadError) -> [Float] {
    guard let values = list(name), counts.contains(values.count),
      values.allSatisfy({ $0 > 0 && $0.isFinite })
    else { throw fault(name, required) }
    return values
  }

  func fault(_ name: StaticString, _ rule: String) -> DetectorHeadError {
    .parameter(output: output, name: name.description, rule: rule)
  }
}
