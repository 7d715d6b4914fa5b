/// Pixels that become numbers of a network's input.
///
/// With `v` the value of channel `c` of pixel `i`:
///
///     output[i * pixelStride + c * channelStride] = min(max(v, 0), 255) * scale + bias
///
/// for `c` from 0 to 2; nothing else is written. No product is fused with a sum. A NaN becomes one of the
/// ends or stays.
///
/// | operand | layout |
/// |---|---|
/// | `pixels` | `[count, 4]`; channel `c` is lane `c`, or lane `2 - c` where channels are reversed |
/// | `output` | as the strides say, which may be negative |
@frozen @safe public struct PixelWritingTask {
  /// The first pixel.
  public var pixels: Address
  /// The number of pixels.
  public var count: Int
  /// Whether the channels of `pixels` are in the opposite order.
  public var isReversed: Bool
  /// Where channel 0 of the first pixel goes.
  public var output: Address
  /// Floats from a pixel to the next.
  public var pixelStride: Int
  /// Floats from a channel to the next.
  public var channelStride: Int
  /// What values are multiplied with.
  public var scale: Float
  /// What is added after the multiplication.
  public var bias: Float

  /// A task of the given parts.
  public init(
    pixels: Address, count: Int, isReversed: Bool, output: Address, pixelStride: Int,
    channelStride: Int, scale: Float, bias: Float
  ) {
    self.pixels = pixels
    self.count = count
    self.isReversed = isReversed
    self.output = output
    self.pixelStride = pixelStride
    self.channelStride = channelStride
    self.scale = scale
    self.bias = bias
  }

  /// What is to be written of a pixel; the fourth lane means nothing.
  @_alwaysEmitIntoClient @inline(__always)
  func values(of index: Int) -> SIMD4<Float> {
    let pixel = pixels.vector(at: index &* 4, as: SIMD4<Float>.self)
    let clamped = less(greater(pixel, SIMD4(repeating: 0)), SIMD4(repeating: 255))
    return clamped * scale + SIMD4(repeating: bias)
  }
}

/// Writes pixels; the formula stands at `PixelWritingTask`.
@_alwaysEmitIntoClient @inline(__always)
public func writePixels(_ task: PixelWritingTask) {
  // Where pixels and channels lie side by side, four lanes are written at once: the next pixel
  // overwrites the fourth. The last pixel has no next one.
  let isDense = task.channelStride == 1 && task.pixelStride == 3
  var index = 0
  if isDense {
    if task.isReversed {
      while index &+ 1 < task.count {
        let v = task.values(of: index)
        task.output.store(SIMD4(v.z, v.y, v.x, v.w), at: index &* 3)
        index &+= 1
      }
    } else {
      while index &+ 1 < task.count {
        task.output.store(task.values(of: index), at: index &* 3)
        index &+= 1
      }
    }
  }
  let (first, last) = task.isReversed ? (2, 0) : (0, 2)
  while index < task.count {
    let values = task.values(of: index)
    let output = task.output.advanced(by: index &* task.pixelStride)
    output.store(values.x, at: first &* task.channelStride)
    output.store(values.y, at: task.channelStride)
    output.store(values.z, at: last &* task.channelStride)
    index &+= 1
  }
}
