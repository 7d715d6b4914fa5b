/// A convolution of 8-bit integers, whose sums become 8-bit integers again, or floats.
///
/// `sum[y, x, o] = bias[o] + Σ over taps t, groups i, places j in 0..<4 of
/// input[y, x, t, i, j] * weights[o, t, i, j]`
///
/// `integer[y, x, o] = round(clamp(leaky(sum * scales[o]) + zero, 0...255))`,
/// `float[y, x, o] = sum * scales[o]`, or the sum requantized
///
/// Inputs are unsigned integers, weights signed ones, sums 32-bit integers. Four integers stand in the
/// place of a float, so steps and offsets count groups of four. A sum becomes the nearest float; each
/// product and each sum of floats is rounded once, the result to the nearest integer, halfway cases to
/// the even one. All implementations give the same bits.
@frozen @safe public struct IntegerLayerTask {
  /// The sums: ``ConvolutionTask`` with groups of four inputs in place of channels, the packed weights
  /// `[output block][tap][group][16][4]`, biases that are integers, and slope 1.
  ///
  /// The steps of the output count groups of four integers, or floats where ``writesFloats``.
  public var convolution: ConvolutionTask
  /// One factor for each output channel.
  public var scales: Address
  /// The slope of the leaky rectifier below zero; 1 is the identity.
  public var slope: Float
  /// The integer that stands for 0.
  public var zero: Float
  /// Whether sums become floats; slope and zero are not looked at.
  public var writesFloats: Bool
  /// What sums are requantized with, in place of a scale, where they become floats of whole value.
  public var requantization: Requantization?

  /// A task of the given parts.
  public init(
    convolution: ConvolutionTask, scales: Address, slope: Float, zero: Float, writesFloats: Bool,
    requantization: Requantization? = nil
  ) {
    self.convolution = convolution
    self.scales = scales
    self.slope = slope
    self.zero = zero
    self.writesFloats = writesFloats
    self.requantization = requantization
  }

  /// The floats of memory that one thread works with.
  public static var scratchCount: Int { 1024 }
}

/// Lanes of floats, or of 32-bit integers in their place.
public protocol IntegerLanes: FloatLanes {
  /// Writes the nearest integers to numbers limited to 0...255, one byte each; a NaN gives 0.
  func storeBytes(_ target: UnsafeMutableRawPointer)
}

extension IntegerLanes {
  /// The nearest floats to the integers in the lanes.
  @_alwaysEmitIntoClient @inline(__always)
  var integersAsFloats: Self { Self(nearest: laneBits(self)) }
}

extension SIMD4<Float>: IntegerLanes {
  /// Writes the nearest integers to numbers limited to 0...255, one byte each; a NaN gives 0.
  @_alwaysEmitIntoClient @inline(__always)
  public func storeBytes(_ target: UnsafeMutableRawPointer) {
    // 1.5 * 2²³: the last place of the sum is 1.
    let sums = less(greater(Self(), self), Self(repeating: 255)) + 12_582_912
    let n = unsafe unsafeBitCast(sums, to: SIMD4<UInt32>.self)
    let low = n[0] & 0xFF | (n[1] & 0xFF) &<< 8
    unsafe target.storeBytes(of: low | (n[2] & 0xFF) &<< 16 | n[3] &<< 24, as: UInt32.self)
  }
}

extension SIMD8<Float>: IntegerLanes {
  /// Writes the nearest integers to numbers limited to 0...255, one byte each; a NaN gives 0.
  @_alwaysEmitIntoClient @inline(__always)
  public func storeBytes(_ target: UnsafeMutableRawPointer) {
    // 1.5 * 2²³: the last place of the sum is 1.
    let sums = less(greater(Self(), self), Self(repeating: 255)) + 12_582_912
    let n = unsafe unsafeBitCast(sums, to: SIMD8<UInt32>.self)
    unsafe target.storeBytes(of: SIMD8<UInt8>(truncatingIfNeeded: n), as: SIMD8<UInt8>.self)
  }
}

extension SIMD16<Float>: IntegerLanes {
  /// Writes the nearest integers to numbers limited to 0...255, one byte each; a NaN gives 0.
  @_alwaysEmitIntoClient @inline(__always)
  public func storeBytes(_ target: UnsafeMutableRawPointer) {
    unsafe target.storeBytes(of: nearestBytes, as: SIMD16<UInt8>.self)
  }

