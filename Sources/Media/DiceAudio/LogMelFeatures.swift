internal import DiceNumerics

/// The logarithms of a sound's energy by time and band, block by block.
///
/// Frames of ``Configuration/frameCount`` samples follow each other every ``Configuration/hopCount``;
/// the first begins with the first sample, and samples that fill no frame give none. Each is multiplied
/// with a Hann window `0.5 - 0.5 cos(2π n / count)`, filled up with zeros to N, and becomes
/// `ln(mel energy + 1e-10)` of its power spectrum.
public struct LogMelFeatures: Sendable {
  /// Sizes and bands.
  public struct Configuration: Hashable, Sendable {
    /// Samples a second.
    public var sampleRate = 16_000
    /// The samples of a frame: 25 ms.
    public var frameCount = 400
    /// From one frame to the next: 10 ms.
    public var hopCount = 160
    /// The samples N of the Fourier transform: a power of two, not less than a frame.
    public var transformCount = 512
    /// The bands.
    public var bandCount = 40
    /// The lowest band's lower and the highest band's upper limit, in Hz.
    public var frequencies: ClosedRange<Double> = 20...8_000

    /// 40 bands of 25 ms each 10 ms at 16 kHz.
    public init() {}
  }

  /// Sizes and bands.
  public let configuration: Configuration
  /// The numbers of a frame.
  public var bandCount: Int { configuration.bandCount }

  private let window: [Float]
  private let filters: MelFilterBank
  private var transform: RealFourierTransform
  private var pending: [Float] = []
  private var block: [Float]
  private var power: [Float]
  private var bands: [Float]

  /// - Precondition: the frame's and the hop's samples are at least 1, a frame is not longer than the
  ///   transform, and bands and frequencies fit ``MelFilterBank``.
  public init(_ configuration: Configuration = Configuration()) {
    precondition(
      configuration.frameCount >= 1 && configuration.hopCount >= 1
        && configuration.frameCount <= configuration.transformCount, "frames fit the transform")
    self.configuration = configuration
    window = (0..<configuration.frameCount).map { (n) in
      let turns = Double(n) / Double(configuration.frameCount)
      return Float(0.5 - 0.5 * sineAndCosine(turns: turns).cosine)
    }
    filters = MelFilterBank(
      bandCount: configuration.bandCount, transformCount: configuration.transformCount,
      sampleRate: configuration.sampleRate, frequencies: configuration.frequencies)
    transform = RealFourierTransform(count: configuration.transformCount)
    block = [Float](repeating: 0, count: configuration.transformCount)
    power = [Float](repeating: 0, count: configuration.transformCount / 2 + 1)
    bands = [Float](repeating: 0, count: configuration.bandCount)
  }

  /// Takes samples and appends the frames that they complete, band by band.
  ///
  /// Blocks of any size give the same frames as all in one.
  public mutating func append(_ samples: [Float], to frames: inout [Float]) {
    pending.append(contentsOf: samples)
    let leftOut = min(skipped, pending.count)
    pending.removeFirst(leftOut)
    skipped -= leftOut
    let (frameCount, hop) = (configuration.frameCount, configuration.hopCount)
    var start = 0
    while pending.count - start >= frameCount {
      for n in 0..<frameCount { block[n] = pending[start + n] * window[n] }
      transform.powerSpectrum(of: block, into: &power)
      filters.energies(of: power, into: &bands)
      for band in bands { frames.append(logarithm2(band + 1e-10) * 0.6931471805599453) }
      start += hop
    }
    // A hop that is longer than a frame may end in samples that are yet to come.
    skipped += start - min(start, pending.count)
    pending.removeFirst(min(start, pending.count))
  }

  /// Samples to come that no frame begins with.
  private var skipped = 0

  /// Forgets the samples that fill no frame yet.
  public mutating func reset() {
    pending.removeAll(keepingCapacity: true)
    skipped = 0
  }
}
