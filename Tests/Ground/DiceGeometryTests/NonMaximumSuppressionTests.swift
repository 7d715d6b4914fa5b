import DiceGeometry
import TestSupport
import Testing

@Suite struct NonMaximumSuppressionTests {
  /// 10 by 10 at 0; half over it; inside the first; far away.
  let boxes = [
    BoundingBox(x: 0, y: 0, width: 10, height: 10), BoundingBox(x: 5, y: 0, width: 10, height: 10),
    BoundingBox(x: 1, y: 1, width: 8, height: 8), BoundingBox(x: 50, y: 0, width: 10, height: 10),
  ]

  @Test func keepsTheMoreConfidentOfTwoOverlappingBoxes() {
    let rule = NonMaximumSuppression(iouThreshold: 0.3, mode: .classAgnostic)
    let kept = rule.keptIndices(boxes: boxes, confidences: [0.5, 0.9, 0.4, 0.1], classIndices: [])
    // The overlap of 0 and 1 is 1/3. Box 2 shares 4 x 8 with box 1: 32 / 132 is below 0.3.
    expectEqual(kept, [1, 2, 3])
    // Without classes all boxes are of one.
    let confidences = [0.5, 0.9, 0.4, 0.1]
    expectEqual(
      NonMaximumSuppression(iouThreshold: 0.3).keptIndices(boxes: boxes, confidences: confidences),
      kept)
  }

  @Test func returnsIndicesAndConfidencesInDescendingOrder() {
    let rule = NonMaximumSuppression(iouThreshold: 1)
    let selection = rule.select(
      boxes: boxes, confidences: [0.25, -1, 0.5, 0.75], classIndices: [0, 0, 0, 0])
    expectEqual(selection.indices, [3, 2, 0, 1])
    expectEqual(selection.confidences, [0.75, 0.5, 0.25, -1])
  }

  @Test func equalConfidencesKeepTheLowerIndexFirst() {
    let same = [BoundingBox](repeating: boxes[0], count: 4)
    let rule = NonMaximumSuppression(mode: .classAgnostic)
    expectEqual(
      rule.keptIndices(boxes: same, confidences: [0.5, 0.5, 0.5, 0.5], classIndices: []), [0])
    expectEqual(
      NonMaximumSuppression(iouThreshold: 1).keptIndices(
        boxes: same, confidences: [-0.0, 0.0, -0.0, 0.0], classIndices: []), [0, 1, 2, 3])
  }

  @Test func anOverlapAtTheThresholdIsKept() {
    // Shared 5 x 10 of 50 + 100 - 50: exactly one half.
    let pair = [boxes[0], BoundingBox(x: 0, y: 0, width: 5, height: 10)]
    for (threshold, kept) in [(0.5, [0, 1]), (0.5.nextDown, [0]), (0.49, [0]), (0.51, [0, 1])] {
      let rule = NonMaximumSuppression(iouThreshold: threshold)
      expectEqual(
        rule.keptIndices(boxes: pair, confidences: [0.9, 0.8], classIndices: [3, 3]), kept)
    }
  }

  @Test func aNegativeZeroIsAThresholdOfZero() {
    // So many boxes that a grid is searched.
    let row = (0..<80).map { BoundingBox(x: Double($0) * 9.5, y: 0, width: 10, height: 10) }
    let confidences = (0..<80).map { 1 - Double($0) / 100 }
    let kept = NonMaximumSuppression(iouThreshold: -0.0).keptIndices(
      boxes: row, confidences: confidences)
    expectEqual(kept, Array(stride(from: 0, to: 80, by: 2)))
  }

  @Test func onlyTheSameClassIsSuppressedUnlessAgnostic() {
    let same = [boxes[0], boxes[0], boxes[0]]
    let confidences = [0.7, 0.8, 0.9]
    expectEqual(
      NonMaximumSuppression(mode: .perClass).keptIndices(
        boxes: same, confidences: confidences, classIndices: [-4, 7, -4]), [2, 1])
    expectEqual(
      NonMaximumSuppression(mode: .classAgnostic).keptIndices(
        boxes: same, confidences: confidences, classIndices: [-4, 7, -4]), [2])
    expectEqual(
      NonMaximumSuppression(mode: .perClass).keptIndices(
        boxes: same, confidences: confidences, classIndices: []), [2],
      "one class where none given")
  }

