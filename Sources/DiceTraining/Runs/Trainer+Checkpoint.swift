internal import DiceKernelTemplates
internal import DiceWeights

extension Trainer {
  private static var magic: [UInt8] { Array("DVCHECK1".utf8) }

  /// All statistics that are kept beside the learnt values.
  private var statistics: [FloatBuffer] { network.operations.compactMap(\.statistics) }

  /// Everything that a run needs to go on as if it had not been interrupted.
  ///
  /// Layout, little-endian: `DVCHECK1`; the fingerprint of network, options and task, 8 bytes; the
  /// step, 8 bytes; the number of floats, 8 bytes; the floats: values, both moments, averages, then
  /// the statistics of each normalisation; XXH64 of all that, 8 bytes.
  public func checkpoint() -> [UInt8] {
    var floats: [Float] = []
    let store = network.store
    for row in [store.values, store.firstMoment, store.secondMoment, store.averaged] {
      floats += row.floats(0..<row.count)
    }
    for row in statistics { floats += row.floats(0..<row.count) }
    var bytes = Self.magic
    bytes.reserveCapacity(40 + floats.count * 4)
    func append(_ word: UInt64) {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }
    append(fingerprint)
    append(UInt64(step))
    append(UInt64(floats.count))
    for value in floats {
      let bits = value.bitPattern
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt32(shift)))) }
    }
    append(XXHash64.hash(bytes))
    return bytes
  }

  /// Takes up a run where `checkpoint()` left it.
  ///
  /// - Throws: `TrainingError.checkpointDamaged` where bytes are missing or changed,
  ///   `TrainingError.checkpointMismatch` where the network, options or seed differ.
  public func resume(from bytes: [UInt8]) throws(TrainingError) {
    guard bytes.count >= 40 else {
      throw .checkpointDamaged(reason: "it has \(bytes.count) bytes, at least 40 are required")
    }
    guard bytes.prefix(8).elementsEqual(Self.magic) else {
      throw .checkpointDamaged(reason: "it does not begin with DVCHECK1")
    }
    func word(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }
    guard XXHash64.hash(Array(bytes.dropLast(8))) == word(bytes.count - 8) else {
      throw .checkpointDamaged(reason: "its checksum does not match")
    }
    guard word(8) == fingerprint else {
      throw .checkpointMismatch(
        found: "a run with other options (\(hexadecimal(word(8))))",
        required: "this run (\(hexadecimal(fingerprint)))")
    }
    let store = network.store
    let statisticCount = statistics.reduce(0) { $0 + $1.count }
    let count = 4 * store.count + statisticCount
    guard word(24) == UInt64(count), bytes.count == 40 + 4 * count else {
      throw .checkpointDamaged(reason: "it holds \(word(24)) numbers, \(count) are required")
    }
    guard word(16) <= UInt64(options.stepCount) else {
      throw .checkpointDamaged(reason: "its step \(word(16)) lies behind the end of the run")
    }
    var floats = [Float](repeating: 0, count: count)
    for index in 0..<count {
      var bits: UInt32 = 0
      for shift in 0..<4 { bits |= UInt32(bytes[32 + 4 * index + shift]) << (8 * UInt32(shift)) }
      floats[index] = Float(bitPattern: bits)
    }
    var offset = 0
    func take(_ buffer: FloatBuffer) {
      buffer.write(Array(floats[offset..<offset + buffer.count]), at: 0)
      offset += buffer.count
    }
    for row in [store.values, store.firstMoment, store.secondMoment, store.averaged] { take(row) }
    for row in statistics { take(row) }
    step = Int(word(16))
  }

  private func hexadecimal(_ word: UInt64) -> String { String(word, radix: 16) }
}
