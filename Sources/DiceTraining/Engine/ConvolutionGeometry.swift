internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceWeights

/// The taps of a convolution, forwards and backwards.
struct ConvolutionGeometry {
  let kernelSize: Int
  let stride: Int
  let padding: Int

  init(_ layer: Layer.Convolution) {
    kernelSize = layer.kernelSize
    stride = layer.stride
    padding = layer.padding
  }

  var tapCount: Int { kernelSize * kernelSize }

  /// How far taps reach over the edge of the input or, backwards, of the output.
  var reach: Int { max(padding, kernelSize - 1 - padding, kernelSize / 2) }

  /// The offsets of the taps `[KH, KW]` in an input map.
  func offsets(rowStep: Int, pixelStep: Int) -> [Int] {
    (0..<tapCount).map { tap in
      (tap / kernelSize - padding) * rowStep + (tap % kernelSize - padding) * pixelStep
    }
  }

  /// The taps that reach input pixels `(m * stride + phaseRow, n * stride + phaseColumn)`, and for
  /// each the row and column of the output gradient that it reads, less `(m, n)`.
  ///
  /// From `y * stride + ky - padding = m * stride + phase`: `y - m = (phase + padding - ky) /
  /// stride` where that is whole.
  func backwardTaps(phaseRow: Int, phaseColumn: Int) -> [(tap: Int, row: Int, column: Int)] {
    var taps: [(tap: Int, row: Int, column: Int)] = []
    for ky in 0..<kernelSize where (phaseRow + padding - ky).isMultiple(of: stride) {
      for kx in 0..<kernelSize where (phaseColumn + padding - kx).isMultiple(of: stride) {
        taps.append(
          (
            ky * kernelSize + kx, (phaseRow + padding - ky) / stride,
            (phaseColumn + padding - kx) / stride
          ))
      }
    }
    return taps
  }
}

/// A list of tap offsets at a fixed address.
@safe final class TapOffsets {
  let count: Int
  private let pointer: UnsafeMutablePointer<Int>

  init(_ offsets: [Int]) {
    count = offsets.count
    unsafe pointer = .allocate(capacity: max(1, offsets.count))
    for (index, offset) in offsets.enumerated() { unsafe pointer[index] = offset }
  }

  deinit { unsafe pointer.deallocate() }

  var address: UnsafePointer<Int> { unsafe UnsafePointer(pointer) }
}
