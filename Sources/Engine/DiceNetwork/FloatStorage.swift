internal import DiceKernels

#if os(Linux)
  internal import DiceSystem
#endif

/// Floats at an address that is a multiple of 64, all zero at first; freed with the last reference.
///
/// Unchecked: whoever shares it between threads must not write, or must write to disjoint parts.
@safe final class FloatStorage: @unchecked Sendable {
  let count: Int
  private let pointer: UnsafeMutablePointer<Float>

  /// The bytes of a large page of memory, for which Linux is asked where there are as many.
  ///
  /// With pages of 4 KiB a process faults a thousand times and more before its first result.
  private static let largePageByteCount = 1 << 21

  init(count: Int) {
    self.count = count
    let byteCount = max(count, 16) * MemoryLayout<Float>.stride
    let isLarge = byteCount >= Self.largePageByteCount
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount, alignment: isLarge ? Self.largePageByteCount : 64)
    #if os(Linux)
      // Advice: where the system does not follow it, nothing changes.
      if isLarge { _ = unsafe madvise(memory, byteCount, Int32(MADV_HUGEPAGE)) }
    #endif
    unsafe pointer = memory.bindMemory(to: Float.self, capacity: max(count, 16))
    unsafe pointer.initialize(repeating: 0, count: max(count, 16))
  }

  deinit { unsafe UnsafeMutableRawPointer(pointer).deallocate() }

  /// The place of a float.
  ///
  /// - Precondition: `offset` is in `0...count`.
  func address(_ offset: Int) -> Address {
    precondition(offset >= 0 && offset <= count, "an address lies inside its storage")
    return unsafe Address(pointer + offset)
  }

  /// Sets all floats to zero.
  func clear() { unsafe pointer.update(repeating: 0, count: max(count, 16)) }

  /// Sets floats to what memory holds at first that nothing relies on.
  func refresh(_ range: Range<Int>) {
    guard FreshMemory.pattern != 0 else { return }
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range inside its storage")
    unsafe (pointer + range.lowerBound).update(
      repeating: Float(bitPattern: FreshMemory.pattern), count: range.count)
  }

  /// Sets floats to a number.
  func fill(_ range: Range<Int>, _ value: Float) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range inside its storage")
    unsafe (pointer + range.lowerBound).update(repeating: value, count: range.count)
  }

  /// Copies values to a place.
  ///
  /// - Precondition: They end inside the storage.
  func write(_ values: [Float], at offset: Int) {
    precondition(
      offset >= 0 && values.count <= count - offset, "values lie inside their storage")
    unsafe values.withUnsafeBufferPointer { (source) in
      guard let base = source.baseAddress else { return }
      unsafe (pointer + offset).update(from: base, count: source.count)
    }
  }
}
