internal import DiceNumerics
internal import DiceKernelTemplates
internal import DiceWeights

/// A part of what a run follows from: where it differs, a checkpoint is of another run.
public struct TrainingPart: Hashable, Sendable {
  /// What it is, to go on after "other": `labels in set.json`.
  public var name: String
  /// A number that changes with it.
  public var fingerprint: UInt64

  /// A part with its fingerprint.
  public init(_ name: String, fingerprint: UInt64) {
    self.name = name
    self.fingerprint = fingerprint
  }

  /// A part that follows from a text.
  init(_ name: String, of text: String) {
    self.init(name, fingerprint: XXHash64.hash(Array(text.utf8)))
  }
}

/// The format of checkpoints.
///
/// Layout, little-endian, all but the floats words of 8 bytes: `DVCHECK2`; the number of parts and the
/// fingerprint of each; the number of the caller's notes and each of them, a `Double`; the step; the
/// number of floats; the floats: values, both moments, averages, then the statistics of each
/// normalisation; XXH64 of all that.
package enum TrainingCheckpoint {
  /// The first bytes.
  package static let magic = [UInt8]("DVCHECK2".utf8)
  /// The first bytes of files that earlier versions wrote.
  static let earlierMagic = [UInt8]("DVCHECK1".utf8)
  /// The most notes.
  static let noteLimit = 64
}

extension Trainer {
  /// All statistics that are kept beside the learnt values.
  private var statistics: [FloatBuffer] { network.operations.compactMap(\.statistics) }

  /// Everything that a run needs to go on as if it had not been interrupted.
  ///
  /// - Parameter notes: up to 64 numbers of the caller's, which `resume(from:)` gives back.
  /// - Precondition: there are at most 64 notes.
  public func checkpoint(notes: [Double] = []) -> [UInt8] {
    precondition(notes.count <= TrainingCheckpoint.noteLimit, "a checkpoint holds up to 64 notes")
    var floats: [Float] = []
    let store = network.store
    for row in [store.values, store.firstMoment, store.secondMoment, store.averaged] {
      floats += row.floats(0..<row.count)
    }
    for row in statistics { floats += row.floats(0..<row.count) }
    var bytes = TrainingCheckpoint.magic
    bytes.reserveCapacity(48 + 8 * (parts.count + notes.count) + floats.count * 4)
    func append(_ word: UInt64) {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }
    append(UInt64(parts.count))
    for part in parts { append(part.fingerprint) }
    append(UInt64(notes.count))
    for note in notes { append(note.bitPattern) }
    append(UInt64(step))
    append(UInt64(floats.count))
    for value in floats {
      let bits = value.bitPattern
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt32(shift)))) }
    }
    append(XXHash64.hash(bytes))
    return bytes
  }

  /// Takes up a run where `checkpoint(notes:)` left it.
  ///
  /// - Returns: the notes.
  /// - Throws: `TrainingError.checkpointDamaged` where bytes are missing or changed,
  ///   `TrainingError.checkpointMismatch` with the parts that differ; the trainer then stays as it
  ///   was.
  @discardableResult
  public func resume(from bytes: [UInt8]) throws(TrainingError) -> [Double] {
    guard bytes.count >= 48 else {
      throw .checkpointDamaged(reason: "it has \(bytes.count) bytes, at least 48 are required")
    }
    if bytes.starts(with: TrainingCheckpoint.earlierMagic) {
      throw .checkpointDamaged(reason: "an earlier version wrote it")
    }
    guard bytes.starts(with: TrainingCheckpoint.magic) else {
      throw .checkpointDamaged(reason: "it does not begin with DVCHECK2")
    }
    var words = CheckpointWords(bytes)
    guard XXHash64.hash(Array(bytes.dropLast(8))) == words.last else {
      throw .checkpointDamaged(reason: "its checksum does not match")
    }
    try check(try words.next(), fingerprints: &words)
    let noteCount = try words.next()
    guard noteCount <= UInt64(TrainingCheckpoint.noteLimit) else {
      throw .checkpointDamaged(reason: "it holds \(noteCount) notes, at most 64 are allowed")
    }
    var notes: [Double] = []
    for _ in 0..<noteCount { notes.append(Double(bitPattern: try words.next())) }
    let step = try words.next()
    let store = network.store
    let count = 4 * store.count + statistics.reduce(0) { $0 + $1.count }
    let found = try words.next()
    guard found == UInt64(count), bytes.count == words.offset + 4 * count + 8 else {
      throw .checkpointDamaged(reason: "it holds \(found) numbers, \(count) are required")
    }
    guard step <= UInt64(options.stepCount) else {
      throw .checkpointDamaged(reason: "its step \(step) lies behind the end of the run")
    }
    let floats = words.floats(count)
    var offset = 0
    func take(_ buffer: FloatBuffer) {
      buffer.write(Array(floats[offset..<offset + buffer.count]), at: 0)
      offset += buffer.count
    }
    for row in [store.values, store.firstMoment, store.secondMoment, store.averaged] { take(row) }
    for row in statistics { take(row) }
    self.step = Int(step)
    return notes
  }

  /// Refuses a checkpoint of another run, and names what differs.
  private func check(
    _ count: UInt64, fingerprints words: inout CheckpointWords
  ) throws(TrainingError) {
    guard count == UInt64(parts.count) else {
      throw .checkpointMismatch(found: "a run from another number of sets", required: "this run")
    }
    var others: [String] = []
    for part in parts {
      let fingerprint = try words.next()
      if fingerprint != part.fingerprint { others.append(part.name) }
    }
    guard let last = others.last else { return }
    let first = others.dropLast().joined(separator: ", ")
    throw .checkpointMismatch(
      found: "a run with other \(first.isEmpty ? "" : "\(first) and ")\(last)",
      required: "this run")
  }
}

/// The words of a checkpoint, one after another.
private struct CheckpointWords {
  private let bytes: [UInt8]
  /// Where the next one stands; the magic is passed over.
  private(set) var offset = TrainingCheckpoint.magic.count

  /// - Precondition: there are at least 8 bytes.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The last one, the checksum.
  var last: UInt64 { word(at: bytes.count - 8) }

  /// The next one.
  mutating func next() throws(TrainingError) -> UInt64 {
    guard offset + 16 <= bytes.count else {
      throw .checkpointDamaged(reason: "it ends after \(bytes.count) bytes")
    }
    defer { offset += 8 }
    return word(at: offset)
  }

  /// The floats that come next; there are as many.
  func floats(_ count: Int) -> [Float] {
    (0..<count).map { index in
      var bits: UInt32 = 0
      let place = offset + 4 * index
      for shift in 0..<4 { bits |= UInt32(bytes[place + shift]) << (8 * UInt32(shift)) }
      return Float(bitPattern: bits)
    }
  }

  private func word(at offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
  }
}
