/// Zeroed memory with a fixed address that is freed with its owner.
///
/// Whoever uses `base` keeps the object alive to the end of that use, with `withExtendedLifetime`:
/// the compiler may end the life of an object right after the last mention of it.
@safe final class JPEGMemory<Element: FixedWidthInteger & BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: max(count, 1))
    unsafe base.initialize(repeating: 0, count: max(count, 1))
  }

  /// Memory that is written before it is read.
  init(uninitializedCount count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: max(count, 1))
  }

  deinit { unsafe base.deallocate() }
}
