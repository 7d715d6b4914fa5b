/// Brings the weights of a convolution from `[KH, KW, I, O]` into the order that kernels read:
/// `[output block][tap][input slot][16]`.
///
/// Tap `t` is row `t / KW` and column `t % KW` of the kernel. Lanes behind the last output channel
/// are zero, so are slots that no input channel uses.
///
/// - Parameters:
///   - weights: `tapCount * inputSlots.count * outputChannelCount` values.
///   - tapCount: `KH * KW`.
///   - outputChannelCount: `O`.
///   - inputSlots: For each input channel its slot: its place among the floats of an input pixel.
///     Each slot is used once at most.
///   - slotCount: How many floats of an input pixel the kernel reads.
/// - Precondition: The counts are as said and not negative, every slot lies in `0..<slotCount`.
public func packWeights(
  _ weights: [Float], tapCount: Int, outputChannelCount: Int, inputSlots: [Int], slotCount: Int
) -> [Float] {
  packed(count: tapCount * slotCount * paddedChannelCount(outputChannelCount)) { (target) in
    packWeights(
      weights, to: target, tapCount: tapCount, outputChannelCount: outputChannelCount,
      inputSlots: inputSlots, slotCount: slotCount)
  }
}

/// Brings the weights of a convolution into the order that kernels read, in memory that is there.
///
/// - Parameter target: `tapCount * slotCount * paddedChannelCount(outputChannelCount)` floats, all
///   of them zero.
/// - Precondition: As for the function that makes its own memory.
public func packWeights(
  _ weights: [Float], to target: Address, tapCount: Int, outputChannelCount: Int,
  inputSlots: [Int], slotCount: Int
) {
  let inputChannelCount = inputSlots.count
  let blockSize = tapCount * slotCount * channelGranularity
  withWeights(weights, tapCount: tapCount, inputSlots, slotCount, outputChannelCount) { (source) in
    for t in 0..<tapCount {
      for i in 0..<inputChannelCount {
        let row = source.advanced(by: (t * inputChannelCount + i) * outputChannelCount)
        let first = (t * slotCount + inputSlots[i]) * channelGranularity
        for o in stride(from: 0, to: outputChannelCount, by: channelGranularity) {
          let place = o / channelGranularity * blockSize + first
          if o + channelGranularity <= outputChannelCount {
            target.store(row.vector(at: o, as: SIMD16<Float>.self), at: place)
          } else {
            for lane in 0..<outputChannelCount - o {
              target.store(row.scalar(at: o + lane), at: place + lane)
            }
          }
        }
      }
    }
  }
}

/// Zeros, and what `body` makes of them.
private func packed(count: Int, _ body: (Address) -> Void) -> [Float] {
  precondition(count >= 0, "counts are not negative")
  return unsafe [Float](unsafeUninitializedCapacity: max(count, 1)) { (memory, initializedCount) in
    unsafe memory.initialize(repeating: 0)
    unsafe body(Address(memory.baseAddress!))
    initializedCount = count
  }
}

/// Checks the weights of a convolution and hands out their place.
private func withWeights(
  _ weights: [Float], tapCount: Int, _ inputSlots: [Int], _ slotCount: Int,
  _ outputChannelCount: Int, _ body: (Address) -> Void
) {
  precondition(
    weights.count == tapCount * inputSlots.count * outputChannelCount,
    "weights must have one value for each tap, input channel and output channel")
  precondition(
    inputSlots.allSatisfy((0..<slotCount).contains), "a slot lies in 0..<slotCount")
  unsafe weights.withUnsafeBufferPointer { (values) in
    guard let first = values.baseAddress else { return }
    unsafe body(Address(first))
  }
}

/// Brings the weights of a convolution from `[KH, KW, I, O]` into `[output block][tap][I][16]`, input
/// channel `i` in slot `i`.
///
/// - Precondition: `weights.count == tapCount * inputChannelCount * outputChannelCount`.
public func packWeights(
  _ weights: [Float], tapCount: Int, inputChannelCount: Int, outputChannelCount: Int
) -> [Float] {
  packWeights(
    weights, tapCount: tapCount, outputChannelCount: outputChannelCount,
    inputSlots: Array(0..<inputChannelCount), slotCount: inputChannelCount)
}

/// The inverse of `packWeights`: from `[output block][tap][I][16]` to `[KH, KW, I, O]`; what stands in
/// the lanes behind the last output channel is dropped.
///
/// - Precondition: `packed` has a whole number of blocks of 16 for all taps and channels.
public func unpackWeights(
  _ packed: [Float], tapCount: Int, inputChannelCount: Int, outputChannelCount: Int
) -> [Float] {
  let blockSize = tapCount * inputChannelCount * channelGranularity
  let blockCount = paddedChannelCount(outputChannelCount) / channelGranularity
  precondition(
    packed.count == blockCount * blockSize,
    "packed weights have one value for each block, tap, input channel and lane")
  var weights: [Float] = []
  weights.reserveCapacity(tapCount * inputChannelCount * outputChannelCount)
  for inner in 0..<tapCount * inputChannelCount {
    for o in 0..<outputChannelCount {
      let block = o / channelGranularity
      weights.append(
        packed[block * blockSize + inner * channelGranularity + o % channelGranularity])
    }
  }
  return weights
}

/// The distances that a convolution's taps have from the first one's input, in floats.
///
/// Tap `t` reads the row `t / kernelSize - padding` and the column `t % kernelSize - padding` away
/// from the output pixel's own: `(row * rowStep + column * columnStep)`.
public func tapOffsets(kernelSize: Int, padding: Int, rowStep: Int, columnStep: Int) -> [Int] {
  var offsets: [Int] = []
  offsets.reserveCapacity(kernelSize * kernelSize)
  for row in 0..<kernelSize {
    for column in 0..<kernelSize {
      offsets.append((row - padding) * rowStep + (column - padding) * columnStep)
    }
  }
  return offsets
}

