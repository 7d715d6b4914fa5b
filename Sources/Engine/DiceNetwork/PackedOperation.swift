internal import DiceKernels
internal import DiceWeights

/// Where the numbers that a layer computes with lie in a plan's memory.
struct PackedOperation: Sendable {
  /// The sums of a convolution, a transposed convolution or a dense layer.
  var sums: PackedSums?
  /// Whether an earlier layer has the same sums, whose numbers are this layer's, too.
  var sharesSums = false
  /// Vectors of numbers for the slots of the output: a batch normalisation's scales and, behind them,
  /// shifts; or the numbers of a constant or of a requantized sum as they stand in their tensor.
  var numbersOffset = 0
  /// The numbers of a function that has a tensor: for the slots of the output, one kind behind the other; or
  /// a table as it stands there.
  var functionOffset = 0
}

/// A convolution, a transposed convolution or a dense layer as convolutions that kernels know.
struct PackedSums: Hashable, Sendable {
  /// A position of a kernel.
  struct Tap: Hashable, Sendable {
    /// How many input rows and columns away from the output pixel's own it reads.
    var row: Int
    var column: Int
    /// Its number in the tensor of weights: row by row.
    var index: Int
  }

  /// A part of the output: some of the channels, for every pixel or every few pixels.
  struct Part: Hashable, Sendable {
    /// The positions of the kernel in the order in which they are added; empty where they are the
    /// pixels of the whole input.
    var taps: [Tap]
    var tapCount: Int
    /// The floats of an input pixel that are read.
    var slots: Range<Int>
    /// Blocks of 16 output channels.
    var blocks: Range<Int>
    /// The first output row and column.
    var firstRow = 0
    var firstColumn = 0
    /// The place of the weights, `[output block][tap][slot][16]`.
    var weightOffset = 0

    var weightCount: Int64 {
      Int64(tapCount) * Int64(slots.count) * Int64(blocks.count * channelGranularity)
    }
  }

  /// How the parts are computed.
  enum Method: Hashable, Sendable {
    /// Channels by themselves: one part, weights `[tap][slot]`.
    case depthwise
    /// Every part a convolution.
    case direct
    /// By Winograd's method where the map is large enough; the place of those weights.
    case winograd(WinogradForm, weightOffset: Int)
    /// With bfloat16 numbers on matrix units: one part, whose weights stand two to a float.
    case matrix(Windows)
    /// With 8-bit integers: one part, whose weights stand four to a float.
    case integers(IntegerWindows)
  }

  /// The rows of a kernel as matrix kernels read them.
  struct Windows: Hashable, Sendable {
    /// The rows of the kernel.
    var count: Int
    /// The values from the first slot of a row's first pixel to the last slot of its last one.
    var length: Int
    /// Values between neighbouring pixels.
    var pixelStep: Int

    var stepCount: Int { matrixStepCount(windowLength: length) }
  }

  /// The rows of a kernel as kernels of integers read them, and what their numbers mean.
  struct IntegerWindows: Hashable, Sendable {
    /// The rows of the kernel.
    var count: Int
    /// The values from the first slot of a row's first pixel to the last slot of its last one.
    var length: Int
    /// Values between neighbouring pixels, a multiple of 4.
    var pixelStep: Int
    /// The groups of four values that a window takes in the packed weights.
    var groupCount: Int
    /// What the kernels take from each input.
    var inputOffset: Int
    var input: Quantization
    var output: Quantization
    /// Whether sums become floats.
    var writesFloats: Bool
    /// Whether weights are whole numbers, which are taken as they are, and sums are requantized.
    var isExact = false
    /// Groups of four values of a pixel that stand once more behind the others: what more than 8 bits of a
    /// weight have is multiplied with them.
    var repeats: [Int] = []
    /// The place of the factors that sums are multiplied by.
    var scalesOffset = 0
  }

  var method: Method
  var parts: [Part]
  /// The tensors of weights and biases.
  var weights: Int
  var bias: Int
  /// Positions of the kernel, input channels of a group, groups and output channels.
  var tapCount: Int
  var groupInputs: Int
  var groups: Int
  var outputChannels: Int
  /// For each input channel its slot in the input's pixel.
  var inputSlots: [Int]
  /// Input rows and columns between two windows.
  var strideY = 1
  var strideX = 1
  /// Output rows and columns from one of a part's outputs to the next.
  var outputStepY = 1
  var outputStepX = 1
  /// Whether the taps are the pixels of the whole input, whatever its width.
  var coversInput = false
  /// The place of the biases, one for each slot of the output.
  var biasOffset = 0
  /// The slope of the rectifier that the kernel applies; 1 where it applies none.
  var slope: Float = 1
}

extension PackedSums {
  /// The most parts of a layer.
  private static let partCountLimit = 1 << 16

