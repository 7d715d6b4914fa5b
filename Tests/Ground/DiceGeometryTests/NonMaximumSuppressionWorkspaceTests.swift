import DiceGeometry
import TestSupport
import Testing

/// An array of any element, found by reflection.
private protocol Storage {
  var address: UInt { get }
}

extension Array: Storage {
  fileprivate var address: UInt {
    withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}

@Suite struct NonMaximumSuppressionWorkspaceTests {
  private static func addresses(_ value: Any) -> [UInt] {
    if let array = value as? any Storage { return [array.address] }
    return Mirror(reflecting: value).children.flatMap { addresses($0.value) }
  }

  private static let modes: [NonMaximumSuppression.Mode] = [
    .perClass, .classAgnostic, .soft(sigma: 0.5, minimumConfidence: 0.1),
  ]

  @Test func aUsedWorkspaceGivesWhatANewOneGives() {
    var workspace = NonMaximumSuppression.Workspace()
    var runCount = 0
    for (kind, count) in [(0, 300), (4, 10), (1, 200), (0, 0), (6, 90), (2, 120)] {
      let scene = NonMaximumSuppressionReferenceTests.scene(
        kind, count: count, seed: UInt64(count))
      for mode in Self.modes {
        let rule = NonMaximumSuppression(iouThreshold: 0.4, mode: mode)
        let fresh = rule.select(
          boxes: scene.boxes, confidences: scene.confidences, classIndices: scene.classIndices)
        rule.select(
          boxes: scene.boxes, confidences: scene.confidences, classIndices: scene.classIndices,
          using: &workspace)
        expectEqual(workspace.indices, fresh.indices)
        expectEqual(workspace.confidences, fresh.confidences)
        runCount += 1
      }
    }
    expectEqual(runCount, 18)
  }

  @Test func aWarmWorkspaceKeepsItsMemory() {
    var workspace = NonMaximumSuppression.Workspace()
    func run(_ kind: Int, _ count: Int) {
      let scene = NonMaximumSuppressionReferenceTests.scene(kind, count: count, seed: 1)
      for mode in Self.modes {
        NonMaximumSuppression(iouThreshold: 0.4, mode: mode).select(
          boxes: scene.boxes, confidences: scene.confidences, classIndices: scene.classIndices,
          using: &workspace)
      }
    }
    run(1, 400)
    // Two arrays of the sort change places, so that the set of addresses counts.
    let warm = Set(Self.addresses(workspace))
    #expect(warm.count >= 9)
    for (kind, count) in [(0, 400), (1, 399), (4, 20), (2, 400), (3, 250), (0, 400)] {
      run(kind, count)
      expectEqual(Set(Self.addresses(workspace)), warm, "scene \(kind) of \(count)")
    }
  }
}