  @Test func aSuppressedBoxSuppressesNothing() {
    // A chain: 1 overlaps 0 and 2, which do not overlap each other enough.
    let chain = [0.0, 3, 6].map { BoundingBox(x: $0, y: 0, width: 10, height: 10) }
    let rule = NonMaximumSuppression(iouThreshold: 0.5)
    expectEqual(
      rule.keptIndices(boxes: chain, confidences: [0.9, 0.8, 0.7], classIndices: []), [0, 2])
    expectEqual(
      rule.keptIndices(boxes: chain, confidences: [0.8, 0.9, 0.7], classIndices: []), [1])
  }

  @Test func thresholdZeroRemovesAnySharedAreaButNotATouch() {
    let rule = NonMaximumSuppression(iouThreshold: 0)
    let touching = [
      boxes[0], BoundingBox(x: 10, y: 0, width: 10, height: 10),
      BoundingBox(x: 9.999, y: 9.999, width: 100, height: 100),
    ]
    expectEqual(
      rule.keptIndices(boxes: touching, confidences: [3.0, 2, 1], classIndices: []), [0, 1])
  }

  @Test func thresholdOneKeepsEvenIdenticalBoxes() {
    let rule = NonMaximumSuppression(iouThreshold: 1)
    let same = [BoundingBox](repeating: boxes[0], count: 3)
    expectEqual(
      rule.keptIndices(boxes: same, confidences: [1.0, 2, 3], classIndices: []), [2, 1, 0])
  }

  @Test(arguments: [
    NonMaximumSuppression.Mode.classAgnostic, .perClass, .soft(sigma: 0.5, minimumConfidence: 0),
  ])
  func improperBoxesAndConfidencesAreDroppedAndInfluenceNothing(
    _ mode: NonMaximumSuppression.Mode
  ) {
    let good = boxes[0]
    let input: [(BoundingBox, Double)] = [
      (BoundingBox(x: .nan, y: 0, width: 10, height: 10), 0.99),
      (BoundingBox(x: 0, y: 0, width: .infinity, height: 10), 0.98),
      (BoundingBox(x: 0, y: 10, width: 10, height: -10), 0.97),
      (good, .nan), (good, .infinity), (good, -.infinity), (good, 0.5),
    ]
    let selection = NonMaximumSuppression(mode: mode).select(
      boxes: input.map { $0.0 }, confidences: input.map { $0.1 }, classIndices: [])
    expectEqual(selection.indices, [6])
    expectEqual(selection.confidences, [0.5])
  }

  @Test(arguments: [
    NonMaximumSuppression.Mode.classAgnostic, .soft(sigma: 0.5, minimumConfidence: 0),
  ])
  func boxesOfZeroAreaAreKeptAndRemoveNothing(_ mode: NonMaximumSuppression.Mode) {
    let point = BoundingBox(x: 5, y: 5, width: 0, height: 0)
    let line = BoundingBox(x: 0, y: 5, width: 10, height: 0)
    let selection = NonMaximumSuppression(iouThreshold: 0, mode: mode).select(
      boxes: [point, boxes[0], line, point], confidences: [0.9, 0.8, 0.7, 0.6], classIndices: [])
    expectEqual(selection.indices, [0, 1, 2, 3])
    expectEqual(selection.confidences, [0.9, 0.8, 0.7, 0.6])
  }

  @Test func noBoxesGiveNoBoxes() {
    expectEqual(
      NonMaximumSuppression().keptIndices(boxes: [], confidences: [Double](), classIndices: []), [])
  }

  @Test func atMostTheMaximumCountIsKept() {
    for mode in [NonMaximumSuppression.Mode.perClass, .soft(sigma: 0.5, minimumConfidence: 0)] {
      for count in [0, 1, 2, 9] {
        let rule = NonMaximumSuppression(
          iouThreshold: 0.9, mode: mode, maximumCount: count)
        let kept = rule.keptIndices(
          boxes: boxes, confidences: [0.4, 0.1, 0.2, 0.3], classIndices: [])
        expectEqual(kept.count, min(count, 4))
        if count > 0 { expectEqual(kept[0], 0) }
      }
    }
  }

