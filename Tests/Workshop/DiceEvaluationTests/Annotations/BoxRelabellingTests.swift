import DiceGeometry
import DiceEvaluation
import TestSupport
import Testing

struct BoxRelabellingTests {
  private let marked = BoundingBox(x: 100, y: 100, width: 60, height: 100)
  private let face = BoundingBox(x: 104, y: 102, width: 52, height: 50)

  private func reading(
    _ box: BoundingBox, _ classIndex: Int = 3, confidence: Double = 0.8
  ) -> DetectedObject {
    DetectedObject(boundingBox: box, classIndex: classIndex, confidence: confidence)
  }

  private func topFace(_ readings: DetectedObject...) -> BoundingBox? {
    BoxRelabelling.topFace(in: marked, classIndex: 3, readings: readings)
  }

  @Test func takesTheReadingOfTheLabelledValue() {
    let side = BoundingBox(x: 104, y: 150, width: 52, height: 48)
    expectEqual(topFace(reading(side, 0, confidence: 0.99), reading(face)), face)
  }

  @Test func prefersTheSmallerOfTwoSureReadings() {
    let whole = BoundingBox(x: 101, y: 101, width: 58, height: 97)
    expectEqual(topFace(reading(whole, confidence: 0.9), reading(face, confidence: 0.5)), face)
    expectEqual(topFace(reading(whole, confidence: 0.9), reading(face, confidence: 0.4)), whole)
  }

  @Test func leavesTheBoxWhereNothingFits() {
    expectEqual(topFace(), nil)
    expectEqual(topFace(reading(face, 2)), nil)
    // A pip, a neighbour, and a box that reaches far outside.
    expectEqual(topFace(reading(BoundingBox(x: 120, y: 120, width: 12, height: 12))), nil)
    expectEqual(topFace(reading(face.translated(x: 60, y: 0))), nil)
    expectEqual(topFace(reading(BoundingBox(x: 80, y: 60, width: 100, height: 100))), nil)
    expectEqual(
      BoxRelabelling.topFace(
        in: BoundingBox(x: 100, y: 100, width: 0, height: 0), classIndex: 3,
        readings: [reading(face)]), nil)
  }
}