  /// The nearest integers to numbers limited to 0...255; a NaN gives 0.
  @_alwaysEmitIntoClient @inline(__always)
  var nearestBytes: SIMD16<UInt8> {
    // 1.5 * 2²³: the last place of the sum is 1.
    let sums = less(greater(Self(), self), Self(repeating: 255)) + 12_582_912
    return SIMD16<UInt8>(truncatingIfNeeded: unsafe unsafeBitCast(sums, to: SIMD16<UInt32>.self))
  }
}

/// How a module writes 8-bit integers: a type of its own, so that no code for one instruction set is shared with
/// another.
public protocol IntegerStore {
  /// The vector of output channels.
  associatedtype Lanes: IntegerLanes

  /// Writes the nearest integers to numbers limited to 0...255, one byte each; a NaN gives 0.
  static func store(_ values: Lanes, _ target: UnsafeMutableRawPointer)
}

extension IntegerStore {
  /// Writes the nearest integers to numbers limited to 0...255, one byte each; a NaN gives 0.
  @_alwaysEmitIntoClient @inline(__always)
  public static func store(_ values: Lanes, _ target: UnsafeMutableRawPointer) {
    unsafe values.storeBytes(target)
  }
}

/// Products of four integers each on vectors of 32-bit lanes alone: right on every processor, fast on none.
public enum PlainIntegerProducts: MultiplyAdd {
  /// `sum` and the products of unsigned integers `a` with signed ones `b`, four in each lane.
  @_alwaysEmitIntoClient @inline(__always)
  public static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
    // A mask of floats is a vector of as many 32-bit integers.
    typealias Words = Vector.MaskStorage
    typealias Word = Vector.MaskStorage.Scalar
    let factors = unsafe unsafeBitCast(a, to: Words.self)
    let weights = unsafe unsafeBitCast(b, to: Words.self)
    var result = unsafe unsafeBitCast(sum, to: Words.self)
    let byte = Words(repeating: Word(truncatingIfNeeded: 0xFF))
    let (one, two, three) = (
      Words(repeating: Word(truncatingIfNeeded: 8)), Words(repeating: Word(truncatingIfNeeded: 16)),
      Words(repeating: Word(truncatingIfNeeded: 24))
    )
    result = result &+ (factors & byte) &* ((weights &<< three) &>> three)
    result = result &+ ((factors &>> one) & byte) &* ((weights &<< two) &>> three)
    result = result &+ ((factors &>> two) & byte) &* ((weights &<< one) &>> three)
    result = result &+ ((factors &>> three) & byte) &* (weights &>> three)
    return unsafe unsafeBitCast(result, to: Vector.self)
  }
}

/// The pixels of one row, for as many channels as a tile is wide.
@frozen @usableFromInline struct IntegerRow<Store: IntegerStore>: TileBody {
  @usableFromInline let task: IntegerLayerTask
  /// The sums, which go to memory of the thread's own.
  @usableFromInline let sums: ConvolutionTask
  @usableFromInline let row: Int
  @usableFromInline let channel: Int

  /// The floats from one pixel's sums to those of the next.
  @_alwaysEmitIntoClient @inline(__always)
  static var step: Int { 32 }

  @_alwaysEmitIntoClient @inline(__always)
  init(_ task: IntegerLayerTask, scratch: Address, row: Int, channel: Int) {
    self.task = task
    var sums = task.convolution
    sums.output = scratch.advanced(by: -channel)
    sums.outputColumnStep = Self.step
    sums.slope = 1
    sums.accumulates = false
    self.sums = sums
    self.row = row
    self.channel = channel
  }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline func callAsFunction<T: Tile>(_ type: T.Type, start: Int) {
    convolveTile(
      type, sums,
      input: sums.input.advanced(by: row * sums.inputRowStep + start * sums.inputColumnStep),
      output: sums.output, channel: channel)
    finish(
      Store.self, task, sums: sums.output.advanced(by: channel), step: Self.step, row: row,
      column: start, pixelCount: T.rowCount, channel: channel, vectorCount: T.vectorCount)
  }
}

