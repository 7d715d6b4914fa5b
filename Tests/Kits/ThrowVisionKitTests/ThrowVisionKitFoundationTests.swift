import Foundation
import TestSupport
import Testing
import ThrowVisionKit

/// What Foundation's types bring: sentences of errors.
@Suite struct ThrowVisionKitFoundationTests {
  @Test func errorsSayTheirSentence() {
    let errors: [any Error & CustomStringConvertible] = [
      ThrowSessionError.field(.notConvex),
      ActionClassifierError.task(found: "a", required: "b"),
      PoseDetectorError.maps(output: "a"),
      PoseHeadError.repeatedJoint(output: "a", name: "b"),
      PoseTrackerError.timeNotIncreasing(.zero, previous: .zero),
      PoseSequenceError.tooLarge(found: 2, limit: 1),
      TrajectoryError.regionOfInterestOutOfRange,
      FieldError.notConvex,
      ContourError.contrastPivotOutOfRange(2),
      ShapeFittingError.degenerate,
      HomographyError.degenerate,
    ]
    for error in errors {
      expectEqual((error as any Error).localizedDescription, error.description)
      #expect(error.description.count > 15)
    }
  }
}
