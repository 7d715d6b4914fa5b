internal import DiceNumerics

extension WeightFile {
  /// The values of a tensor, slowest dimension first, converted to `Float`; always finite.
  ///
  /// Conversions are exact but for int8, where the product of integer and scale is rounded once.
  ///
  /// - Precondition: `tensor` is in `0..<tensorCount`.
  /// - Complexity: O(number of values).
  public func floats(of tensor: Int) -> [Float] {
    let tensor = tensors[tensor]
    return unsafe [Float](unsafeUninitializedCapacity: tensor.elementCount) {
      (floats, count) in
      unsafe bytes.withUnsafeBytes { (file) in
        unsafe Self.convert(
          UnsafeRawBufferPointer(rebasing: file[tensor.byteRange]), of: tensor, into: floats)
      }
      count = tensor.elementCount
    }
  }

  /// Calls `body` with the stored bytes of a tensor, without copying them.
  ///
  /// The bytes are little-endian, in the layout of the tensor's storage.
  ///
  /// - Precondition: `tensor` is in `0..<tensorCount`.
  public func withBytes<Result, Failure: Error>(
    of tensor: Int, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = tensors[tensor].byteRange
    return try unsafe body(bytes.span.extracting(range).bytes)
  }

  /// Calls `body` with the values of a tensor.
  ///
  /// The values of a float32 tensor are not copied on little-endian machines; other storages are
  /// converted into a temporary array.
  ///
  /// - Precondition: `tensor` is in `0..<tensorCount`.
  public func withFloats<Result, Failure: Error>(
    of tensor: Int, _ body: (Span<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if _endian(little)
      if tensors[tensor].storage == .float32, isAligned {
        let range = tensors[tensor].byteRange
        return try unsafe bytes.withUnsafeBufferPointer {
          (file) throws(Failure) -> Result in
          let stored = unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[range]))
          return try unsafe body(Span<Float>(_unsafeBytes: stored))
        }
      }
    #endif
    return try body(floats(of: tensor).span)
  }

  /// Whether tensors lie in memory as they lie in the file: at multiples of a `Float`'s size.
  ///
  /// Arrays are allocated like that, but nothing promises it.
  private var isAligned: Bool {
    unsafe bytes.withUnsafeBytes { (file) in
      UInt(bitPattern: file.baseAddress) % UInt(MemoryLayout<Float>.alignment) == 0
    }
  }

  /// Converts stored bytes into all values of a tensor.
  private static func convert(
    _ stored: UnsafeRawBufferPointer, of tensor: WeightTensor,
    into floats: UnsafeMutableBufferPointer<Float>
  ) {
    let floats = unsafe UnsafeMutableBufferPointer(rebasing: floats[..<tensor.elementCount])
    if let number = tensor.storage.number {
      unsafe StoredNumbers.read(stored, as: number, into: floats)
    } else {
      let scales = unsafe scales(stored, of: tensor)
      unsafe StoredNumbers.read(
        UnsafeRawBufferPointer(rebasing: stored[(scales.count * 4)...]), scales: scales,
        into: floats)
    }
  }

  /// The scales of a tensor of integers, one for each channel.
  private static func scales(_ stored: UnsafeRawBufferPointer, of tensor: WeightTensor) -> [Float] {
    let channels = tensor.shape[tensor.shape.count - 1]
    return unsafe [Float](unsafeUninitializedCapacity: channels) { (scales, count) in
      unsafe StoredNumbers.read(
        UnsafeRawBufferPointer(rebasing: stored[..<(channels * 4)]), as: .float32,
        into: UnsafeMutableBufferPointer(rebasing: scales[..<channels]))
      count = channels
    }
  }

  /// Checks that every value of a tensor is finite and every int8 is in -127...127.
  static func checkValues(
    of tensor: WeightTensor, at index: Int, in bytes: [UInt8]
  ) throws(WeightFileError) {
    let failure: WeightFileError? = unsafe bytes.withUnsafeBytes { (file) in
      let stored = unsafe UnsafeRawBufferPointer(rebasing: file[tensor.byteRange])
      return unsafe Self.failure(in: stored, of: tensor, at: index)
    }
    if let failure { throw failure }
  }

  private static func failure(
    in stored: UnsafeRawBufferPointer, of tensor: WeightTensor, at index: Int
  ) -> WeightFileError? {
    if let number = tensor.storage.number {
      let element = unsafe StoredNumbers.firstNotFinite(stored, as: number)
      return element.map { (element) in .valueNotFinite(tensor: index, element: element) }
    }
    let scales = unsafe scales(stored, of: tensor)
    for (channel, scale) in scales.enumerated() {
      guard scale.sign == .plus, (scale * 127).isFinite else {
        return .quantizationScale(tensor: index, channel: channel, found: scale)
      }
    }
    let integers = unsafe UnsafeRawBufferPointer(rebasing: stored[(scales.count * 4)...])
    return unsafe StoredNumbers.firstLeastInteger(integers).map { (element) in
      .quantizedValue(tensor: index, element: element)
    }
  }
}

extension WeightStorage {
  /// How each value is stored; nil for integers, which share scales.
  var number: StoredNumber? {
    switch self {
    case .float32: .float32
    case .float16: .float16
    case .bfloat16: .bfloat16
    case .int8: nil
    }
  }
}
