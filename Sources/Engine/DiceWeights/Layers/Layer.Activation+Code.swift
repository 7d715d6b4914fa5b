extension Layer.Activation {
  /// The function's code in a weight file.
  var code: UInt8 {
    switch self {
    case .identity: 0
    case .leakyReLU: 1
    case .parametricReLU: 2
    case .clamp: 3
    case .sigmoid: 4
    case .hardSigmoid: 5
    case .silu: 6
    case .hardSwish: 7
    case .tanh: 8
    case .gelu: 9
    case .elu: 10
    case .softplus: 11
    case .linear: 12
    case .exponential: 13
    case .logarithm: 14
    case .squareRoot: 15
    case .reciprocal: 16
    case .absolute: 17
    case .power: 18
    case .floor: 19
    case .errorFunction: 20
    case .requantization(_, let isRoundedOnce): isRoundedOnce ? 22 : 21
    case .table: 23
    }
  }

  /// The function with a code that has a tensor in place of numbers; nil where the code is no such function's.
  ///
  /// What computes with whole numbers is not read in a browser, which is spared its size.
  init?(code: UInt8, tensor: Int) {
    #if arch(wasm32)
      if code != 2 { return nil }
    #endif
    switch code {
    case 2: self = .parametricReLU(slopes: tensor)
    case 21: self = .requantization(multipliers: tensor)
    case 22: self = .requantization(multipliers: tensor, isRoundedOnce: true)
    case 23: self = .table(numbers: tensor)
    default: return nil
    }
  }

  /// How many numbers belong to the function with a code; 0 where there is none.
  static func numberCount(ofCode code: UInt8) -> Int {
    switch code {
    case 1, 10, 14, 18: 1
    case 3, 5, 12: 2
    default: 0
    }
  }

  /// The function with a code and its numbers, of those that have no tensor; nil where there is no such code
  /// or another number of numbers belongs to it.
  init?(code: UInt8, _ numbers: [Float]) {
    switch (code, numbers.count) {
    case (0, 0): self = .identity
    case (1, 1): self = .leakyReLU(slope: numbers[0])
    case (3, 2): self = .clamp(lower: numbers[0], upper: numbers[1])
    case (4, 0): self = .sigmoid
    case (5, 2): self = .hardSigmoid(scale: numbers[0], offset: numbers[1])
    case (6, 0): self = .silu
    case (7, 0): self = .hardSwish
    case (8, 0): self = .tanh
    case (9, 0): self = .gelu
    case (10, 1): self = .elu(alpha: numbers[0])
    case (11, 0): self = .softplus
    case (12, 2): self = .linear(scale: numbers[0], offset: numbers[1])
    case (13, 0): self = .exponential
    case (14, 1): self = .logarithm(lower: numbers[0])
    case (15, 0): self = .squareRoot
    case (16, 0): self = .reciprocal
    case (17, 0): self = .absolute
    case (18, 1): self = .power(exponent: numbers[0])
    case (19, 0): self = .floor
    case (20, 0): self = .errorFunction
    default: return nil
    }
  }
}
