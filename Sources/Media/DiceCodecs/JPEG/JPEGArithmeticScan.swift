/// Magnitudes are below this.
private let magnitudeLimit = 0x8000
/// From the states that tell how many bits a magnitude has to those of the bits.
private let bitStates = 14
/// The states of longer magnitudes: of means, and of the lower and the upper band.
private let meanMagnitudes = 20
private let lowerMagnitudes = 189
private let upperMagnitudes = 217

/// How blocks are made of decisions.
///
/// Source: ITU-T T.81, F.1.4, F.2.4 and G.1.3.
extension JPEGDecisionReader {
  /// Decodes the mean of a block, which is coded as its difference from the previous one.
  ///
  /// - Returns: false for a magnitude that no difference has.
  @inline(never)
  mutating func decodeMean(_ slot: inout JPEGArithmeticSlot) -> Bool {
    var state = unsafe slot.dcStates + slot.dcContext
    guard unsafe decide(state) else {
      unsafe slot.dcContext = 0
      return true
    }
    let isNegative = unsafe decide(state + 1)
    unsafe state += isNegative ? 3 : 2
    var magnitude = 0
    if unsafe decide(state) {
      unsafe state = slot.dcStates + meanMagnitudes
      guard let leading = unsafe leadingBit(1, &state) else { return false }
      magnitude = leading
    }
    let side = isNegative ? 4 : 0
    if unsafe magnitude < slot.smallDifference {
      unsafe slot.dcContext = 0
    } else if unsafe magnitude > slot.largeDifference {
      unsafe slot.dcContext = 12 + side
    } else {
      unsafe slot.dcContext = 4 + side
    }
    let difference = unsafe value(magnitude, state, isNegative: isNegative)
    unsafe slot.prediction = slot.prediction &+ difference
    return true
  }

  /// Decodes a band's coefficients, or their first bits, into zeros.
  ///
  /// - Returns: false for a run that leaves the band, and for a magnitude that no coefficient has.
  @inline(never)
  mutating func decodeCoefficients(
    _ slot: JPEGArithmeticSlot, _ fixedState: UnsafeMutablePointer<UInt8>, band: JPEGBand,
    zigzag: UnsafePointer<UInt8>, into block: UnsafeMutablePointer<Int16>
  ) -> Bool {
    var index = band.start
    while index <= band.end {
      var state = unsafe slot.acStates + 3 &* (index &- 1)
      // Whether all that is left is zero, then for each coefficient whether it is not.
      if unsafe decide(state) { return true }
      while unsafe !decide(state + 1) {
        unsafe state += 3
        index &+= 1
        if index > band.end { return false }
      }
      let isNegative = unsafe decide(fixedState)
      unsafe state += 2
      var magnitude = 0
      if unsafe decide(state) {
        magnitude = 1
        if unsafe decide(state) {
          let isLower = unsafe index <= slot.bandEnd
          unsafe state =
            slot.acStates + (isLower ? lowerMagnitudes : upperMagnitudes)
          guard let leading = unsafe leadingBit(2, &state) else { return false }
          magnitude = leading
        }
      }
      let coefficient = unsafe value(magnitude, state, isNegative: isNegative)
      unsafe block[Int(zigzag[index])] = Int16(truncatingIfNeeded: coefficient &<< band.shift)
      index &+= 1
    }
    return true
  }

  /// Decodes one more bit of a band's coefficients: corrections of those that are not zero, and new
  /// ones.
  ///
  /// - Returns: false for a run that leaves the band.
  @inline(never)
  mutating func refineCoefficients(
    _ slot: JPEGArithmeticSlot, _ fixedState: UnsafeMutablePointer<UInt8>, band: JPEGBand,
    zigzag: UnsafePointer<UInt8>, in block: UnsafeMutablePointer<Int16>
  ) -> Bool {
    // Up to the last coefficient that is known, the end of the block is not in question.
    var known = band.end
    while known > 0, unsafe block[Int(zigzag[known])] == 0 { known &-= 1 }
    var index = band.start
    while index <= band.end {
      var state = unsafe slot.acStates + 3 &* (index &- 1)
      if index > known, unsafe decide(state) { return true }
      while true {
        let target = unsafe block + Int(zigzag[index])
        let coefficient = unsafe target.pointee
        if coefficient != 0 {
          if unsafe decide(state + 2) {
            unsafe target.pointee = coefficient &+ (coefficient < 0 ? band.minusOne : band.plusOne)
          }
          break
        }
        if unsafe decide(state + 1) {
          unsafe target.pointee = decide(fixedState) ? band.minusOne : band.plusOne
          break
        }
        unsafe state += 3
        index &+= 1
        if index > band.end { return false }
      }
      index &+= 1
    }
    return true
  }

  /// The highest bit of a magnitude, of which a lower bound is known; nil where it has too many.
  @inline(__always)
  private mutating func leadingBit(
    _ bound: Int, _ state: inout UnsafeMutablePointer<UInt8>
  ) -> Int? {
    var bit = bound
    while unsafe decide(state) {
      bit &<<= 1
      if bit == magnitudeLimit { return nil }
      unsafe state += 1
    }
    return bit
  }

  /// The value whose magnitude, less 1, has the given highest bit; its other bits are decoded.
  @inline(__always)
  private mutating func value(
    _ leadingBit: Int, _ state: UnsafeMutablePointer<UInt8>, isNegative: Bool
  ) -> Int {
    var magnitude = leadingBit
    var bit = leadingBit &>> 1
    while bit > 0 {
      if unsafe decide(state + bitStates) { magnitude |= bit }
      bit &>>= 1
    }
    return isNegative ? -magnitude &- 1 : magnitude &+ 1
  }
}
