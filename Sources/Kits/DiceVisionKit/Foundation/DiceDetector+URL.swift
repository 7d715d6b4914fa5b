#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension DiceDetector {
    /// A detector with the weights of a file.
    ///
    /// - Parameters:
    ///   - url: That of a weight file on this computer.
    ///   - configuration: How to work with it.
    /// - Throws: ``DetectorError``: `file`, and as ``init(weights:configuration:)``.
    public init(
      weightsAt url: URL, configuration: Configuration = Configuration()
    ) throws(DetectorError) {
      try self.init(weightsAt: Self.path(of: url), configuration: configuration)
    }

    /// The dice in an image file, from left to right.
    ///
    /// As ``detect(inImageFileAt:limits:orientation:regionOfInterest:thresholds:)-(String,_,_,_,_)``;
    /// the URL is that of a file on this computer.
    public func detect(
      inImageFileAt url: URL, limits: DecodingLimits = DecodingLimits(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider = Thresholds()
    ) throws(DetectorError) -> DetectionResult {
      try detect(
        inImageFileAt: Self.path(of: url), limits: limits, orientation: orientation,
        regionOfInterest: regionOfInterest, thresholds: thresholds)
    }

    /// The dice in an image file, found away from the caller's actor.
    ///
    /// As
    /// ``detectConcurrently(inImageFileAt:limits:orientation:regionOfInterest:thresholds:)-(String,_,_,_,_)``;
    /// the URL is that of a file on this computer.
    @concurrent
    public func detectConcurrently(
      inImageFileAt url: URL, limits: DecodingLimits = DecodingLimits(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider & Sendable = Thresholds()
    ) async throws(DetectorError) -> DetectionResult {
      try await detectConcurrently(
        inImageFileAt: Self.path(of: url), limits: limits, orientation: orientation,
        regionOfInterest: regionOfInterest, thresholds: thresholds)
    }

    private static func path(of url: URL) throws(DetectorError) -> String {
      guard url.isFileURL else { throw .file(.notAFileURL(url: url.absoluteString)) }
      return url.path
    }
  }
#endif