  /// How a layer is computed; nil for layers without weights of that kind.
  ///
  /// - Parameters:
  ///   - operation: The layer.
  ///   - input: The layout of its input, `[H, W, C]` of which is `shape`.
  /// - Throws: `weightsTooLarge` where a layer falls into more parts than any sensible one.
  init?(_ operation: Operation, input: ValueLayout, shape: TensorShape) throws(NetworkError) {
    switch operation.layer {
    case .convolution(let layer):
      self.init(
        weights: layer.weights, bias: layer.bias,
        tapCount: layer.window.height * layer.window.width, groups: layer.groups,
        outputChannels: layer.outputChannels, input: input)
      let window = layer.window
      (strideY, strideX) = (window.strideY, window.strideX)
      var taps: [Tap] = []
      for row in 0..<window.height {
        for column in 0..<window.width {
          taps.append(
            Tap(
              row: row * window.dilationY - window.padding.top,
              column: column * window.dilationX - window.padding.left, index: taps.count))
        }
      }
      if layer.isDepthwise {
        method = .depthwise
        parts = [
          Part(
            taps: taps, tapCount: tapCount, slots: 0..<input.paddedChannelCount,
            blocks: 0..<input.paddedChannelCount / channelGranularity)
        ]
      } else {
        parts = self.parts(of: taps, firstRow: 0, firstColumn: 0)
      }
    case .transposedConvolution(let layer):
      self.init(
        weights: layer.weights, bias: layer.bias,
        tapCount: layer.window.height * layer.window.width, groups: layer.groups,
        outputChannels: layer.outputChannels, input: input)
      (outputStepY, outputStepX) = (layer.window.strideY, layer.window.strideX)
      let rows = TransposedAxis(rowsOf: layer.window, extra: layer.extraRows)
      let columns = TransposedAxis(columnsOf: layer.window, extra: layer.extraColumns)
      let blockCount = paddedChannelCount(outputChannels) / channelGranularity
      let partCount = rows.stride * columns.stride * (groups == 1 ? 1 : blockCount)
      guard partCount <= Self.partCountLimit else {
        throw .weightsTooLarge(
          byteCount: Int64(partCount) * Int64(MemoryLayout<Part>.stride),
          limit: Int64(Self.partCountLimit * MemoryLayout<Part>.stride))
      }
      for y in 0..<rows.stride {
        for x in 0..<columns.stride {
          var taps: [Tap] = []
          for row in rows.taps(ofPhase: y) {
            for column in columns.taps(ofPhase: x) {
              taps.append(
                Tap(
                  row: row.distance, column: column.distance,
                  index: row.tap * layer.window.width + column.tap))
            }
          }
          for part in self.parts(of: taps, firstRow: y, firstColumn: x) { parts.append(part) }
        }
      }
    case .dense(let layer):
      let count = shape.height * shape.width
      self.init(
        weights: layer.weights, bias: layer.bias, tapCount: count, groups: 1,
        outputChannels: layer.outputChannels, input: input)
      coversInput = true
      parts = self.parts(of: [], firstRow: 0, firstColumn: 0)
      parts[0].tapCount = count
    default: return nil
    }
    if case .leakyReLU(let slope) = operation.activation { self.slope = slope }
  }

  private init(
    weights: Int, bias: Int, tapCount: Int, groups: Int, outputChannels: Int, input: ValueLayout
  ) {
    method = .direct
    parts = []
    self.weights = weights
    self.bias = bias
    self.tapCount = tapCount
    self.groups = groups
    self.outputChannels = outputChannels
    inputSlots = input.slots
    groupInputs = input.slots.count / groups
  }

  /// A part for neighbouring blocks of output channels that belong to the same groups.
  ///
  /// A block that several groups share reads the channels of all of them, with weights of 0 where a
  /// channel is of another group.
  private func parts(of taps: [Tap], firstRow: Int, firstColumn: Int) -> [Part] {
    let groupOutputs = outputChannels / groups
    var parts: [Part] = []
    var groupsBefore: ClosedRange<Int>?
    for block in 0..<paddedChannelCount(outputChannels) / channelGranularity {
      let first = block * channelGranularity
      let last = min(first + channelGranularity, outputChannels) - 1
      let blockGroups = first / groupOutputs...last / groupOutputs
      if groupsBefore == blockGroups {
        let part = parts[parts.count - 1]
        parts[parts.count - 1].blocks = part.blocks.lowerBound..<block + 1
        continue
      }
      groupsBefore = blockGroups
      let start = groups == 1 ? 0 : inputSlots[blockGroups.lowerBound * groupInputs]
      let end = inputSlots[(blockGroups.upperBound + 1) * groupInputs - 1] + 1
      parts.append(
        Part(
          taps: taps, tapCount: taps.count, slots: start..<end, blocks: block..<block + 1,
          firstRow: firstRow, firstColumn: firstColumn))
    }
    return parts
  }

  /// How Winograd's method can compute a layer; nil where it cannot.
  func winogradForm(_ operation: Operation) -> WinogradForm? {
    guard case .convolution(let layer) = operation.layer, operation.followers.isEmpty,
      groups == 1, parts.count == 1,
      parts[0].slots.count % channelGranularity == 0
    else { return nil }
    switch operation.activation {
    case .identity, .leakyReLU: break
    default: return nil
    }
    var window = layer.window
    window.padding = Layer.Edges()
    if window == Layer.Window(size: 3) { return WinogradForm(stride: 1) }
    #if !arch(wasm32)
      // Of 16 channels, transforms take more time than the multiplications they save.
      if window == Layer.Window(size: 3, stride: 2), parts[0].slots.count > channelGranularity {
        return WinogradForm(stride: 2)
      }
    #endif
    return nil
  }
}
