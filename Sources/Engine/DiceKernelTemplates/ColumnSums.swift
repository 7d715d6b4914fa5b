// Sums over the columns of a row: the horizontal half of resampling. No product is fused with a sum,
// so every instruction set gives the same bits. A pixel is one vector of four lanes everywhere: its
// channels, and lanes behind them that mean nothing.

/// A row of pixels, and for each output the weights of some neighbouring ones.
///
/// With `s[p]` the channels of pixel `p`, there are four sums for each output `i`, for `j` from 0 to
/// 3, each added up from the least `k` on:
///
///     sum[j] = 0 + Σ weights[i, k] * s[firsts[i] + k]    for k = j, j + 4, j + 8, ...
///     result[i] = ((sum[0] + sum[2]) + (sum[1] + sum[3])) * scale
///
/// | operand | layout |
/// |---|---|
/// | `row` | `[pixels, channelCount]` from pixel `start` on, `channelCount` in `1...4`, and 4 values behind |
/// | `firsts` | `[outputCount]` |
/// | `weights` | `[outputCount, 4 * groupCount]` |
/// | `result` | `[outputCount, 4]` |
///
/// All `4 * groupCount` pixels of an output are read, those with a weight of zero too: they must be
/// there and finite. Lanes of results from `channelCount` on are unspecified, but for one channel, where
/// all lanes are equal.
@frozen @safe public struct WeightedColumnsTask {
  /// The pixel `start`.
  public var row: Address
  /// Floats of a pixel.
  public var channelCount: Int
  /// Which pixel is the first of the row.
  public var start: Int
  /// The first pixel of each output, not less than `start`.
  public var firsts: UnsafePointer<Int>
  /// How many times four pixels each output has.
  public var groupCount: Int
  /// The weights of all outputs.
  public var weights: Address
  /// What all sums are multiplied with.
  public var scale: Float
  /// The number of outputs.
  public var outputCount: Int
  /// The first output.
  public var result: Address

  /// A task of the given parts.
  @unsafe
  public init(
    row: Address, channelCount: Int, start: Int, firsts: UnsafePointer<Int>, groupCount: Int,
    weights: Address, scale: Float, outputCount: Int, result: Address
  ) {
    self.row = row
    self.channelCount = channelCount
    self.start = start
    unsafe self.firsts = firsts
    self.groupCount = groupCount
    self.weights = weights
    self.scale = scale
    self.outputCount = outputCount
    self.result = result
  }
}

/// Sets outputs from neighbouring pixels of a row, with vectors of 128 bits; the formula stands at
/// `WeightedColumnsTask`.
@_alwaysEmitIntoClient @inline(__always)
public func setWeightedColumns(_ task: WeightedColumnsTask) {
  switch task.channelCount {
  case 1: setColumns(FourSamples.self, task, from: 0)
  case 4: setColumns(FourPixels.self, task, from: 0)
  default: setColumns(FourNarrowPixels.self, task, from: 0)
  }
}

/// Sets outputs from neighbouring pixels of a row, with vectors of 512 bits where a pixel has four
/// channels; the formula stands at `WeightedColumnsTask`.
@_alwaysEmitIntoClient @inline(__always)
public func setWeightedColumnsWide(_ task: WeightedColumnsTask) {
  switch task.channelCount {
  case 1: setColumns(FourSamples.self, task, from: 0)
  case 4: setColumnsByFour(task)
  default: setColumns(FourNarrowPixels.self, task, from: 0)
  }
}

/// Sets outputs one after the other.
@_alwaysEmitIntoClient @inline(__always)
func setColumns<Four: PixelSums>(_: Four.Type, _ task: WeightedColumnsTask, from first: Int) {
  // Loops of a known length for the usual scales.
  switch task.groupCount {
  case 1: setColumns(Four.self, task, groupCount: 1, from: first)
  case 2: setColumns(Four.self, task, groupCount: 2, from: first)
  case 3: setColumns(Four.self, task, groupCount: 3, from: first)
  default: setColumns(Four.self, task, groupCount: task.groupCount, from: first)
  }
}

