// Every name that the package promises to `import DiceVisionKit`, used as a program of its own would.
import DiceVisionKit

func check(_ holds: Bool, _ what: String) {
  if !holds { fatalError("\(what) does not hold") }
}

// Boxes of a user's own.
let box = BoundingBox(x: 10, y: 10, width: 20, height: 20)
let near = BoundingBox(x: 12, y: 10, width: 20, height: 20)
let far = BoundingBox(x: 100, y: 10, width: 20, height: 20)
check(abs(box.intersectionOverUnion(with: near) - 18.0 / 22) < 1e-12, "intersection over union")
check(box.generalizedIntersectionOverUnion(with: far) < 0, "generalized intersection over union")

let boxes = [near, box, far]
let perClass = NonMaximumSuppression(iouThreshold: 0.5)
check(
  perClass.keptIndices(boxes: boxes, confidences: [0.6, 0.9, 0.5], classIndices: [5, 6, 6])
    == [1, 0, 2], "suppression within a class")
let acrossClasses = NonMaximumSuppression(iouThreshold: 0.5, mode: .classAgnostic)
check(
  acrossClasses.keptIndices(boxes: boxes, confidences: [0.6, 0.9, 0.5], classIndices: [5, 6, 6])
    == [1, 2], "suppression across classes")
let soft = NonMaximumSuppression(mode: .soft(sigma: 0.5, minimumConfidence: 0.01))
let selection: NonMaximumSuppression.Selection = soft.select(
  boxes: boxes, confidences: [0.6, 0.9, 0.5])
check(selection.indices == [1, 2, 0] && selection.confidences[2] < 0.5, "soft suppression")
var workspace = NonMaximumSuppression.Workspace()
perClass.select(boxes: boxes, confidences: [0.6, 0.9, 0.5], using: &workspace)
check(workspace.indices == [1, 2], "suppression with memory that is used again")

// A threshold provider of a user's own.
struct Slider: ThresholdProvider {
  func featureValue(for name: String) -> Float? {
    switch name {
    case "confidenceThreshold": 0.3
    case "iouThreshold": 0.5
    default: nil
    }
  }
}

let path = CommandLine.arguments[1]
let detector = try DiceDetector()
let result = try detector.detect(inImageFileAt: path, thresholds: Slider())
let same = try detector.detect(
  inImageFileAt: path, thresholds: Thresholds(iouThreshold: 0.5, confidenceThreshold: 0.3))
check(result.values == [6, 1] && result.hasSameContent(as: same), "the values in \(path)")

// A weight file that is none is refused with the rule that it breaks.
do {
  _ = try WeightFile(bytes: [1, 2, 3])
  check(false, "refusing three bytes")
} catch { check("\(error)".count > 10, "a sentence that says what is wrong") }

// Rolls.
let observations = result.map { RollTracker.Observation($0) }
var rule = ConsecutiveFrameRule()
check(!rule.hasRollEnded(observations: observations), "one frame")
check(rule.hasRollEnded(observations: observations), "two frames that agree")
var tracker = RollTracker()
for frame in 0..<5 { _ = tracker.update(with: [], at: .milliseconds(100 * frame)) }
var rolls: [Roll] = []
for frame in 5..<20 {
  for event in tracker.update(with: observations, at: .milliseconds(100 * frame)) {
    if case .rollEnded(let roll) = event { rolls.append(roll) }
  }
}
check(rolls.map(\.values) == [[6, 1]], "a roll")
check("\(tracker)" == "ended, 2 dice: 6 1; last roll 1: 6 1, sum 7", "the tracker's line")
check("\(RollFollower())" == "idle, no dice; looked in 0 of 0 frames", "the follower's line")
print("every promised name works")