  @Test func singlePrecisionConfidencesGiveTheSameAsTheirDoubles() {
    let single: [Float] = [0.1, 0.7, 0.30000001, 0.7]
    let rule = NonMaximumSuppression(mode: .soft(sigma: 0.3, minimumConfidence: 0.01))
    expectEqual(
      rule.select(boxes: boxes, confidences: single, classIndices: []),
      rule.select(boxes: boxes, confidences: single.map { Double($0) }, classIndices: []))
    expectEqual(
      NonMaximumSuppression().keptIndices(boxes: boxes, confidences: single, classIndices: []),
      [1, 3, 2])
  }

  @Test func wrongCountsAndThresholdsTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = NonMaximumSuppression(iouThreshold: .nan)
    }
    await #expect(processExitsWith: .failure) {
      _ = NonMaximumSuppression().keptIndices(
        boxes: [BoundingBox.zero], confidences: [Double](), classIndices: [])
    }
  }
}

@Suite struct SoftNonMaximumSuppressionTests {
  let first = BoundingBox(x: 0, y: 0, width: 10, height: 10)
  let second = BoundingBox(x: 5, y: 0, width: 10, height: 10)  // Overlaps the first by 1/3.

  @Test func lowersByTheGaussianOfTheOverlap() {
    let rule = NonMaximumSuppression(mode: .soft(sigma: 0.5, minimumConfidence: 0.001))
    let selection = rule.select(
      boxes: [first, second], confidences: [0.9, 0.8], classIndices: [1, 1])
    expectEqual(selection.indices, [0, 1])
    // exp(-(1/3)² / 0.5) = exp(-2/9) = 0.8007374029168081
    expectEqual(selection.confidences[0], 0.9)
    #expect(abs(selection.confidences[1] - 0.8 * 0.800_737_402_916_808_1) < 1e-15)
  }

  @Test func otherClassesAreLoweredOnlyWhereAgnostic() {
    for isClassAgnostic in [false, true] {
      let rule = NonMaximumSuppression(
        mode: .soft(sigma: 0.5, minimumConfidence: 0, isClassAgnostic: isClassAgnostic))
      let selection = rule.select(
        boxes: [first, second], confidences: [0.9, 0.8], classIndices: [1, 2])
      expectEqual((selection.confidences[1] < 0.8), isClassAgnostic)
    }
  }

  @Test func loweredBoxesFallBehindOthers() {
    let apart = BoundingBox(x: 100, y: 0, width: 10, height: 10)
    let rule = NonMaximumSuppression(mode: .soft(sigma: 0.5, minimumConfidence: 0))
    let selection = rule.select(
      boxes: [second, apart, first], confidences: [0.8, 0.7, 0.9], classIndices: [])
    expectEqual(selection.indices, [2, 1, 0])
  }

  @Test func boxesBelowTheMinimumAreRemovedFromTheStartAndAfterLowering() {
    let apart = BoundingBox(x: 100, y: 0, width: 10, height: 10)
    let rule = NonMaximumSuppression(mode: .soft(sigma: 0.5, minimumConfidence: 0.7))
    let selection = rule.select(
      boxes: [first, second, apart, apart.translated(x: 50, y: 0)],
      confidences: [0.9, 0.8, 0.7, 0.69], classIndices: [])
    expectEqual(selection.indices, [0, 2], "at the minimum is not below it")
  }

  @Test func identicalBoxesTieByIndexAfterLoweringToo() {
    let rule = NonMaximumSuppression(mode: .soft(sigma: 1, minimumConfidence: 0))
    let selection = rule.select(
      boxes: [first, second, second, second], confidences: [0.9, 0.5, 0.5, 0.5], classIndices: [])
    expectEqual(selection.indices, [0, 1, 2, 3])
    #expect(selection.confidences[1] > selection.confidences[2])
    #expect(selection.confidences[2] > selection.confidences[3])
  }
}
