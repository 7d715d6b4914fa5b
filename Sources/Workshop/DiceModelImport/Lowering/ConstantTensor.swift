internal import DiceDetectorHeads

/// Numbers that are known before a network runs: a model's weights, and what follows from shapes.
struct ConstantTensor: Hashable, Sendable {
  /// The numbers, in row-major order.
  enum Numbers: Hashable, Sendable {
    case floats([Float])
    case integers([Int])

    /// So many numbers, with these at some places and 0 elsewhere.
    func spread(to places: [Int], of count: Int) -> Numbers {
      switch self {
      case .floats(let numbers):
        var all = [Float](repeating: 0, count: count)
        for (place, number) in zip(places, numbers) { all[place] = number }
        return .floats(all)
      case .integers(let numbers):
        var all = [Int](repeating: 0, count: count)
        for (place, number) in zip(places, numbers) { all[place] = number }
        return .integers(all)
      }
    }
  }

  /// The extents of the axes; none for a single number.
  let shape: [Int]
  /// As many numbers as the product of the extents.
  let numbers: Numbers

  /// - Precondition: The counts agree.
  init(shape: [Int], _ numbers: Numbers) {
    self.shape = shape
    self.numbers = numbers
    precondition(count == shape.reduce(1, *), "a number for each position")
  }

  init(shape: [Int], floats: [Float]) { self.init(shape: shape, .floats(floats)) }

  init(shape: [Int], integers: [Int]) { self.init(shape: shape, .integers(integers)) }

  /// A vector of integers: a shape.
  init(_ integers: [Int]) { self.init(shape: [integers.count], .integers(integers)) }

  /// How many numbers there are.
  var count: Int {
    switch numbers {
    case .floats(let floats): floats.count
    case .integers(let integers): integers.count
    }
  }

  /// Whether the numbers are integers.
  var isInteger: Bool {
    if case .integers = numbers { return true }
    return false
  }

  /// The numbers as floats.
  var floats: [Float] {
    switch numbers {
    case .floats(let floats): floats
    case .integers(let integers): integers.map { Float($0) }
    }
  }

  /// The numbers as integers; nil where they are floats.
  var integers: [Int]? {
    if case .integers(let integers) = numbers { return integers }
    return nil
  }

  /// The numbers as integers, those behind a point being left out.
  ///
  /// - Parameter name: What they are, for an error.
  func wholeNumbers(_ name: String) throws(LoweringFault) -> [Int] {
    if let integers {
      for integer in integers where integer.magnitude > 1 << 40 {
        throw .invalid("Its \(name) has the number \(integer).")
      }
      return integers
    }
    var integers: [Int] = []
    for number in floats {
      guard let integer = Int(exactly: number.rounded(.towardZero)), integer.magnitude <= 1 << 40
      else {
        throw .invalid("Its \(name) has the number \(number).")
      }
      integers.append(integer)
    }
    return integers
  }

  /// The only number, or nil where there are more or fewer.
  var scalar: Float? { count == 1 ? floats[0] : nil }

  /// The same numbers in another shape.
  ///
  /// - Precondition: It has as many positions.
  func reshaped(to shape: [Int]) -> ConstantTensor { ConstantTensor(shape: shape, numbers) }

  /// The numbers at some places, in a new shape.
  func gathered(_ places: [Int], shape: [Int]) -> ConstantTensor {
    switch numbers {
    case .floats(let floats):
      ConstantTensor(shape: shape, floats: places.map { (place) in floats[place] })
    case .integers(let integers):
      ConstantTensor(shape: shape, integers: places.map { (place) in integers[place] })
    }
  }

  /// How far apart positions of each axis lie.
  static func strides(of shape: [Int]) -> [Int] { TensorWalk.strides(of: shape) }

  /// The place of each position of a walk through axes of some extents, the last one fastest.
  static func walk(_ extents: [Int], strides: [Int], from start: Int = 0) -> [Int] {
    TensorWalk.places(extents, strides: strides, from: start)
  }

  /// The tensor with its axes in another order.
  func transposed(_ permutation: [Int]) -> ConstantTensor {
    let strides = Self.strides(of: shape)
    let extents = permutation.map { (axis) in shape[axis] }
    let places = Self.walk(extents, strides: permutation.map { (axis) in strides[axis] })
    return gathered(places, shape: extents)
  }

  /// The tensor repeated along axes of extent 1, and along new ones in front.
  ///
  /// - Precondition: Extents are the same or 1.
  func broadcast(to target: [Int]) -> ConstantTensor {
    guard target != shape else { return self }
    let own = [Int](repeating: 1, count: target.count - shape.count) + shape
    let strides = zip(own, Self.strides(of: own)).map { (extent, stride) in
      extent == 1 ? 0 : stride
    }
    return gathered(Self.walk(target, strides: strides), shape: target)
  }

  /// The shape of two tensors combined number by number, or nil where they do not fit.
  static func broadcastShape(_ first: [Int], _ second: [Int]) -> [Int]? {
    let rank = max(first.count, second.count)
    let first = [Int](repeating: 1, count: rank - first.count) + first
    let second = [Int](repeating: 1, count: rank - second.count) + second
    var shape: [Int] = []
    for (first, second) in zip(first, second) {
      guard first == second || first == 1 || second == 1 else { return nil }
      shape.append(first == 1 ? second : first)
    }
    return shape
  }
}
