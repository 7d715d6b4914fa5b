internal import DiceNumerics

extension ByteWriter {
  /// Writes the values of one tensor.
  ///
  /// - Precondition: `values` has as many values as `shape` has positions.
  mutating func values(
    _ values: [Float], _ shape: [Int], _ storage: WeightStorage, tensor: Int
  ) throws(WeightFileError) {
    let infinite = unsafe values.withUnsafeBytes { (bytes) in
      unsafe StoredNumbers.firstNotFinite(bytes, as: .float32)
    }
    if let infinite { throw .valueNotFinite(tensor: tensor, element: infinite) }
    if let number = storage.number {
      if let element = append(values, as: number) {
        throw .valueTooLarge(
          tensor: tensor, element: element, found: values[element], storage: storage)
      }
    } else {
      quantize(values, channels: shape[shape.count - 1])
    }
  }

  /// Writes a scale for each channel, and the integers nearest to the quotients by it.
  private mutating func quantize(_ values: [Float], channels: Int) {
    let scales = StoredNumbers.greatestMagnitudes(values, channels: channels).map { (greatest) in
      let scale = greatest / 127
      // The division may round up so far that 127 times the scale is infinite.
      return (scale * 127).isFinite ? scale : scale.nextDown
    }
    _ = append(scales, as: .float32)
    append(values, scales: scales)
  }
}
