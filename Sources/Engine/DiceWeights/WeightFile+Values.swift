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
    let count = tensor.elementCount
    switch tensor.storage {
    case .float32:
      for index in 0..<count {
        unsafe floats[index] = Float(bitPattern: stored.word32(index &* 4))
      }
    case .float16:
      for index in 0..<count {
        unsafe floats[index] = HalfPrecision.float(float16: stored.word16(index &* 2))
      }
    case .bfloat16:
      for index in 0..<count {
        unsafe floats[index] = HalfPrecision.float(bfloat16: stored.word16(index &* 2))
      }
    case .int8:
      let channels = tensor.shape[tensor.shape.count - 1]
      let scales = (0..<channels).map { (channel) in
        unsafe Float(bitPattern: stored.word32(channel * 4))
      }
      unsafe scales.withUnsafeBufferPointer { (scales) in
        for first in stride(from: 0, to: count, by: channels) {
          for channel in 0..<channels {
            let integer = unsafe Int8(bitPattern: stored[channels * 4 &+ first &+ channel])
            unsafe floats[first &+ channel] = Float(integer) * scales[channel]
          }
        }
      }
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
    let count = tensor.elementCount
    var element: Int?
    switch tensor.storage {
    case .float32: element = unsafe firstInfinite32(stored, count)
    case .float16: element = unsafe firstInfinite16(stored, count, exponent: 0x7C00)
    case .bfloat16: element = unsafe firstInfinite16(stored, count, exponent: 0x7F80)
    case .int8:
      let channels = tensor.shape[tensor.shape.count - 1]
      for channel in 0..<channels {
        let scale = unsafe Float(bitPattern: stored.word32(channel * 4))
        guard scale.sign == .plus, (scale * 127).isFinite else {
          return .quantizationScale(tensor: index, channel: channel, found: scale)
        }
      }
      if let element = unsafe firstUnused8(stored, from: channels * 4, count) {
        return .quantizedValue(tensor: index, element: element)
      }
    }
    return element.map { (element) in .valueNotFinite(tensor: index, element: element) }
  }

  /// The index of the first of `count` integers of 8 bits that is -128.
  private static func firstUnused8(
    _ stored: UnsafeRawBufferPointer, from start: Int, _ count: Int
  ) -> Int? {
    // Counted without a branch, many at once.
    var found = 0
    for element in 0..<count { found &+= unsafe stored[start &+ element] == 0x80 ? 1 : 0 }
    guard found > 0 else { return nil }
    return (0..<count).first { (element) in unsafe stored[start + element] == 0x80 }
  }

  /// The index of the first of `count` 32-bit floats that is infinite or not a number.
  private static func firstInfinite32(_ stored: UnsafeRawBufferPointer, _ count: Int) -> Int? {
    // Adding 1 to an exponent of ones carries into the sign bit. Collecting the carries of all
    // values has no branch, so the usual answer comes at the speed of memory.
    var carries: UInt32 = 0
    for element in 0..<count {
      carries |= (unsafe stored.word32(element &* 4) & 0x7F80_0000) &+ 0x0080_0000
    }
    guard carries & 0x8000_0000 != 0 else { return nil }
    return (0..<count).first { (element) in
      unsafe stored.word32(element &* 4) & 0x7F80_0000 == 0x7F80_0000
    }
  }

  /// The index of the first of `count` 16-bit floats whose exponent has only ones.
  private static func firstInfinite16(
    _ stored: UnsafeRawBufferPointer, _ count: Int, exponent: UInt16
  ) -> Int? {
    let one = exponent & (0 &- exponent)
    var carries: UInt16 = 0
    for element in 0..<count {
      carries |= (unsafe stored.word16(element &* 2) & exponent) &+ one
    }
    guard carries & 0x8000 != 0 else { return nil }
    return (0..<count).first { (element) in
      unsafe stored.word16(element &* 2) & exponent == exponent
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian 32-bit word at a byte offset.
  @inline(__always)
  fileprivate func word32(_ offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The little-endian 16-bit word at a byte offset.
  @inline(__always)
  fileprivate func word16(_ offset: Int) -> UInt16 {
    unsafe UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
