/// Numbers in memory that stays where it is until more of it is needed: both sides look at it.
@safe struct Numbers<Number: BitwiseCopyable>: ~Copyable {
  /// The first number; nil before the first use.
  private(set) var base: UnsafeMutablePointer<Number>?
  private(set) var count = 0
  private var capacity = 0

  deinit { unsafe base?.deallocate() }

  /// A copy.
  var array: [Number] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Memory for `count` numbers, whose values are to be written.
  mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer? {
    if count > capacity || capacity == 0 {
      unsafe base?.deallocate()
      capacity = max(16, count)
      unsafe base = .allocate(capacity: capacity)
    }
    self.count = count
    return unsafe UnsafeMutableRawPointer(base)
  }

  /// Adds a number.
  mutating func append(_ number: Number) {
    if count == capacity { grow() }
    unsafe base.unsafelyUnwrapped[count] = number
    count += 1
  }

  /// Forgets the numbers and keeps the memory.
  mutating func removeAll() { count = 0 }

  private mutating func grow() {
    capacity = max(64, 2 * capacity)
    let larger = UnsafeMutablePointer<Number>.allocate(capacity: capacity)
    if let base = unsafe base {
      unsafe larger.update(from: base, count: count)
      unsafe base.deallocate()
    }
    unsafe base = larger
  }
}