/// Writes what the sums of some pixels become.
///
/// A function of its own: inlined into every size of tile, it takes the compiler twice the time.
@_alwaysEmitIntoClient @inline(never)
func finish<Store: IntegerStore>(
  _: Store.Type, _ task: IntegerLayerTask, sums: Address, step: Int, row: Int, column: Int,
  pixelCount: Int, channel: Int, vectorCount: Int
) {
  typealias Lanes = Store.Lanes
  let convolution = task.convolution
  let slope = Lanes(repeating: task.slope)
  let zero = Lanes(repeating: task.zero)
  let first = convolution.output.advanced(
    by: row * convolution.outputRowStep + column * convolution.outputColumnStep)
  if let requantization = task.requantization {
    requantize(
      Lanes.self, requantization, sums: sums, step: step, to: first,
      targetStep: convolution.outputColumnStep, pixelCount: pixelCount, channel: channel,
      vectorCount: vectorCount)
    return
  }
  var vector = 0
  while vector < vectorCount {
    let place = channel + vector * Lanes.scalarCount
    let scales = task.scales.vector(at: place, as: Lanes.self)
    var source = sums.advanced(by: vector * Lanes.scalarCount)
    var target = first
    var pixel = 0
    while pixel < pixelCount {
      let values = source.vector(at: 0, as: Lanes.self).integersAsFloats * scales
      if task.writesFloats {
        target.store(values, at: place)
      } else {
        unsafe Store.store(
          leakyRectified(values, slope: slope) + zero,
          UnsafeMutableRawPointer(target.pointer) + place)
      }
      source = source.advanced(by: step)
      target = target.advanced(by: convolution.outputColumnStep)
      pixel += 1
    }
    vector += 1
  }
}

/// Writes sums of some pixels as whole numbers of another scale.
@_alwaysEmitIntoClient @inline(__always)
func requantize<Lanes: IntegerLanes>(
  _: Lanes.Type, _ task: Requantization, sums: Address, step: Int, to first: Address,
  targetStep: Int, pixelCount: Int, channel: Int, vectorCount: Int
) {
  var vector = 0
  while vector < vectorCount {
    let place = channel + vector * Lanes.scalarCount
    let lanes = RequantizedLanes<Lanes>(task, channel: place)
    var source = sums.advanced(by: vector * Lanes.scalarCount)
    var target = first
    var pixel = 0
    while pixel < pixelCount {
      target.store(lanes(laneBits(source.vector(at: 0, as: Lanes.self))), at: place)
      source = source.advanced(by: step)
      target = target.advanced(by: targetStep)
      pixel += 1
    }
    vector += 1
  }
}

/// The rows `rows` of a layer of integers.
///
/// - Parameter scratch: memory for `IntegerLayerTask.scratchCount` floats.
@_alwaysEmitIntoClient @inline(__always)
public func convolve<Tiles: TileSet, Store: IntegerStore>(
  _: Tiles.Type, _: Store.Type, _ task: IntegerLayerTask, rows: Range<Int>, scratch: Address
) where Tiles.Vector == Store.Lanes {
  let lanes = Tiles.Vector.scalarCount
  let channelCount = task.convolution.outputBlockCount * channelBlock
  var row = rows.lowerBound
  while row < rows.upperBound {
    var channel = 0
    while channel &+ 2 &* lanes <= channelCount {
      forEachTile(
        large: Tiles.WideLarge.self, single: Tiles.WideSingle.self,
        fillingLimit: Tiles.fillingLimit, leastRows: Tiles.leastRows, count: task.convolution.width,
        body: IntegerRow<Store>(task, scratch: scratch, row: row, channel: channel))
      channel &+= 2 &* lanes
    }
    if channel < channelCount {
      forEachTile(
        large: Tiles.NarrowLarge.self, single: Tiles.NarrowSingle.self,
        fillingLimit: Tiles.fillingLimit, leastRows: Tiles.leastRows, count: task.convolution.width,
        body: IntegerRow<Store>(task, scratch: scratch, row: row, channel: channel))
    }
    row &+= 1
  }
}

