internal import DiceNumerics

/// How long each stage of a detection took, all passes over the picture together.
///
/// All zero where there is no clock, as in Embedded Swift.
public struct StageTimings: Hashable, Sendable {
  /// Decoding the image file; zero where the picture was given as samples.
  public var imageDecoding: Duration
  /// Turning, cropping and scaling the picture into the network's input.
  public var preparation: Duration
  /// Computing the network.
  public var network: Duration
  /// Turning the network's numbers into boxes, in pixels of the picture.
  public var decoding: Duration
  /// Classifying each proposal by itself: scaling its crops and computing the second stage's
  /// network.
  public var cropClassification: Duration
  /// Choosing among boxes that overlap, and putting the observations in order.
  public var suppression: Duration

  /// Timings, zero unless told.
  public init(
    imageDecoding: Duration = .zero, preparation: Duration = .zero, network: Duration = .zero,
    decoding: Duration = .zero, cropClassification: Duration = .zero,
    suppression: Duration = .zero
  ) {
    self.imageDecoding = imageDecoding
    self.preparation = preparation
    self.network = network
    self.decoding = decoding
    self.cropClassification = cropClassification
    self.suppression = suppression
  }

  /// The sum of all stages, each in whole nanoseconds and at most 73 years.
  public var total: Duration {
    let stages = [
      imageDecoding, preparation, network, decoding, cropClassification, suppression,
    ]
    return stages.reduce(.zero) { $0 + .nanoseconds(nanoseconds($1)) }
  }
}

#if !hasFeature(Embedded)
  extension StageTimings: Codable {}
#endif

/// Measures one stage after another.
struct Stopwatch {
  #if hasFeature(Embedded)
    mutating func lap() -> Duration { .zero }
  #else
    private var last = ContinuousClock.now

    /// The time since the last lap, or since the stopwatch was made.
    mutating func lap() -> Duration {
      let now = ContinuousClock.now
      defer { last = now }
      return last.duration(to: now)
    }
  #endif
}
