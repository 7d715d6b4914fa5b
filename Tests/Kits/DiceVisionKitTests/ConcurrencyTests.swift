import DiceCodecs
import TestSupport
import Testing

@testable import DiceVisionKit

@Suite struct ConcurrencyTests {
  /// A picture of many shades, in which the bundled weights find whatever they find.
  private static let busy: PixelImage = {
    var samples: [UInt8] = []
    var state: UInt32 = 7
    for y in 0..<150 {
      for x in 0..<200 {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = UInt8(state >> 28)
        let isDie = (x / 30 + y / 30) % 2 == 0
        let isPip = (x % 10 - 5) * (x % 10 - 5) + (y % 10 - 5) * (y % 10 - 5) < 6
        let shade: UInt8 = isDie ? (isPip ? 20 : 220) : 90
        samples += [shade + noise, shade + noise / 2, shade]
      }
    }
    return PixelImage(width: 200, height: 150, format: .rgb, samples: samples)
  }()

  @Test func givesTheSameBitsForEveryNumberOfThreads() throws {
    let threshold = Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.001)
    let reference = try DiceDetector(configuration: .init(threadCount: 1))
    let expected = try reference.candidates(in: Self.busy, confidenceThreshold: 0.001)
    let expectedResult = try reference.detect(in: Self.busy, thresholds: threshold)
    #expect(!expected.isEmpty)
    for threadCount in [2, 3, 8] {
      let detector = try DiceDetector(configuration: .init(threadCount: threadCount))
      expectEqual(detector.threadCount, threadCount)
      for _ in 0..<2 {
        try expectEqual(detector.candidates(in: Self.busy, confidenceThreshold: 0.001), expected)
        #expect(
          try detector.detect(in: Self.busy, thresholds: threshold)
            .hasSameContent(as: expectedResult))
      }
    }
  }

  @Test func manyTasksMayUseOneDetectorAtOnce() async throws {
    let detector = try PatternNetwork().detector(.init(threadCount: 2))
    let layouts = Layout.all.filter { $0.rule == .scaleFit }
    var expected: [DetectionResult] = []
    for layout in layouts {
      expected.append(try detector.detect(in: layout.image, regionOfInterest: layout.region))
    }
    let results = expected
    let identifiers = try await withThrowingTaskGroup(of: [UInt64].self) { (group) in
      for task in 0..<16 {
        group.addTask {
          var identifiers: [UInt64] = []
          for step in 0..<12 {
            let index = (task + step) % layouts.count
            let layout = layouts[index]
            let orientation = ImageOrientation.allCases[(task * 3 + step) % 8]
            let result = try detector.detect(
              in: layout.image.stored(orientation), regionOfInterest: layout.region)
            #expect(result.matches(layout.blocks))
            #expect(
              zip(result.observations, results[index].observations).allSatisfy {
                $0.boundingBox == $1.boundingBox && $0.value == $1.value
              })
            if orientation == .up { #expect(result.hasSameContent(as: results[index])) }
            identifiers += result.observations.map(\.identifier)
          }
          return identifiers
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(identifiers.count > 16 * 12)
    expectEqual(Set(identifiers).count, identifiers.count)
    // Memory of calls that ran at once is kept for as many calls as there are processors.
    #expect((1...detector.core.workspaces.limit).contains(detector.core.workspaces.count))
  }

  @Test func concurrentCallsGiveTheSameBits() async throws {
    let detector = try DiceDetector()
    let expected = try detector.candidates(in: Self.busy, confidenceThreshold: 0.001)
    try await withThrowingTaskGroup(of: [DieCandidate].self) { (group) in
      for _ in 0..<8 {
        group.addTask { try detector.candidates(in: Self.busy, confidenceThreshold: 0.001) }
      }
      for try await candidates in group { expectEqual(candidates, expected) }
    }
  }

  @Test func memoryIsUsedAgain() throws {
    let detector = try PatternNetwork().detector(.init(threadCount: 1))
    let everything = Thresholds(iouThreshold: 1, confidenceThreshold: 0)
    // Padding holds no observations, so this one has the most.
    _ = try detector.detect(
      in: Layout.all[3].image, regionOfInterest: Layout.all[3].region, thresholds: everything)
    let workspace = try #require(detector.core.workspaces.take())
    detector.core.workspaces.giveBack(workspace)
    func addresses() -> [UnsafeRawPointer?] {
      [
        workspace.proposals.withUnsafeBytes { $0.baseAddress },
        workspace.selected.withUnsafeBytes { $0.baseAddress },
        workspace.order.withUnsafeBytes { $0.baseAddress },
        workspace.candidates.candidates.withUnsafeBytes { $0.baseAddress },
        workspace.suppression.indices.withUnsafeBytes { $0.baseAddress },
        workspace.suppression.confidences.withUnsafeBytes { $0.baseAddress },
      ]
    }
    let before = addresses()
    for step in 0..<50 {
      let layout = Layout.all[step % 2 == 0 ? 0 : 3]
      _ = try detector.detect(
        in: layout.image.stored(ImageOrientation.allCases[step % 8]),
        regionOfInterest: layout.region, thresholds: everything)
      if addresses() != before { Issue.record("frame \(step) moved memory") }
    }
    expectEqual(detector.core.workspaces.count, 1)
    #expect(detector.core.workspaces.take() === workspace)
  }

  @Test func workspacesComeBackAfterErrors() throws {
    let detector = try PatternNetwork().detector()
    let image = PixelImage.blocks([], width: 64, height: 64)
    for _ in 0..<3 {
      _ = try? detector.detect(
        in: image, thresholds: Thresholds(iouThreshold: 7, confidenceThreshold: 0))
      _ = try? detector.detect(
        in: image, regionOfInterest: NormalizedRect(x: 2, y: 0, width: 1, height: 1))
      expectEqual(detector.core.workspaces.count, 1)
    }
  }

  @Test func detectsAwayFromTheCallersActor() async throws {
    let detector = try PatternNetwork().detector()
    let layout = Layout.all[3]
    let stored = layout.image.stored(.right)
    let result = try await detector.detectConcurrently(
      in: stored, regionOfInterest: layout.region, thresholds: .dice)
    #expect(result.matches(layout.blocks))
    let frame = try StoredFrame(
      pixels: stored.samples, format: .rgb, width: stored.width, height: stored.height)
    let second = try await detector.detectConcurrently(
      in: frame, orientation: .right, regionOfInterest: layout.region)
    #expect(second.hasSameContent(as: result))
    let third = try await detector.detectConcurrently(
      inImageFile: PNGEncoder.encode(stored), regionOfInterest: layout.region)
    #expect(third.hasSameContent(as: result))
  }

  @Test func cancelledTasksEndWithAnError() async throws {
    let detector = try PatternNetwork().detector()
    let image = Layout.all[0].image
    let file = PNGEncoder.encode(image)
    let task = Task { () async throws -> Void in
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: DetectorError.cancelled) {
        try await detector.detectConcurrently(in: image)
      }
      await #expect(throws: DetectorError.cancelled) {
        try await detector.detectConcurrently(inImageFile: file)
      }
      await #expect(throws: DetectorError.cancelled) {
        try await detector.detectConcurrently(inImageFileAt: "/nowhere")
      }
      // The version that waits does not look at the task.
      let result = try detector.detect(in: image)
      expectEqual(result.count, 6)
    }
    try await task.value
    expectEqual(detector.core.workspaces.count, 1)
  }

  @Test func cancellationCountsBetweenStages() async throws {
    let detector = try PatternNetwork().detector()
    let image = Layout.all[0].image
    let task = Task { () async -> Void in
      await #expect(throws: DetectorError.cancelled) {
        try await detector.detectConcurrently(in: image, thresholds: CancellingProvider())
      }
    }
    await task.value
    expectEqual(detector.core.workspaces.count, 1)
  }
}

/// Cancels the task that asks it.
private struct CancellingProvider: ThresholdProvider {
  func featureValue(for name: String) -> Float? {
    withUnsafeCurrentTask { $0?.cancel() }
    return nil
  }
}
