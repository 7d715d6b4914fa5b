/// How the values of a tensor are stored in a weight file.
///
/// Raw values are the format's type codes.
public enum WeightStorage: UInt8, CaseIterable, Hashable, Sendable {
  /// IEEE 754 binary32, 4 bytes a value; exact.
  case float32 = 1
  /// IEEE 754 binary16, 2 bytes a value; magnitudes up to 65 504.
  case float16 = 2
  /// The upper half of a binary32, 2 bytes a value.
  case bfloat16 = 3
  /// An integer in -127...127 times a binary32 scale for each index of the last dimension.
  case int8 = 4

  /// The name used in documents and summaries: "float16".
  public var name: String {
    switch self {
    case .float32: "float32"
    case .float16: "float16"
    case .bfloat16: "bfloat16"
    case .int8: "int8"
    }
  }

  /// The bytes that hold a tensor of the given shape, or nil where the number is not an `Int`.
  package func byteCount(shape: [Int]) -> Int? {
    var count = 1
    for dimension in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
      if overflow { return nil }
      count = product
    }
    let (bytes, overflow): (Int, Bool)
    switch self {
    case .float32: (bytes, overflow) = count.multipliedReportingOverflow(by: 4)
    case .float16, .bfloat16: (bytes, overflow) = count.multipliedReportingOverflow(by: 2)
    case .int8: (bytes, overflow) = count.addingReportingOverflow((shape.last ?? 0) * 4)
    }
    return overflow ? nil : bytes
  }
}

/// Where and how a weight file keeps one tensor.
public struct WeightTensor: Hashable, Sendable {
  /// The dimensions, slowest first: `[KH, KW, I, O]` for weights, `[O]` for biases.
  public let shape: [Int]
  /// How the values are stored.
  public let storage: WeightStorage
  /// The bytes of the file that hold the tensor; the lower bound is a multiple of 64.
  public let byteRange: Range<Int>

  /// Groups the parts without checking them.
  package init(shape: [Int], storage: WeightStorage, byteRange: Range<Int>) {
    self.shape = shape
    self.storage = storage
    self.byteRange = byteRange
  }

  /// The number of values: the product of the dimensions.
  public var elementCount: Int {
    var count = 1
    for dimension in shape { count *= dimension }
    return count
  }
}
