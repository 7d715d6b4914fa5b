/// The numbers of a darknet weight file, in the order of the layers.
///
/// Source: `load_weights_upto` in darknet's `parser.c`.
struct DarknetWeights {
  private let bytes: [UInt8]
  private var offset: Int
  /// The version that the header states.
  let version: String

  init(_ bytes: [UInt8]) throws(ModelImportError) {
    let place = "The weights"
    func integer(_ offset: Int) -> Int {
      Int(
        Int32(
          truncatingIfNeeded: (0..<4).reduce(0) { (word, index) in
            word | Int(bytes[offset + index]) << (8 * index)
          }))
    }
    guard bytes.count >= 12 else {
      throw .invalid(place: place, rule: "The file ends within its header.")
    }
    let (major, minor, revision) = (integer(0), integer(4), integer(8))
    guard (0...999).contains(major), (0...999).contains(minor) else {
      throw .invalid(
        place: place, rule: "The header states version \(major).\(minor), which is not known.")
    }
    // The number of pictures seen has eight bytes from version 0.2 on.
    let headerByteCount = major * 10 + minor >= 2 ? 20 : 16
    guard bytes.count >= headerByteCount else {
      throw .invalid(place: place, rule: "The file ends within its header.")
    }
    self.bytes = bytes
    version = "\(major).\(minor).\(revision)"
    offset = headerByteCount
  }

  /// The next numbers, as many as a shape has positions.
  mutating func floats(of shape: [Int]) throws(LoweringFault) -> [Float] {
    let count = shape.reduce(1) { (product, extent) in
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      return overflow ? .max : next
    }
    return try floats(count)
  }

  /// The next numbers.
  mutating func floats(_ count: Int) throws(LoweringFault) -> [Float] {
    guard count <= (bytes.count - offset) / 4 else {
      throw .invalid(
        "The weights end \(count - (bytes.count - offset) / 4) numbers before the layer's last one."
      )
    }
    var floats: [Float] = []
    floats.reserveCapacity(count)
    for index in 0..<count {
      let place = offset + index * 4
      let word =
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
        | UInt32(bytes[place + 3]) << 24
      floats.append(Float(bitPattern: word))
    }
    offset += count * 4
    return floats
  }

  /// Bytes that no layer has taken.
  var unusedByteCount: Int { bytes.count - offset }
}
