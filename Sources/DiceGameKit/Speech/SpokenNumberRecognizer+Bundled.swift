#if canImport(DiceGameWeights)
  internal import DiceGameWeights

  extension SpokenNumberRecognizer {
    /// A recogniser with the weights that come with the library.
    ///
    /// - Parameter sampleRate: samples a second of the sound to come.
    /// - Throws: `SpokenNumberError.network` where memory does not suffice for the network.
    /// - Precondition: the rate is in ``sampleRates``.
    public convenience init(sampleRate: Int = 16_000) throws(SpokenNumberError) {
      try self.init(weights: GameWeights.speech, sampleRate: sampleRate)
    }
  }
#endif
