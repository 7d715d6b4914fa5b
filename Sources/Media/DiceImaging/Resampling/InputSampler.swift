package import DiceGeometry
package import DiceKernels

/// Brings frames to the size, the orientation and the colour order of a network's input.
///
/// For each input pixel whose centre lies in the transform's `contentBox` or on its border, the
/// centre is carried into the stored frame by `inputToStored`, and the stored samples around it are
/// averaged with the weights of a triangle whose reach is one input pixel, or one stored pixel
/// where the frame is enlarged: the definition of Pillow's `Image.resize(..., BILINEAR, box=...)`.
/// The triangle reaches over the border of a region of interest, and ends at the border of the
/// frame. All other input pixels are padding. Where the box is so thin that it holds no centre, the
/// row or column of pixels around its middle shows the frame.
///
/// Gray samples are given to all three channels; alpha is not looked at. Frames with separate
/// planes are averaged plane by plane, chroma as a picture of its own size whose pixels cover those
/// pixels of luma that share them, displaced as the frame's `chromaSiting` says, and are then
/// converted. Results stay in 0...255.
///
/// A sampler keeps its tables and its rows of sums: once it has seen a combination of sizes, it
/// allocates nothing. Keep one for each thread that samples.
///
///     var sampler = InputSampler()
///     image.withFrame { frame in
///       sampler.sample(frame, through: transform, into: &input, layout: .interleaved(width: 416))
///     }
///
/// Complexity: each sample of the region is read once where the frame is shrunk.
package struct InputSampler: Hashable, Sendable {
  private let kernels: Kernels
  private var resampler: FrameResampler

  /// A sampler with empty tables.
  ///
  /// - Parameter kernels: What computes; all implementations give the same bits.
  package init(_ kernels: Kernels = Kernels()) {
    self.kernels = kernels
    resampler = FrameResampler(kernels)
  }

  /// Samples a frame into bytes: red, green and blue in 0...255, rounded to nearest, ties to even.
  ///
  /// - Parameters:
  ///   - frame: The stored frame.
  ///   - transform: The map from the stored frame to the input, made for the frame's size.
  ///   - samples: Takes the `[inputHeight, inputWidth, 3]` samples; every other element is left as
  ///     it is.
  ///   - layout: Where the samples lie in `samples`.
  ///   - paddingValue: The value of all three channels where the frame does not reach.
  /// - Precondition: the transform's stored size is the frame's, the strides are not negative, and
  ///   `samples` reaches to the last element of the layout.
  package mutating func sample(
    _ frame: borrowing RawFrame, through transform: ImageTransform, into samples: inout [UInt8],
    layout: SampleLayout, paddingValue: UInt8 = 114
  ) {
    Self.check(layout, holds: transform, available: samples.count)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe sample(
        frame, through: transform, layout: layout,
        sink: ByteSink(base: samples.baseAddress!, padding: paddingValue))
    }
  }

  /// Samples a frame into numbers: `value * scale + bias`, with values in 0...255, not rounded.
  ///
  /// - Parameters:
  ///   - frame: The stored frame.
  ///   - transform: The map from the stored frame to the input, made for the frame's size.
  ///   - samples: Takes the `[inputHeight, inputWidth, 3]` samples; every other element is left as
  ///     it is.
  ///   - layout: Where the samples lie in `samples`.
  ///   - scale: What values are multiplied with; 1/255 for inputs in 0...1.
  ///   - bias: What is added after the multiplication.
  ///   - paddingValue: The value of all three channels where the frame does not reach, before
  ///     `scale` and `bias`.
  /// - Precondition: the transform's stored size is the frame's, the strides are not negative, and
  ///   `samples` reaches to the last element of the layout.
  package mutating func sample(
    _ frame: borrowing RawFrame, through transform: ImageTransform, into samples: inout [Float],
    layout: SampleLayout, scale: Float = 1, bias: Float = 0, paddingValue: UInt8 = 114
  ) {
    Self.check(layout, holds: transform, available: samples.count)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe sample(
        frame, through: transform, layout: layout,
        sink: FloatSink(
          base: samples.baseAddress!, scale: scale, bias: bias, padding: paddingValue,
          kernels: kernels))
    }
  }

  /// As the version for arrays, for memory that something else owns.
  ///
  /// - Parameters:
  ///   - part: Which part of the samples to write, so that several samplers can share a frame: some
  ///     lines of stored rows, and with the first part the padding. All parts together write the same
  ///     bits as one.
  ///   - partCount: How many parts there are.
  /// - Precondition: as for the version for arrays; the caller vouches that `samples` is memory for
  ///   `layout.elementCount(width:height:)` numbers.
  @unsafe
  package mutating func unsafeSample(
    _ frame: borrowing RawFrame, through transform: ImageTransform,
    into samples: UnsafeMutablePointer<Float>, layout: SampleLayout, scale: Float = 1,
    bias: Float = 0, paddingValue: UInt8 = 114, part: Int = 0, of partCount: Int = 1
  ) {
    precondition(part >= 0 && part < partCount, "a part is one of the parts")
    Self.check(layout, holds: transform, available: .max)
    unsafe sample(
      frame, through: transform, layout: layout,
      sink: FloatSink(
        base: samples, scale: scale, bias: bias, padding: paddingValue, kernels: kernels),
      part: part, of: partCount)
  }

  private static func check(
    _ layout: SampleLayout, holds transform: ImageTransform, available: Int
  ) {
    let count = layout.elementCount(
      width: transform.inputWidth, height: transform.inputHeight)
    guard let count, count <= available else {
      preconditionFailure("the buffer must reach to the last element of the layout")
    }
  }

  @inline(__always)
  private mutating func sample<Sink: SampleSink>(
    _ frame: borrowing RawFrame, through transform: ImageTransform, layout: SampleLayout,
    sink: Sink, part: Int = 0, of partCount: Int = 1
  ) {
    precondition(
      transform.storedWidth == frame.width && transform.storedHeight == frame.height,
      "the transform must be made for the size of the frame")
    let plan = SamplingPlan(transform)
    if part == 0 {
      sink.pad(
        width: transform.inputWidth, height: transform.inputHeight, besides: plan.content,
        layout: layout)
    }
    let (columns, rows) = (plan.columns, plan.rows)
    let lines = part * rows.count / partCount..<(part + 1) * rows.count / partCount
    guard columns.count > 0, !lines.isEmpty else { return }
    resampler.prepare(
      for: frame, columns: columns.shape, rows: rows.shape, firstLine: lines.lowerBound)
    let columnStride = plan.swapsAxes ? layout.rowStride : layout.pixelStride
    let lineStride = plan.swapsAxes ? layout.pixelStride : layout.rowStride
    let step = columns.isReversed ? -columnStride : columnStride
    for index in lines {
      unsafe resampler.withLine(index, of: frame, count: columns.count) { line, isReversed in
        unsafe sink.write(
          line, count: columns.count, isReversed: isReversed,
          at: layout.offset + rows.output(index) * lineStride
            + columns.output(0) * columnStride,
          pixelStride: step, channelStride: layout.channelStride)
      }
    }
  }
}

