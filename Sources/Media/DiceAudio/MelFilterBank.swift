internal import DiceNumerics

/// Triangles over the frequencies of a power spectrum, evenly spaced on the mel scale.
///
/// `mel(f) = 2595 log10(1 + f / 700)`. Band `m` of `M` rises from 0 at corner `m` to 1 at corner `m + 1`
/// and falls to 0 at corner `m + 2`; the `M + 2` corners lie evenly between the limits. What librosa
/// gives for `htk=True, norm=None`.
public struct MelFilterBank: Hashable, Sendable {
  /// The bands.
  public let bandCount: Int
  /// The numbers of a spectrum: `N / 2 + 1`.
  public let spectrumCount: Int

  private let starts: [Int]
  private let weights: [[Float]]

  /// A filter bank.
  ///
  /// - Parameters:
  ///   - bandCount: the bands, 1...512.
  ///   - transformCount: the samples N of the spectrum's transform.
  ///   - sampleRate: samples a second.
  ///   - frequencies: the limits in Hz.
  /// - Precondition: `0 <= lower limit < upper limit <= sampleRate / 2`, and the numbers are in their
  ///   ranges.
  public init(
    bandCount: Int, transformCount: Int, sampleRate: Int, frequencies: ClosedRange<Double>
  ) {
    precondition((1...512).contains(bandCount) && transformCount >= 4, "bands of a spectrum")
    precondition(
      frequencies.lowerBound >= 0 && frequencies.lowerBound < frequencies.upperBound
        && frequencies.upperBound <= Double(sampleRate) / 2, "frequencies of the spectrum")
    self.bandCount = bandCount
    spectrumCount = transformCount / 2 + 1
    let (low, high) = (Self.mel(frequencies.lowerBound), Self.mel(frequencies.upperBound))
    let corners = (0..<bandCount + 2).map { (index) in
      Self.frequency(low + (high - low) * Double(index) / Double(bandCount + 1))
    }
    let step = Double(sampleRate) / Double(transformCount)
    var starts: [Int] = []
    var weights: [[Float]] = []
    for band in 0..<bandCount {
      let (left, middle, right) = (corners[band], corners[band + 1], corners[band + 2])
      var start = 0
      var values: [Float] = []
      for bin in 0..<spectrumCount {
        let frequency = Double(bin) * step
        let weight = min(
          (frequency - left) / (middle - left), (right - frequency) / (right - middle))
        guard weight > 0 else { continue }
        if values.isEmpty { start = bin }
        values.append(Float(weight))
      }
      starts.append(start)
      weights.append(values)
    }
    self.starts = starts
    self.weights = weights
  }

  /// Writes the energy of each band, times a factor, from a place on.
  ///
  /// - Precondition: the spectrum has ``spectrumCount`` numbers, and there is room for the bands.
  public func energies(of power: [Float], into bands: inout [Float], from place: Int = 0) {
    precondition(power.count == spectrumCount && place + bandCount <= bands.count, "sizes fit")
    for band in 0..<bandCount {
      var sum: Float = 0
      let start = starts[band]
      for (index, weight) in weights[band].enumerated() { sum += power[start + index] * weight }
      bands[place + band] = sum
    }
  }

  /// The weights of a band: 0 where it does not reach; for golden values.
  package func weights(ofBand band: Int) -> [Float] {
    var all = [Float](repeating: 0, count: spectrumCount)
    for (index, weight) in weights[band].enumerated() { all[starts[band] + index] = weight }
    return all
  }

  static func mel(_ frequency: Double) -> Double {
    2595 / naturalLogarithm(10.0) * naturalLogarithm(1 + frequency / 700)
  }

  static func frequency(_ mel: Double) -> Double {
    700 * (exponential(mel / 2595 * naturalLogarithm(10.0)) - 1)
  }
}