/// The rows `rows` of a layer of integers, whose windows are whole steps of the unit: 64 integers.
///
/// - Parameter scratch: memory for `IntegerLayerTask.scratchCount` floats.
@_alwaysEmitIntoClient @inline(__always)
public func convolve<Unit: TileUnit>(
  _: Unit.Type, _ task: IntegerLayerTask, rows: Range<Int>, scratch: Address
) {
  let sums = task.convolution
  let convolution = unsafe MatrixConvolutionTask(
    input: PixelGrid(
      BFloat16Address(sums.input), columnStep: sums.inputColumnStep, rowStep: sums.inputRowStep),
    windows: OffsetList(sums.tapOffsets, count: sums.tapCount),
    stepCount: sums.inputChannelCount / 16, weights: BFloat16Address(sums.weights), bias: sums.bias,
    output: PixelGrid(
      sums.output, columnStep: sums.outputColumnStep, rowStep: sums.outputRowStep),
    outputBlockCount: sums.outputBlockCount, width: sums.width)
  forEachPair(Unit.self, convolution, rows: rows) { (pair, unit) in
    pair.sum(convolution, &unit)
    pair.storeSums(scratch, &unit)
    pair.finish(task, scratch, column: pair.first, &unit)
    if pair.isPairOfPixels {
      pair.finish(task, scratch.advanced(by: 512), column: pair.second, &unit)
    }
  }
}

extension TilePair {
  @_alwaysEmitIntoClient @inline(__always)
  func finish<Unit: TileUnit>(
    _ task: IntegerLayerTask, _ sums: Address, column: Int, _ unit: inout Unit
  ) {
    DiceKernelTemplates.finish(
      Unit.ByteStore.self, task, sums: sums, step: 16, row: row, column: column,
      pixelCount: tileRows, channel: block * channelBlock, vectorCount: 1)
    if isPairOfBlocks {
      DiceKernelTemplates.finish(
        Unit.ByteStore.self, task, sums: sums.advanced(by: 256), step: 16, row: row, column: column,
        pixelCount: tileRows, channel: (block + 1) * channelBlock, vectorCount: 1)
    }
  }
}

/// Floats as 8-bit integers: `round(clamp(value * scale + zero, 0...255))`, a NaN as 0.
///
/// - Parameters:
///   - pixelStep: floats between neighbouring pixels of the source; up to 16 behind the last one are read.
///   - target: pixels of `groupCount` groups of four integers, `targetStep` groups apart. What lies behind a
///     pixel's last channel in its last group is of no meaning.
///   - count: the pixels.
@_alwaysEmitIntoClient @inline(__always)
public func quantize<Module>(
  _: Module.Type, _ source: Address, pixelStep: Int, to target: Address, groupCount: Int,
  targetStep: Int, count: Int, scale: Float, zero: Float
) {
  var (source, target) = (source, target)
  var pixel = 0
  if pixelStep == 3, groupCount == 1, targetStep == 1 {
    let (scales, zeros) = (SIMD16<Float>(repeating: scale), SIMD16<Float>(repeating: zero))
    while pixel + 4 <= count {
      let n = (source.vector(at: 0, as: SIMD16<Float>.self) * scales + zeros).nearestBytes
      let pixels = SIMD16<UInt8>(
        n[0], n[1], n[2], 0, n[3], n[4], n[5], 0, n[6], n[7], n[8], 0, n[9], n[10], n[11], 0)
      unsafe UnsafeMutableRawPointer(target.pointer).storeBytes(of: pixels, as: SIMD16<UInt8>.self)
      source = source.advanced(by: 12)
      target = target.advanced(by: 4)
      pixel += 4
    }
  }
  let (scales, zeros) = (SIMD4<Float>(repeating: scale), SIMD4<Float>(repeating: zero))
  let (wideScales, wideZeros) = (
    SIMD16<Float>(repeating: scale), SIMD16<Float>(repeating: zero)
  )
  while pixel < count {
    var group = 0
    while group + 4 <= groupCount {
      let n = (source.vector(at: group * 4, as: SIMD16<Float>.self) * wideScales + wideZeros)
        .nearestBytes
      unsafe UnsafeMutableRawPointer(target.pointer + group).storeBytes(
        of: n, as: SIMD16<UInt8>.self)
      group += 4
    }
    while group < groupCount {
      let values = source.vector(at: group * 4, as: SIMD4<Float>.self) * scales + zeros
      unsafe values.storeBytes(UnsafeMutableRawPointer(target.pointer + group))
      group += 1
    }
    source = source.advanced(by: pixelStep)
    target = target.advanced(by: targetStep)
    pixel += 1
  }
}
