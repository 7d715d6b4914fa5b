internal import DiceWeights

/// Parts of what was put side by side before.
///
/// Loops keep a sequence by taking it apart and putting it together again in each step, with one position
/// replaced. Where that is followed, the steps' results are put side by side once.
extension GraphBuilder {
  /// What a value was put together of.
  struct Joint {
    var axis: Int
    var shape: [Int]
    var parts: [Value]
  }

  /// What the values that are put side by side consist of themselves.
  func joined(_ values: [Value], axis: Int) -> [Value] {
    guard let joints else { return values }
    return values.flatMap { (value) in
      if case .computed(let value) = value, let joint = joints[value.source], joint.axis == axis,
        joint.shape == value.shape
      {
        return joint.parts
      }
      return [value]
    }
  }

  /// Positions of a value that was put together, from its parts; nil where it was not.
  mutating func jointPart(
    _ value: Value, axis: Int, start: Int, count: Int
  ) throws(LoweringFault) -> Value? {
    guard case .computed(let whole) = value, let joint = joints?[whole.source],
      joint.axis == axis, joint.shape == whole.shape
    else { return nil }
    var found: [Value] = []
    var position = 0
    for part in joint.parts {
      let extent = part.shape?[axis] ?? 0
      let (from, to) = (max(start, position), min(start + count, position + extent))
      if from < to {
        found.append(
          to - from == extent
            ? part
            : try self.part(
              part, axis: axis, Bounds(begin: from - position, end: to - position, step: 1)))
      }
      position += extent
    }
    return found.count == 1 ? found[0] : try concatenated(found, axis: axis)
  }
}
