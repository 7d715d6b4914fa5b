#if canImport(DiceGameWeights)
  internal import DiceGameWeights

  extension SpokenNumberRecognizer {
    /// A recogniser with the weights that come with the library.
    ///
    /// - Parameter sampleRate: samples a second of the sound to come, one of ``sampleRates``.
    /// - Throws: `SpokenNumberError.network` where memory does not suffice for the network,
    ///   `SpokenNumberError.sampleRate` for a rate that is not in ``sampleRates``.
    public convenience init(sampleRate: Int = 16_000) throws(SpokenNumberError) {
      try self.init(weights: GameWeights.speech, sampleRate: sampleRate)
    }
  }
#endif
