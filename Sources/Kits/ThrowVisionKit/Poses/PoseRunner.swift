internal import DiceGeometry
internal import DiceImaging
internal import DiceNetwork
internal import DiceWeights

/// The memory of one look at a crop.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
@safe final class PoseRunner: @unchecked Sendable {
  private let runner: NetworkRunner
  private let rules: ImageRules
  private let cropScale: Float
  private var sampler = InputSampler()
  private var decoder: any PoseDecoder

  init(
    _ runner: NetworkRunner, _ rules: ImageRules, cropScale: Float, _ decoder: any PoseDecoder
  ) {
    self.runner = runner
    self.rules = rules
    self.cropScale = cropScale
    self.decoder = decoder
  }

  /// Looks for the joints of the person in a box.
  ///
  /// - Parameters:
  ///   - box: the person's outline, in pixels of the upright picture.
  ///   - usesMirror: whether the mirrored crop is looked at, too.
  /// - Returns: nil where the box has no area or its middle lies outside the picture.
  func read(
    _ frame: borrowing RawFrame, orientation: ImageOrientation, box: BoundingBox,
    usesMirror: Bool
  ) -> PoseReading? {
    let crop = PoseConstants.crop(
      around: box, aspectRatio: Double(runner.width) / Double(runner.height), scale: cropScale)
    guard !box.isEmpty,
      let transform = ImageTransform(
        window: crop, storedWidth: frame.width, storedHeight: frame.height,
        orientation: orientation, inputWidth: runner.width, inputHeight: runner.height)
    else { return nil }
    runner.write(frame, through: transform, by: rules, &sampler)
    runner.run()
    decoder.take(runner, isMirrored: false)
    if usesMirror {
      runner.mirrorInput()
      runner.run()
      decoder.take(runner, isMirrored: true)
    }
    return decoder.reading(width: runner.width, height: runner.height).mapped {
      transform.inputToUpright.map($0)
    }
  }
}

extension NetworkRunner {
  /// Writes what a network sees of a frame into its first input.
  func write(
    _ frame: borrowing RawFrame, through transform: ImageTransform, by rules: ImageRules,
    _ sampler: inout InputSampler
  ) {
    withInput { (region) in
      let layout = SampleLayout(
        rowStride: region.rowStride, pixelStride: region.pixelStride, channelStride: 1)
      let isUniform =
        rules.channelOrder == .rgb && rules.scales == SIMD3(repeating: rules.scales.x)
        && rules.biases == SIMD3(repeating: rules.biases.x)
      unsafe sampler.unsafeSample(
        frame, through: transform, into: region.pointer, layout: layout,
        scale: isUniform ? rules.scales.x : 1, bias: isUniform ? rules.biases.x : 0,
        paddingValue: rules.paddingValue)
      if !isUniform { region.applyColors(rules) }
    }
  }

  /// Swaps left and right of the first input.
  func mirrorInput() {
    withInput { (region) in
      for y in 0..<region.height {
        let row = unsafe region.pointer + y * region.rowStride
        for x in 0..<region.width / 2 {
          let left = unsafe row + x * region.pixelStride
          let right = unsafe row + (region.width - 1 - x) * region.pixelStride
          for c in 0..<region.channelCount {
            let value = unsafe left[c]
            unsafe left[c] = unsafe right[c]
            unsafe right[c] = value
          }
        }
      }
    }
  }
}

extension InputRegion {
  /// Makes samples of red, green and blue the numbers that some rules ask for.
  fileprivate func applyColors(_ rules: ImageRules) {
    let isBGR = rules.channelOrder == .bgr
    for y in 0..<height {
      for x in 0..<width {
        let pixel = unsafe pointer + y * rowStride + x * pixelStride
        let color = unsafe SIMD3(pixel[isBGR ? 2 : 0], pixel[1], pixel[isBGR ? 0 : 2])
        let value = color * rules.scales + rules.biases
        for channel in 0..<3 { unsafe pixel[channel] = value[channel] }
      }
    }
  }
}
