import DiceWeights
import DiceDetectorHeads
import TestSupport
import Testing

@testable import DiceModelImport

struct ArrangementTests {
  private static let map = Arrangement(
    shape: [1, 6, 4, 5], Places(rows: [2], columns: [3], channels: [1]))

  @Test func mapsHaveTheirChannelsSideBySide() {
    expectEqual(Self.map.tensorShape, TensorShape(height: 4, width: 5, channels: 6))
    expectEqual(Self.map.wholeAxes, Places(rows: [2], columns: [3], channels: [1]))
  }

  @Test func reshapingAndTransposingMoveNothing() throws {
    // 1 x 6 x 4 x 5 to 1 x 2 x 3 x 4 x 5, with the channels last, and back.
    let split = try #require(Self.map.reshaped(to: [1, 2, 3, 4, 5]))
    expectEqual(split.shape, [1, 2, 3, 4, 5])
    expectEqual(split.tensorShape, Self.map.tensorShape)
    let turned = split.transposed([0, 1, 3, 4, 2])
    expectEqual(turned.shape, [1, 2, 4, 5, 3])
    let back = try #require(turned.transposed([0, 1, 4, 2, 3]).reshaped(to: [1, 6, 4, 5]))
    expectEqual(back.simplified, Self.map)
  }

  @Test func shapesWithoutCommonCutsAreNotReshaped() {
    expectEqual(Self.map.reshaped(to: [8, 15]), nil)
    expectEqual(Self.map.reshaped(to: [6, 4, 4]), nil)
    expectEqual(Self.map.reshaped(to: [6, 20])?.shape, [6, 20])
  }

  @Test func aTensorOfSeveralAxesInOnePlaceHasItsNumbersInOrder() throws {
    let tensor = ModelTensor(
      name: "x", shape: [2, 3, 2], places: Places(rows: [2], channels: [1, 0]))
    let numbers = (0..<12).map { Float($0) }
    let value = tensor.valueNumbers(ofTensor: numbers)
    // value[r, 0, j * 2 + i] = tensor[i, j, r]
    #expect(value[0] == 0 && value[1] == 6 && value[2] == 2 && value[6] == 1)
    expectEqual(tensor.tensorNumbers(ofValue: value), numbers)
    expectEqual(ModelTensor(tensor.text), tensor)
  }
}
