/// Writes the channels of pixels into planes: 32 pixels of 16 channels at once.
///
/// `plane[c * planeStep + p] = source[p * pixelStep + c]` for `p` in `0..<32`, `c` in `0..<16`; zero
/// from pixel `count` on.
///
/// - Parameter buffer: memory for 1024 numbers.
@_alwaysEmitIntoClient @inline(__always)
func transpose(
  _ source: Address, pixelStep: Int, count: Int, to plane: BFloat16Address, planeStep: Int,
  using buffer: BFloat16Address
) {
  let zero = SIMD16<Float>(repeating: 0)
  var pair = 0
  while pair < 16 {
    let first =
      2 * pair < count
      ? source.vector(at: 2 * pair * pixelStep, as: SIMD16<Float>.self) : zero
    let second =
      2 * pair + 1 < count
      ? source.vector(at: (2 * pair + 1) * pixelStep, as: SIMD16<Float>.self) : zero
    buffer.store(bfloat16Pairs(first, second), at: pair * 32)
    pair += 1
  }
  // Sixteen rows of sixteen pairs: each shuffle moves the first bit of a pair's place, row and column
  // together, to its end. After four of them rows are columns.
  let other = buffer.advanced(by: 512)
  shuffle(buffer, to: other, step: 32)
  shuffle(other, to: buffer, step: 32)
  shuffle(buffer, to: other, step: 32)
  shuffle(other, to: plane, step: planeStep)
}

/// The pairs of the first eight rows and those of the last eight in turns.
@_alwaysEmitIntoClient @inline(__always)
func shuffle(_ source: BFloat16Address, to target: BFloat16Address, step: Int) {
  var row = 0
  while row < 8 {
    let a = source.pairs(at: row * 32)
    let b = source.pairs(at: (row + 8) * 32)
    target.store(inTurns(a.lowHalf, b.lowHalf), at: 2 * row * step)
    target.store(inTurns(a.highHalf, b.highHalf), at: (2 * row + 1) * step)
    row += 1
  }
}

@_alwaysEmitIntoClient @inline(__always)
func inTurns(_ a: SIMD8<Int32>, _ b: SIMD8<Int32>) -> SIMD16<Int32> {
  var result = SIMD16<Int32>()
  result.evenHalf = a
  result.oddHalf = b
  return result
}