@_alwaysEmitIntoClient @inline(__always)
func setColumns<Four: PixelSums>(
  _: Four.Type, _ task: WeightedColumnsTask, groupCount: Int, from first: Int
) {
  var index = first
  while index < task.outputCount {
    let pixels = task.pixels(of: index)
    let weights = task.weights.advanced(by: index &* groupCount &* 4)
    var sums = Four()
    var group = 0
    while group < groupCount {
      sums.add(pixels, task.channelCount, weights, group: group)
      group &+= 1
    }
    task.result.store(sums.total * task.scale, at: index &* 4)
    index &+= 1
  }
}

/// Sets four outputs at once.
///
/// The length of the inner loop is not told to the compiler, which would undo wide vectors to make their
/// sums simpler.
@_alwaysEmitIntoClient @inline(__always)
func setColumnsByFour(_ task: WeightedColumnsTask) {
  typealias Four = FourPixels
  let weightStep = task.groupCount &* 4
  var weights0 = task.weights
  var index = 0
  while index &+ 4 <= task.outputCount {
    let pixels0 = task.pixels(of: index)
    let pixels1 = task.pixels(of: index &+ 1)
    let pixels2 = task.pixels(of: index &+ 2)
    let pixels3 = task.pixels(of: index &+ 3)
    let weights1 = weights0.advanced(by: weightStep)
    let weights2 = weights1.advanced(by: weightStep)
    let weights3 = weights2.advanced(by: weightStep)
    var sums0 = Four()
    var sums1 = Four()
    var sums2 = Four()
    var sums3 = Four()
    var group = 0
    while group < task.groupCount {
      sums0.add(pixels0, task.channelCount, weights0, group: group)
      sums1.add(pixels1, task.channelCount, weights1, group: group)
      sums2.add(pixels2, task.channelCount, weights2, group: group)
      sums3.add(pixels3, task.channelCount, weights3, group: group)
      group &+= 1
    }
    let totals = Four.totals(sums0, sums1, sums2, sums3)
    task.result.store(totals * SIMD16<Float>(repeating: task.scale), at: index &* 4)
    weights0 = weights3.advanced(by: weightStep)
    index &+= 4
  }
  setColumns(Four.self, task, groupCount: task.groupCount, from: index)
}

extension WeightedColumnsTask {
  /// The first pixel of an output.
  @_alwaysEmitIntoClient @inline(__always)
  func pixels(of index: Int) -> Address {
    row.advanced(by: unsafe (firsts[index] &- start) &* channelCount)
  }
}

/// Sums over every fourth pixel.
@usableFromInline protocol PixelSums {
  /// Sums of nothing.
  init()
  /// Adds the four pixels of a group, with a weight each.
  mutating func add(_ pixels: Address, _ channelCount: Int, _ weights: Address, group: Int)
  /// All of them together.
  var total: SIMD4<Float> { get }
}

/// Pixels of one channel: a lane for each sum.
@frozen @usableFromInline struct FourSamples: PixelSums {
  @usableFromInline var sums: SIMD4<Float>

  @_alwaysEmitIntoClient @inline(__always)
  init() { sums = SIMD4(repeating: 0) }

  @_alwaysEmitIntoClient @inline(__always)
  mutating func add(_ pixels: Address, _ channelCount: Int, _ weights: Address, group: Int) {
    sums +=
      pixels.vector(at: group &* 4, as: SIMD4<Float>.self)
      * weights.vector(at: group &* 4, as: SIMD4<Float>.self)
  }

  @_alwaysEmitIntoClient @inline(__always)
  var total: SIMD4<Float> { SIMD4(repeating: (sums.x + sums.z) + (sums.y + sums.w)) }
}

