/// Makes subsampled rows as wide and as many as the picture's.
///
/// Vectors read and write up to 15 samples beyond `count`; the buffers have room for them.
enum JPEGUpsampling {
  /// Doubles a row's width with weights 3/4 and 1/4.
  static func widen(
    _ row: UnsafePointer<UInt8>, sums: UnsafeMutablePointer<Int16>,
    to output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    var index = 0
    while index < count {
      unsafe Int16x8.load(row + index).store(sums + index)
      index &+= 8
    }
    unsafe widen(sums, to: output, count: count, shift: 2, even: 1, odd: 2)
  }

  /// Doubles a row's width and height: `near` is the row that covers the output, `far` the one on the
  /// other side.
  static func widen(
    _ near: UnsafePointer<UInt8>, _ far: UnsafePointer<UInt8>, sums: UnsafeMutablePointer<Int16>,
    to output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let three = Int16x8(repeating: 3)
    var index = 0
    while index < count {
      let sum = unsafe Int16x8.load(near + index) &* three &+ Int16x8.load(far + index)
      unsafe sum.store(sums + index)
      index &+= 8
    }
    unsafe widen(sums, to: output, count: count, shift: 4, even: 8, odd: 7)
  }

  /// The horizontal half of both; overwrites the sums before the first and after the last.
  @inline(__always)
  private static func widen(
    _ sums: UnsafeMutablePointer<Int16>, to output: UnsafeMutablePointer<UInt8>, count: Int,
    shift: Int16, even: Int16, odd: Int16
  ) {
    unsafe sums[-1] = sums[0]
    unsafe sums[count] = sums[count - 1]
    let three = Int16x8(repeating: 3)
    var index = 0
    while index < count {
      let middle = unsafe Int16x8.load(sums + index) &* three
      let left = unsafe Int16x8.load(sums + index - 1)
      let right = unsafe Int16x8.load(sums + index + 1)
      let evens = (middle &+ left &+ Int16x8(repeating: even)) &>> Int16x8(repeating: shift)
      let odds = (middle &+ right &+ Int16x8(repeating: odd)) &>> Int16x8(repeating: shift)
      let pairs = evens | odds &<< Int16x8(repeating: 8)
      unsafe UnsafeMutableRawPointer(output + 2 &* index).storeBytes(
        of: pairs, as: Int16x8.self)
      index &+= 8
    }
  }

  /// A row between two others, with weights 3/4 and 1/4.
  static func blend(
    _ near: UnsafePointer<UInt8>, _ far: UnsafePointer<UInt8>, bias: Int16,
    to output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let three = Int16x8(repeating: 3)
    var index = 0
    while index < count {
      let sum = unsafe Int16x8.load(near + index) &* three &+ Int16x8.load(far + index)
      unsafe ((sum &+ Int16x8(repeating: bias)) &>> Int16x8(repeating: 2)).bytes
        .store(output + index)
      index &+= 8
    }
  }

  /// Stretches a row by `target / source`, repeating samples.
  static func repeatSamples(
    _ row: UnsafePointer<UInt8>, to output: UnsafeMutablePointer<UInt8>, count: Int,
    from source: Int, to target: Int
  ) {
    var position = 0
    var fraction = 0
    for index in 0..<count {
      unsafe output[index] = row[position]
      fraction &+= source
      while fraction >= target {
        fraction &-= target
        position &+= 1
      }
    }
  }
}
