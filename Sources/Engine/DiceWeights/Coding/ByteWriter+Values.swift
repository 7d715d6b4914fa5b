extension ByteWriter {
  /// Writes the values of one tensor.
  ///
  /// - Precondition: `values` has as many values as `shape` has positions.
  mutating func values(
    _ values: [Float], _ shape: [Int], _ storage: WeightStorage, tensor: Int
  ) throws(WeightFileError) {
    for (element, value) in values.enumerated() where !value.isFinite {
      throw .valueNotFinite(tensor: tensor, element: element)
    }
    switch storage {
    case .float32:
      for value in values { append(UInt64(value.bitPattern), 4) }
    case .float16:
      for (element, value) in values.enumerated() {
        let bits = HalfPrecision.float16(value)
        if bits & 0x7C00 == 0x7C00 {
          throw .valueTooLarge(
            tensor: tensor, element: element, found: value, storage: storage)
        }
        append(UInt64(bits), 2)
      }
    case .bfloat16:
      for (element, value) in values.enumerated() {
        let bits = HalfPrecision.bfloat16(value)
        if bits & 0x7F80 == 0x7F80 {
          throw .valueTooLarge(
            tensor: tensor, element: element, found: value, storage: storage)
        }
        append(UInt64(bits), 2)
      }
    case .int8: quantize(values, channels: shape[shape.count - 1])
    }
  }

  /// Writes a scale for each channel, then an integer in -127...127 for each value.
  private mutating func quantize(_ values: [Float], channels: Int) {
    var scales = [Float](repeating: 0, count: channels)
    var channel = 0
    for value in values {
      scales[channel] = max(scales[channel], value.magnitude)
      channel = channel + 1 == channels ? 0 : channel + 1
    }
    for channel in 0..<channels {
      scales[channel] /= 127
      // The division may round up so far that 127 times the scale is infinite.
      if !(scales[channel] * 127).isFinite { scales[channel] = scales[channel].nextDown }
      append(UInt64(scales[channel].bitPattern), 4)
    }
    channel = 0
    for value in values {
      let scale = scales[channel]
      let quotient = scale == 0 ? 0 : max(-127, min(127, value / scale))
      // Adding 1.5 * 2^23 leaves no bits below 1: the sum rounds to nearest, ties to even.
      let rounded = (quotient + 12_582_912) - 12_582_912
      append(UInt64(UInt8(bitPattern: Int8(rounded))), 1)
      channel = channel + 1 == channels ? 0 : channel + 1
    }
  }
}
