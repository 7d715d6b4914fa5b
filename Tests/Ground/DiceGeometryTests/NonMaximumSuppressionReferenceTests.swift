import TestSupport
import DiceGeometry
import DiceNumerics
import Foundation
import Testing

@testable import struct DiceGeometry.DescendingOrder

/// Against the definition, written as plainly as can be.
@Suite struct NonMaximumSuppressionReferenceTests {
  struct Scene {
    var boxes: [BoundingBox] = []
    var confidences: [Double] = []
    var classIndices: [Int] = []
  }

  static func scene(
    _ kind: Int, count: Int, seed: UInt64
  ) -> Scene {
    var generator = SeededGenerator(seed: seed)
    var scene = Scene()
    for _ in 0..<count {
      let box: BoundingBox =
        switch kind {
        case 0:  // Scattered, of all sizes.
          BoundingBox(
            midX: generator.uniform(0...200), midY: generator.uniform(-50...50),
            width: 4 * generator.uniform(0...1) / generator.uniform(0.004...1),
            height: 4 * generator.uniform(0...1) / generator.uniform(0.004...1))
        case 1:  // On top of each other.
          BoundingBox(
            midX: generator.uniform(100...105), midY: generator.uniform(100...105),
            width: generator.uniform(20...40), height: generator.uniform(20...40))
        case 2:  // A lattice of equal boxes far from the origin, where coordinates are coarse.
          BoundingBox(
            x: 1e15 + generator.uniform(0...9).rounded(), y: generator.uniform(0...9).rounded() / 4,
            width: 4, height: 1)
        case 3:  // On a line, with all centres at one height, and tiny.
          BoundingBox(
            midX: generator.uniform(0...1e-9), midY: 3e-9, width: 1e-10, height: 2e-9)
        case 4:  // Long and thin both ways.
          BoundingBox(
            midX: generator.uniform(0...100), midY: generator.uniform(0...100),
            width: generator.uniform(0...1) < 0.5 ? 90 : 2,
            height: generator.uniform(0...1) < 0.5 ? 90 : 2)
        case 5:  // Where a coordinate has no room for the half of an odd width.
          BoundingBox(
            x: 0x1p+52 + generator.uniform(0...40).rounded(),
            y: generator.uniform(0...1).rounded() * 1000, width: 21, height: 21)
        default:  // So large that areas overflow.
          BoundingBox(
            midX: generator.uniform(0...9e299), midY: generator.uniform(0...9e299),
            width: generator.uniform(1e299...3e299), height: generator.uniform(1e299...3e299))
        }
      scene.boxes.append(box)
      scene.confidences.append(generator.uniform(0...1))
      scene.classIndices.append(Int.random(in: 0..<3, using: &generator))
    }
    return scene
  }

  static func greedy(_ scene: Scene, threshold: Double, isClassAgnostic: Bool) -> [Int] {
    let order = scene.boxes.indices.sorted {
      (-scene.confidences[$0], $0) < (-scene.confidences[$1], $1)
    }
    var kept: [Int] = []
    for index in order {
      let isCovered = kept.contains { other in
        (isClassAgnostic || scene.classIndices[other] == scene.classIndices[index])
          && scene.boxes[other].intersectionOverUnion(with: scene.boxes[index]) > threshold
      }
      if !isCovered { kept.append(index) }
    }
    return kept
  }

  static func soft(
    _ scene: Scene, sigma: Double, minimum: Double, isClassAgnostic: Bool
  ) -> NonMaximumSuppression.Selection {
    var confidences = scene.confidences
    var left = scene.boxes.indices.filter { confidences[$0] >= minimum }
    var selection = NonMaximumSuppression.Selection(indices: [], confidences: [])
    while let best = left.max(by: { (confidences[$0], -$0) < (confidences[$1], -$1) }) {
      selection.indices.append(best)
      selection.confidences.append(confidences[best])
      left.removeAll { $0 == best }
      for index in left
      where isClassAgnostic || scene.classIndices[index] == scene.classIndices[best] {
        let overlap = scene.boxes[index].intersectionOverUnion(with: scene.boxes[best])
        confidences[index] *= exponential(-overlap * overlap / sigma)
      }
      left.removeAll { confidences[$0] < minimum }
    }
    return selection
  }

