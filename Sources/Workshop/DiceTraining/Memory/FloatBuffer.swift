internal import DiceKernelTemplates
internal import DiceKernels

/// Zeroed floats with a fixed address, aligned to 64 bytes.
@safe final class FloatBuffer {
  /// The number of floats.
  let count: Int
  /// The first float.
  let address: Address

  private let pointer: UnsafeMutablePointer<Float>

  init(count: Int) {
    precondition(count >= 0, "a buffer has no negative size")
    self.count = count
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: max(64, count * MemoryLayout<Float>.stride), alignment: 64)
    unsafe pointer = raw.bindMemory(to: Float.self, capacity: max(16, count))
    unsafe pointer.initialize(repeating: 0, count: count)
    address = unsafe Address(pointer)
  }

  /// Floats that nothing relies on before they are written.
  convenience init(unsetCount count: Int) {
    self.init(count: count)
    refresh(0..<count)
  }

  /// Sets a range to what memory holds at first that nothing relies on.
  func refresh(_ range: Range<Int>) {
    guard FreshMemory.pattern != 0 else { return }
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the buffer")
    unsafe (pointer + range.lowerBound).update(
      repeating: Float(bitPattern: FreshMemory.pattern), count: range.count)
  }

  deinit { unsafe UnsafeMutableRawPointer(pointer).deallocate() }

  /// One float; traps outside `0..<count`.
  subscript(index: Int) -> Float {
    get {
      precondition(index >= 0 && index < count, "index outside the buffer")
      return unsafe pointer[index]
    }
    set {
      precondition(index >= 0 && index < count, "index outside the buffer")
      unsafe pointer[index] = newValue
    }
  }

  /// Sets a range to zero.
  func clear(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the buffer")
    unsafe (pointer + range.lowerBound).update(repeating: 0, count: range.count)
  }

  /// The floats of a range.
  func floats(_ range: Range<Int>) -> [Float] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the buffer")
    return unsafe Array(UnsafeBufferPointer(start: pointer + range.lowerBound, count: range.count))
  }

  /// Writes floats from `offset` on.
  func write(_ floats: [Float], at offset: Int) {
    precondition(offset >= 0 && floats.count <= count - offset, "range outside the buffer")
    for (index, value) in floats.enumerated() { unsafe pointer[offset + index] = value }
  }
}