/// Brings the weights of a convolution of 3 by 3 taps from `[3, 3, I, O]` into the order that Winograd's
/// method reads: `[place of weights][output block][input slot][16]` of `G w Gᵀ` (`WinogradTask`).
///
/// Computed in double precision and rounded once.
///
/// - Parameters:
///   - weights: `9 * inputSlots.count * outputChannelCount` values.
///   - form: The tiles of the convolution's stride.
///   - outputChannelCount: `O`.
///   - inputSlots: For each input channel its slot: its place among the floats of an input pixel.
///   - slotCount: How many floats of an input pixel the kernel reads.
/// - Precondition: As for `packWeights`.
public func packWinogradWeights(
  _ weights: [Float], _ form: WinogradForm, outputChannelCount: Int, inputSlots: [Int],
  slotCount: Int
) -> [Float] {
  packed(
    count: WinogradForm.weightPlaceCount * slotCount * paddedChannelCount(outputChannelCount)
  ) { (target) in
    packWinogradWeights(
      weights, form, to: target, outputChannelCount: outputChannelCount, inputSlots: inputSlots,
      slotCount: slotCount)
  }
}

/// Brings the weights of a convolution of 3 by 3 taps into the order that Winograd's method reads, in
/// memory that is there.
///
/// - Parameter target: `WinogradForm.weightPlaceCount * slotCount *
///   paddedChannelCount(outputChannelCount)` floats, all of them zero.
/// - Precondition: As for the function that makes its own memory.
public func packWinogradWeights(
  _ weights: [Float], _ form: WinogradForm, to target: Address, outputChannelCount: Int,
  inputSlots: [Int], slotCount: Int
) {
  let placeStep = slotCount * paddedChannelCount(outputChannelCount)
  let side = WinogradForm.weightSide
  withWeights(weights, tapCount: 9, inputSlots, slotCount, outputChannelCount) { (source) in
    let tapStep = inputSlots.count * outputChannelCount
    for i in inputSlots.indices {
      for o in stride(from: 0, to: outputChannelCount, by: WinogradLine.laneCount) {
        let row = source.advanced(by: i * outputChannelCount + o)
        let count = min(WinogradLine.laneCount, outputChannelCount - o)
        let (left, middle, right) = (
          column(0, of: row, tapStep, count, form), column(1, of: row, tapStep, count, form),
          column(2, of: row, tapStep, count, form)
        )
        let first =
          (o / channelGranularity * slotCount + inputSlots[i]) * channelGranularity
          + o % channelGranularity
        for place in 0..<side {
          WinogradLine(left[place], middle[place], right[place], form)
            .store(to: target, at: place * side * placeStep + first, step: placeStep)
        }
      }
    }
  }
}

/// A column of three taps through `G`, for some output channels.
@inline(__always)
private func column(
  _ column: Int, of row: Address, _ tapStep: Int, _ count: Int, _ form: WinogradForm
) -> WinogradLine {
  @inline(__always) func tap(_ tap: Int) -> WinogradLine.Lanes {
    let place = row.advanced(by: tap * tapStep)
    var values = SIMD4<Float>.zero
    if count == WinogradLine.laneCount {
      values = place.vector(at: 0, as: SIMD4<Float>.self)
    } else {
      for lane in 0..<count { values[lane] = place.scalar(at: lane) }
    }
    // One by one: the compiler joins them, and calls a function for a whole vector.
    return WinogradLine.Lanes(
      Double(values.x), Double(values.y), Double(values.z), Double(values.w))
  }
  return WinogradLine(tap(column), tap(column + 3), tap(column + 6), form)
}

/// A line of three taps through Winograd's `G`: six sums.
private struct WinogradLine {
  typealias Lanes = SIMD4<Double>
  static let laneCount = Lanes.scalarCount

  private let sums: (Lanes, Lanes, Lanes, Lanes, Lanes, Lanes)

  @inline(__always) init(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ form: WinogradForm) {
    let sixth = Lanes(repeating: 1.0 / 6)
    if form.stride == 2 {
      let half = Lanes(repeating: 0.5)
      sums = (
        a * half, -(a + c) * half, (c - a) * sixth, (a + c + c) * sixth, c, b
      )
      return
    }
    let sum: Lanes = -(a + b + c)
    let difference: Lanes = -(a - b + c)
    let ends: Lanes = a * Lanes(repeating: 1.0 / 24) + c * sixth
    let middle: Lanes = b * Lanes(repeating: 1.0 / 12)
    sums = (
      a * Lanes(repeating: 0.25), sum * sixth, difference * sixth, ends + middle, ends - middle, c
    )
  }

  @inline(__always) subscript(_ index: Int) -> Lanes {
    switch index {
    case 0: sums.0
    case 1: sums.1
    case 2: sums.2
    case 3: sums.3
    case 4: sums.4
    default: sums.5
    }
  }

  /// Stores the sums, rounded, one step from each other.
  @inline(__always) func store(to target: Address, at place: Int, step: Int) {
    @inline(__always) func store(_ lanes: Lanes, _ index: Int) {
      target.store(
        SIMD4<Float>(Float(lanes.x), Float(lanes.y), Float(lanes.z), Float(lanes.w)),
        at: place + index * step)
    }
    store(sums.0, 0)
    store(sums.1, 1)
    store(sums.2, 2)
    store(sums.3, 3)
    store(sums.4, 4)
    store(sums.5, 5)
  }
}