/// Where sampled lines go.
protocol SampleSink {
  associatedtype Element
  var paddingElement: Element { get }
  var base: UnsafeMutablePointer<Element> { get }

  /// Writes the three channels of `count` pixels, which are in the opposite order where told.
  func write(
    _ line: UnsafePointer<SIMD4<Float>>, count: Int, isReversed: Bool, at offset: Int,
    pixelStride: Int, channelStride: Int)
}

extension SampleSink {
  /// Writes the padding to every pixel outside the content.
  @inline(__always)
  func pad(
    width: Int, height: Int, besides content: (x: Range<Int>, y: Range<Int>),
    layout: SampleLayout
  ) {
    for y in 0..<height {
      if content.y.contains(y) {
        pad(0..<content.x.lowerBound, row: y, layout: layout)
        pad(content.x.upperBound..<width, row: y, layout: layout)
      } else {
        pad(0..<width, row: y, layout: layout)
      }
    }
  }

  @inline(__always)
  private func pad(_ columns: Range<Int>, row: Int, layout: SampleLayout) {
    let start = unsafe base + (layout.offset + row * layout.rowStride)
    let value = paddingElement
    if layout.channelStride == 1 && layout.pixelStride == 3 {
      unsafe (start + columns.lowerBound &* 3).update(repeating: value, count: columns.count &* 3)
      return
    }
    for x in columns {
      let pixel = unsafe start + x &* layout.pixelStride
      unsafe pixel[0] = value
      unsafe pixel[layout.channelStride] = value
      unsafe pixel[2 &* layout.channelStride] = value
    }
  }
}

/// Rounds to bytes.
@unsafe struct ByteSink: SampleSink {
  let base: UnsafeMutablePointer<UInt8>
  let padding: UInt8
  var paddingElement: UInt8 { unsafe padding }

  func write(
    _ line: UnsafePointer<SIMD4<Float>>, count: Int, isReversed: Bool, at offset: Int,
    pixelStride: Int, channelStride: Int
  ) {
    var pixel = unsafe base + offset
    let (first, last) = isReversed ? (2, 0) : (0, 2)
    for i in 0..<count {
      let bytes = unsafe line[i].roundedToBytes
      unsafe pixel[first &* channelStride] = bytes.x
      unsafe pixel[channelStride] = bytes.y
      unsafe pixel[last &* channelStride] = bytes.z
      unsafe pixel += pixelStride
    }
  }
}

/// Scales and shifts.
@unsafe struct FloatSink: SampleSink {
  let base: UnsafeMutablePointer<Float>
  let scale: Float
  let bias: Float
  let padding: UInt8
  let kernels: Kernels
  var paddingElement: Float { unsafe Float(padding) * scale + bias }

  func write(
    _ line: UnsafePointer<SIMD4<Float>>, count: Int, isReversed: Bool, at offset: Int,
    pixelStride: Int, channelStride: Int
  ) {
    unsafe kernels.writePixels(
      PixelWritingTask(
        pixels: Address(lanesOf: line), count: count,
        isReversed: isReversed, output: Address(base + offset), pixelStride: pixelStride,
        channelStride: channelStride, scale: scale, bias: bias))
  }
}

extension SIMD4<Float> {
  /// Each lane clamped to 0...255.
  @inline(__always)
  var clampedToBytes: SIMD4<Float> {
    let zero = SIMD4<Float>(repeating: 0)
    let top = SIMD4<Float>(repeating: 255)
    let low = replacing(with: zero, where: self .< zero)
    return low.replacing(with: top, where: low .> top)
  }

  /// Each lane clamped to 0...255 and rounded to nearest, ties to even; NaN may become any byte.
  @inline(__always)
  var roundedToBytes: SIMD4<UInt8> {
    // Adding 1.5 * 2^23 leaves the integer in the lowest bits.
    let shifted = clampedToBytes + SIMD4(repeating: 12_582_912)
    return SIMD4<UInt8>(truncatingIfNeeded: unsafe unsafeBitCast(shifted, to: SIMD4<UInt32>.self))
  }
}
