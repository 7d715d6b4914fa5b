import DiceWeights
import TestSupport
import Testing

/// Sizes of layers, compared with counting, and numbers that no file can hold.
struct ShapeInferenceTests {
  private static func height(
    of layers: [Layer], input: TensorShape = TensorShape(height: 9, width: 1, channels: 1)
  ) throws -> Int {
    var network = Networks.smallest
    network.inputs[0].shape = input
    network.layers = layers
    network.outputs[0].layer = layers.count - 1
    return try network.validated().layers[layers.count - 1].height
  }

  /// Windows laid one after the other until they reach over the end, instead of the formula.
  @Test func windowsAreAsManyAsFit() throws {
    var count = 0
    for size in 1...4 {
      for stride in 1...3 {
        for dilation in 1...3 {
          for before in 0...2 {
            for after in 0...2 {
              let span = (size - 1) * dilation + 1
              guard before < span, after < span else { continue }
              var expected = 0
              while expected * stride - before + span <= 9 + after { expected += 1 }
              let window = Layer.Window(
                height: size, width: 1, strideY: stride, dilationY: dilation,
                padding: Layer.Edges(top: before, bottom: after))
              let layer = Networks.convolution(.input(0), 1, 1, window: window, weights: 0)
              if expected == 0 {
                #expect(throws: WeightFileError.self) { try Self.height(of: [layer]) }
              } else {
                try expectEqual(Self.height(of: [layer]), expected)
              }
              count += 1
            }
          }
        }
      }
    }
    #expect(count > 200)
  }

  /// A transposed convolution enlarges to what an ordinary one with the same window reduces.
  @Test func transposedConvolutionUndoesTheSizeOfAConvolution() throws {
    var count = 0
    for size in 1...4 {
      for stride in 1...3 {
        for padding in 0..<size {
          let window = Layer.Window(
            height: size, width: 1, strideY: stride,
            padding: Layer.Edges(top: padding, bottom: padding))
          let small = window.outputSize(height: 9, width: 1).height
          for extra in 0..<stride {
            let layer = Layer.TransposedConvolution(
              input: .input(0), inputChannels: 1, outputChannels: 1, window: window,
              extraRows: extra, weights: 0, bias: 1)
            let height = (small - 1) * stride + size - 2 * padding + extra
            guard height > 0 else { continue }
            let found = try Self.height(
              of: [.transposedConvolution(layer)],
              input: TensorShape(height: small, width: 1, channels: 1))
            expectEqual(found, height)
            expectEqual(window.outputSize(height: found, width: 1).height, small)
            count += 1
          }
        }
      }
    }
    #expect(count > 30)
  }

  @Test func broadcastsEitherOperandAlongAnyAxis() throws {
    let extents = [1, 3]
    var count = 0
    for first in extents {
      for second in extents {
        for axis in Layer.Axis.allCases {
          var shapes = [TensorShape](
            repeating: TensorShape(height: 3, width: 3, channels: 3), count: 2)
          shapes[0][axis] = first
          shapes[1][axis] = second
          var network = Networks.smallest
          network.inputs = shapes.enumerated().map { NetworkInput(name: "\($0)", shape: $1) }
          network.layers = [.elementwise(Layer.Elementwise(.maximum, .input(0), .input(1)))]
          let found = try network.validated().layers[0]
          expectEqual(found[axis], max(first, second))
          count += 1
        }
      }
    }
    expectEqual(count, 12)
  }

  /// Numbers that no file can hold but a description made by hand can.
  @Test func refusesNumbersOutsideTheFormatWithoutTrapping() {
    let extremes = [Int.min, Int.min + 1, -1, 1 << 31, 1 << 32, Int.max - 1, Int.max]
    var count = 0
    for (index, layer) in Networks.everything.layers.enumerated() {
      for place in 0..<ExtremeNumbers.count {
        for extreme in extremes {
          var numbers = ExtremeNumbers(place: place, value: extreme)
          guard let changed = numbers.change(layer) else { continue }
          var network = Networks.everything
          network.layers[index] = changed
          if (try? network.validated()) != nil {
            Issue.record("layer \(index), field \(place): \(extreme) is accepted")
          }
          count += 1
        }
      }
    }
    #expect(count > 1500)
  }
}
