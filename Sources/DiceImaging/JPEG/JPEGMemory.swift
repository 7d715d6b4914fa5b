/// Zeroed memory with a fixed address that is freed with its owner.
///
/// Holders keep the object alive for as long as they use `base`.
@safe final class JPEGMemory<Element: FixedWidthInteger & BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: max(count, 1))
    unsafe base.initialize(repeating: 0, count: max(count, 1))
  }

  deinit { unsafe base.deallocate() }
}