/// Pixels of two or three channels: a vector for each sum.
@frozen @usableFromInline struct FourNarrowPixels: PixelSums {
  @usableFromInline var sum0: SIMD4<Float>
  @usableFromInline var sum1: SIMD4<Float>
  @usableFromInline var sum2: SIMD4<Float>
  @usableFromInline var sum3: SIMD4<Float>

  @_alwaysEmitIntoClient @inline(__always)
  init() {
    sum0 = SIMD4(repeating: 0)
    sum1 = SIMD4(repeating: 0)
    sum2 = SIMD4(repeating: 0)
    sum3 = SIMD4(repeating: 0)
  }

  @_alwaysEmitIntoClient @inline(__always)
  mutating func add(_ pixels: Address, _ channelCount: Int, _ weights: Address, group: Int) {
    typealias Pixel = SIMD4<Float>
    let pixels = pixels.advanced(by: group &* 4 &* channelCount)
    let weights = weights.advanced(by: group &* 4)
    sum0 += pixels.vector(at: 0, as: Pixel.self) * weights.scalar(at: 0)
    sum1 += pixels.vector(at: channelCount, as: Pixel.self) * weights.scalar(at: 1)
    sum2 += pixels.vector(at: 2 &* channelCount, as: Pixel.self) * weights.scalar(at: 2)
    sum3 += pixels.vector(at: 3 &* channelCount, as: Pixel.self) * weights.scalar(at: 3)
  }

  @_alwaysEmitIntoClient @inline(__always)
  var total: SIMD4<Float> { (sum0 + sum2) + (sum1 + sum3) }
}

/// Pixels of four channels: four of them in one vector.
@frozen @usableFromInline struct FourPixels: PixelSums {
  @usableFromInline var sums: SIMD16<Float>

  @_alwaysEmitIntoClient @inline(__always)
  init() { sums = SIMD16(repeating: 0) }

  @_alwaysEmitIntoClient @inline(__always)
  mutating func add(_ pixels: Address, _ channelCount: Int, _ weights: Address, group: Int) {
    let weights = weights.vector(at: group &* 4, as: SIMD4<Float>.self)
    var factors = SIMD16<Float>()
    for lane in 0..<16 { factors[lane] = weights[lane / 4] }
    sums += pixels.vector(at: group &* 16, as: SIMD16<Float>.self) * factors
  }

  @_alwaysEmitIntoClient @inline(__always)
  var total: SIMD4<Float> {
    let pairs = sums.lowHalf + sums.highHalf
    return pairs.lowHalf + pairs.highHalf
  }

  /// The totals of four outputs, each with the same order of additions as `total`.
  @_alwaysEmitIntoClient @inline(__always)
  static func totals(
    _ a: FourPixels, _ b: FourPixels, _ c: FourPixels, _ d: FourPixels
  ) -> SIMD16<Float> {
    let first = pairs(a.sums, b.sums)
    let second = pairs(c.sums, d.sums)
    let even = SIMD16(
      lowHalf: SIMD8(lowHalf: first.lowHalf.lowHalf, highHalf: first.highHalf.lowHalf),
      highHalf: SIMD8(lowHalf: second.lowHalf.lowHalf, highHalf: second.highHalf.lowHalf))
    let odd = SIMD16(
      lowHalf: SIMD8(lowHalf: first.lowHalf.highHalf, highHalf: first.highHalf.highHalf),
      highHalf: SIMD8(lowHalf: second.lowHalf.highHalf, highHalf: second.highHalf.highHalf))
    return even + odd
  }

  /// `sum 0 + sum 2` and `sum 1 + sum 3` of two outputs.
  @_alwaysEmitIntoClient @inline(__always)
  static func pairs(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<Float> {
    SIMD16(lowHalf: a.lowHalf, highHalf: b.lowHalf)
      + SIMD16(lowHalf: a.highHalf, highHalf: b.highHalf)
  }
}
