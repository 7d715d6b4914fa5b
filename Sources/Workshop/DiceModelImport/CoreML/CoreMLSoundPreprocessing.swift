internal import DiceNumerics
internal import DiceWeights

/// What the message `SoundAnalysisPreprocessing` computes for VGGish: a spectrogram of sound on the mel
/// scale, logarithmic.
///
/// - A frame is 400 samples, the next one begins 160 later; they are weighted with `0.5 - 0.5 cos(2 pi n / 400)`.
/// - `S[k]` is the magnitude of the Fourier transform of 512 numbers, the last 112 of which are 0, at `31.25 k`
///   hertz.
/// - `mel(f) = 1127 ln(1 + f / 700)`. Of 66 places that divide `mel(125)` to `mel(7500)` evenly, each three in
///   a row are a triangle: 0 at the first and the last, 1 in the middle.
/// - A number is `ln(0.01 + the sum of S[k] weighted with a triangle)`.
///
/// Source: `SoundAnalysisPreprocessing.proto` of the Core ML model format.
enum CoreMLSoundPreprocessing {
  /// The samples that are read, at 16 kHz.
  static let sampleCount = 15_600
  /// The custom model of Turi Create that computes the same.
  static let customClass = "TCSoundClassifierPreprocessing"
  /// The field of the only kind of features.
  static let field = 20

  private static let frameLength = 400
  private static let hop = 160
  private static let transformLength = 512
  /// The frequencies of a transform of real numbers.
  private static let binCount = 257
  private static let bandCount = 64
  /// Samples that frames and the distances between them are multiples of.
  private static let unit = 80

  /// The spectrogram of 15,600 samples, `[1, 96, 64]`: frames, bands.
  static func spectrogram(
    _ samples: Value, _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    let shape = samples.shape ?? []
    guard shape.filter({ $0 != 1 }) == [sampleCount] else {
      throw .invalid("Its samples have the shape \(shape); it reads \(sampleCount).")
    }
    let rows = try builder.reshaped(samples, to: [1, sampleCount / unit, unit])
    // Real parts, then imaginary ones.
    let waves = try builder.convolution(
      builder.computed(rows), MapAxes(rows: 1, columns: nil, channels: 2), weights: weights(),
      bias: nil, outputChannels: 2 * binCount,
      window: Layer.Window(height: frameLength / unit, width: 1, strideY: hop / unit, strideX: 1),
      groups: 1)
    func squares(
      _ start: Int, _ builder: inout GraphBuilder
    ) throws(LoweringFault) -> Value {
      let part = Value.computed(
        try builder.sliced(waves, axis: 2, start: start, count: binCount))
      return try builder.product(part, part)
    }
    let power = try builder.combined(
      .addition, squares(0, &builder), squares(binCount, &builder))
    let magnitudes = try builder.computed(builder.applied([.squareRoot], to: power))
    let bands = try builder.dense(
      magnitudes, weights: triangles(), bias: nil, outputCount: bandCount)
    return .computed(
      try builder.activated(
        bands,
        [.linear(scale: 1, offset: 0.01), .logarithm(lower: .leastNormalMagnitude)]))
  }

  /// The weighted waves of each frequency, `[5, 1, 80, 514]`.
  private static func weights() -> [Float] {
    let table = (0..<transformLength).map {
      sineAndCosine(turns: Double($0) / Double(transformLength))
    }
    var weights = [Float](repeating: 0, count: frameLength * 2 * binCount)
    for place in 0..<frameLength {
      let window =
        0.5 - 0.5 * sineAndCosine(turns: Double(place) / Double(frameLength)).cosine
      for bin in 0..<binCount {
        let wave = table[place * bin % transformLength]
        weights[place * 2 * binCount + bin] = Float(window * wave.cosine)
        weights[place * 2 * binCount + binCount + bin] = Float(-window * wave.sine)
      }
    }
    return weights
  }

  /// The weight of each frequency in each band, `[257, 64]`.
  private static func triangles() -> [Float] {
    func mel(_ frequency: Double) -> Double { 1127 * naturalLogarithm(1 + frequency / 700) }
    let (lowest, highest) = (mel(125), mel(7500))
    let step = (highest - lowest) / Double(bandCount + 1)
    var weights = [Float](repeating: 0, count: binCount * bandCount)
    for bin in 0..<binCount {
      let place = (mel(16_000 * Double(bin) / Double(transformLength)) - lowest) / step
      for band in 0..<bandCount {
        let distance = (place - Double(band + 1)).magnitude
        weights[bin * bandCount + band] = Float(max(0, 1 - distance))
      }
    }
    return weights
  }
}
