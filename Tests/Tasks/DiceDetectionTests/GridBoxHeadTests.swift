import DiceDetection
import Foundation
import TestSupport
import Testing

@Suite struct GridBoxHeadTests {
  private let head = GridBoxHead(stride: 16, baseSize: 24, classCount: 6)

  /// sigmoid(0) = 1/2 puts the centre half a cell in, ln 3 makes 3/4 of it, ln 2 doubles the base
  /// size.
  @Test func boxesFollowTheFormula() {
    let box = head.boundingBox(
      column: 3, row: 1, tx: 0, ty: Float(log(3.0)), tw: Float(log(2.0)), th: 0)
    #expect(abs(box.midX - 3.5 * 16) < 1e-4)
    #expect(abs(box.midY - 2 * 16) < 1e-4)
    #expect(abs(box.width - 48) < 1e-3 && abs(box.height - 24) < 1e-6)
    expectEqual(head.channelCount, 11)
    expectEqual(GridBoxHead.objectness(0), 0.5)
  }

  @Test func whatIsNoNumberGivesNoFiniteBox() {
    for channel in 0..<4 {
      var t: [Float] = [0, 0, 0, 0]
      t[channel] = .nan
      let box = head.boundingBox(column: 0, row: 0, tx: t[0], ty: t[1], tw: t[2], th: t[3])
      #expect(!box.isFinite)
    }
  }
}
