internal import DiceWeights

/// What a call wants to know about a frame.
struct DetectionRequest {
  var orientation: ImageOrientation?
  var regionOfInterest: NormalizedRect?
  /// Whether dice count by their objectness alone, whatever they show.
  var ignoresClasses = false
  /// Whether the cancellation of the current task ends the call.
  var endsWithTask = false
  /// Pixels in the file for each pixel along a side of the frame, which was decoded at a smaller size;
  /// 1 for all other frames.
  var reduction = 1.0
  /// The time that was spent before the frame was there.
  var imageDecoding = Duration.zero

  func checkCancellation() throws(DetectorError) {
    #if !hasFeature(Embedded)
      if endsWithTask, Task.isCancelled { throw .cancelled }
    #endif
  }
}