  @Test(arguments: 0...6)
  func theGridFindsWhatComparingAllPairsFinds(_ kind: Int) {
    var removed = 0
    for (count, seed) in [(63, 1), (66, 2), (300, 3)] {
      let scene = Self.scene(kind, count: count, seed: UInt64(seed))
      for threshold in [0, 0.05, 0.3, 0.5, 0.8, 0.9, 0.99] {
        for isClassAgnostic in [true, false] {
          let rule = NonMaximumSuppression(
            iouThreshold: threshold,
            mode: isClassAgnostic ? .classAgnostic : .perClass)
          let kept = rule.keptIndices(
            boxes: scene.boxes, confidences: scene.confidences, classIndices: scene.classIndices)
          expectEqual(
            kept, Self.greedy(scene, threshold: threshold, isClassAgnostic: isClassAgnostic),
            "\(count) boxes, threshold \(threshold)")
          removed += count - kept.count
        }
      }
    }
    #expect(removed > 300)
  }

  @Test(arguments: 0...6)
  func softSuppressionEqualsItsDefinitionToTheLastBit(_ kind: Int) {
    for (count, seed) in [(50, 4), (150, 5)] {
      let scene = Self.scene(kind, count: count, seed: UInt64(seed))
      for (sigma, minimum) in [(0.5, 0.0), (0.2, 0.3), (1e-3, 0.01)] {
        for isClassAgnostic in [true, false] {
          let rule = NonMaximumSuppression(
            mode: .soft(
              sigma: sigma, minimumConfidence: minimum, isClassAgnostic: isClassAgnostic))
          let selection = rule.select(
            boxes: scene.boxes, confidences: scene.confidences, classIndices: scene.classIndices)
          expectEqual(
            selection,
            Self.soft(scene, sigma: sigma, minimum: minimum, isClassAgnostic: isClassAgnostic))
        }
      }
    }
  }

  @Test func theOrderOfTheInputDoesNotMatter() {
    let scene = Self.scene(0, count: 200, seed: 8)
    var generator = SeededGenerator(seed: 9)
    let places = Array(0..<200).shuffled(using: &generator)
    let rule = NonMaximumSuppression(iouThreshold: 0.1)
    let kept = rule.keptIndices(
      boxes: scene.boxes, confidences: scene.confidences, classIndices: scene.classIndices)
    let keptShuffled = rule.keptIndices(
      boxes: places.map { scene.boxes[$0] }, confidences: places.map { scene.confidences[$0] },
      classIndices: places.map { scene.classIndices[$0] })
    expectEqual(keptShuffled.map { places[$0] }, kept)
    #expect(kept.count < 200)
  }

  @Test(arguments: [0, 1, 2, 47, 48, 49, 50, 300])
  func sortsDescendingAndStably(_ count: Int) {
    var generator = SeededGenerator(seed: 11)
    let special = [
      0.0, -0.0, 1, -1, Double.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude, 1e308, -1e308,
      0.5, 0.25, .infinity,
    ]
    for kind in 0..<3 {
      let numbers = (0..<count).map { _ -> Double in
        switch kind {
        case 0: generator.uniform(-1...1)
        case 1: special.randomElement(using: &generator)!
        default: Double(Float(generator.uniform(0...1)))
        }
      }
      var order = DescendingOrder()
      order.removeAll(reserving: 0)
      for number in numbers { order.append(number) }
      order.sort()
      let expected = numbers.indices.sorted { (-numbers[$0], $0) < (-numbers[$1], $1) }
      expectEqual((0..<order.count).map { order[$0] }, expected)
    }
  }
}
