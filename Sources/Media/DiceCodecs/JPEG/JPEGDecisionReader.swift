/// Decodes the binary decisions of one interval of arithmetic-coded data.
///
/// Each decision has a state: how probable its likelier outcome is, and which outcome that is. Stuffed
/// zero bytes are removed. At a marker or at the end of the bytes the reader stands still and supplies
/// zero bytes, since encoders leave out those at the end of their data.
///
/// Source: ITU-T T.81, annex D.2.
@unsafe struct JPEGDecisionReader {
  private let base: UnsafePointer<UInt8>
  private let end: Int
  private let states: UnsafePointer<UInt32>
  /// The next byte to take; at a marker, its `FF`.
  private(set) var position: Int
  /// The code register, as far as it has been read, and the interval that it lies in.
  private var code = 0
  private var interval = 0
  /// Bits of `code` below the ones that decide; below 0 until the first bytes are read.
  private var shift = -16
  /// Zero bytes that were supplied beyond the data.
  private(set) var padding = 0

  /// Starts at a byte; `base` points to `end` bytes, `states` to a table of
  /// `JPEGDecisionStates`, and both outlive the reader.
  init(base: UnsafePointer<UInt8>, end: Int, position: Int, states: UnsafePointer<UInt32>) {
    unsafe self.base = base
    unsafe self.end = end
    unsafe self.position = position
    unsafe self.states = states
  }

  /// Whether no marker follows the data.
  var isAtEnd: Bool { unsafe position >= end }

  /// Drops what is left of the interval and starts another one.
  mutating func restart(at position: Int) {
    unsafe self = JPEGDecisionReader(base: base, end: end, position: position, states: states)
  }

  /// Where the restart marker of a number begins.
  func restartMarker(_ number: Int) throws(JPEGError) -> Int {
    try unsafe JPEGRestart.marker(number, base: base, from: position, end: end)
  }

  /// Decodes a decision and adapts its state.
  ///
  /// - Parameter state: the index of the estimate in the low seven bits, the likelier outcome above.
  @inline(__always)
  mutating func decide(_ state: UnsafeMutablePointer<UInt8>) -> Bool {
    while unsafe interval < 0x8000 {
      unsafe shift &-= 1
      if unsafe shift < 0 {
        unsafe code = code &<< 8 | nextByte()
        unsafe shift &+= 8
        if unsafe shift < 0 {
          // The first two bytes fill the register.
          unsafe shift &+= 1
          if unsafe shift == 0 { unsafe interval = 0x8000 }
        }
      }
      unsafe interval &<<= 1
    }
    let likelier = unsafe state.pointee & 0x80
    let entry = unsafe states[Int(state.pointee & 0x7F)]
    let estimate = Int(truncatingIfNeeded: entry &>> 16)
    unsafe interval &-= estimate
    let limit = unsafe interval &<< shift
    // The outcome with the smaller interval is the unlikelier one, whatever the estimate says.
    let isSmaller = unsafe interval < estimate
    let isUpper = unsafe code >= limit
    if isUpper {
      unsafe code &-= limit
      unsafe interval = estimate
    } else if unsafe interval >= 0x8000 {
      return likelier != 0
    }
    if isUpper == isSmaller {
      unsafe state.pointee = likelier ^ UInt8(truncatingIfNeeded: entry)
      return likelier != 0
    }
    unsafe state.pointee = likelier ^ UInt8(truncatingIfNeeded: entry &>> 8)
    return likelier == 0
  }

  @inline(never)
  private mutating func nextByte() -> Int {
    var next = unsafe position
    while unsafe next < end, unsafe base[next] == 0xFF { next += 1 }
    if unsafe next == position, unsafe next < end {
      unsafe position += 1
      return unsafe Int(base[next])
    }
    if unsafe next < end, unsafe base[next] == 0 {
      unsafe position = next + 1
      return 0xFF
    }
    // At a marker the last FF stays to be read; without one nothing is left.
    unsafe position = next < end ? next - 1 : end
    unsafe padding += 1
    return 0
  }
}
