import DiceCodecs
import Foundation
import Testing

@testable import DiceVisionKit

/// One detector under many tasks at once, with everything that may change meanwhile.
///
/// Under the thread sanitizer, or with `DICEVISION_HAMMERING=N`, there are several times as many.
@Suite struct HammeringTests {
  private static let roundCount: Int = {
    if let text = ProcessInfo.processInfo.environment["DICEVISION_HAMMERING"] {
      return Int(text) ?? 1
    }
    return dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") == nil ? 1 : 6
  }()

  @Test func manyTasksHammerOneDetector() async throws {
    let detector = try PatternNetwork().detector(.init(threadCount: 3))
    let adjustable = AdjustableThresholds(Thresholds(iouThreshold: 0.5, confidenceThreshold: 0.5))
    let layouts = Layout.all.filter { $0.rule == .scaleFit }
    #expect(!layouts.isEmpty)
    let counts = try await withThrowingTaskGroup(of: Int.self) { (group) in
      for task in 0..<24 {
        group.addTask {
          var count = 0
          var follower = RollFollower()
          for step in 0..<4 * Self.roundCount {
            let layout = layouts[(task + step) % layouts.count]
            switch task % 6 {
            case 0:
              adjustable.confidenceThreshold = Float(step % 5) / 10
              adjustable.iouThreshold = 0.4 + Float(step % 3) / 10
            case 1:
              let file = PNGEncoder.encode(layout.image)
              let result = try await detector.detectConcurrently(inImageFile: file)
              count += result.count
            case 2:
              count += try detector.candidates(in: layout.image, confidenceThreshold: 0.2).count
            case 3:
              // A detector of its own comes and goes while the shared one works.
              let own = try PatternNetwork().detector(.init(threadCount: 2))
              count += try own.detect(in: layout.image).count
            case 4:
              let cancelled = Task {
                try await detector.detectConcurrently(in: layout.image)
              }
              cancelled.cancel()
              count += (try? await cancelled.value)?.count ?? 1
            default:
              _ = try follower.follow(
                StoredFrame(layout.image), with: detector, regionOfInterest: layout.region,
                thresholds: adjustable, at: .milliseconds(33 * step))
              count += follower.frameCount
            }
          }
          return count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.count == 24 && counts.filter { $0 > 0 }.count >= 16)
    #expect((1...detector.core.workspaces.limit).contains(detector.core.workspaces.count))
  }
}
