public import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVXVNNI
  internal import DiceKernelsVNNI
#endif
#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
  internal import DiceKernelsAMX
#endif
#if arch(arm64) && (os(Linux) || hasFeature(Embedded)) && canImport(DiceKernelsDotProduct)
  internal import DiceKernelsDotProduct
#endif

/// Convolutions of 8-bit integers: the same bits on every processor.
///
/// Every function trusts its caller like those of `Kernels`.
public struct IntegerKernels: Sendable {
  /// What multiplies the integers.
  public enum Unit: String, CaseIterable, Hashable, Sendable {
    /// The scalar loops that define the result.
    case reference
    /// Vectors of any processor, without instructions for bytes.
    case baseline
    /// Pairs of 16-bit integers (AVX2).
    case avx2
    /// Four bytes at once in 256 bits (AVX-VNNI).
    case avxVNNI
    /// Four bytes at once in 512 bits (AVX-512 VNNI).
    case avx512VNNI
    /// Four bytes at once in 128 bits (dot products of Armv8.2).
    case dotProduct
    /// Tiles (AMX), beside AVX-512 VNNI.
    case amx

    /// Whether this build holds the kernels and the processor and operating system offer the unit.
    public var isAvailable: Bool {
      let features = ProcessorFeatures.current
      switch self {
      case .reference, .baseline: return true
      case .avx2: return features.hasAVX2
      case .avxVNNI: return features.hasAVXVNNI
      case .avx512VNNI: return features.hasAVX512VNNI
      case .dotProduct: return features.hasDotProduct
      case .amx: return MatrixModel.current != nil || features.hasIntegerAMX
      }
    }
  }

  #if arch(wasm32)
    /// Whether a build can have them; known to the compiler, which leaves out what works with them.
    @inline(__always)
    public static var areBuilt: Bool { false }
  #else
    /// Whether a build can have them; known to the compiler, which leaves out what works with them.
    @inline(__always)
    public static var areBuilt: Bool { true }
  #endif

  /// The unit in use.
  public let unit: Unit
  /// What multiplies where tiles do not: the unit itself but beside tiles.
  private let vectorUnit: Unit
  /// What computes in place of the processor's tiles.
  private let model: MatrixModel?

  /// The kernels of a unit, or of the best one here where it is not available.
  public init(_ unit: Unit? = nil) {
    let vectors: [Unit] = [.avx512VNNI, .avxVNNI, .avx2, .dotProduct]
    let best = vectors.first { (unit) in unit.isAvailable } ?? .baseline
    if let unit, unit.isAvailable {
      self.unit = unit
    } else {
      self.unit = Unit.amx.isAvailable ? .amx : best
    }
    vectorUnit = self.unit == .amx ? best : self.unit
    model = MatrixModel.current
  }

  /// The kernels that go with those of floats; nil asks for the reference.
  ///
  /// - Parameter isLimit: whether no wider instruction set is to be used.
  public init(with implementation: KernelImplementation?, isLimit: Bool) {
    let unit: Unit?
    switch implementation {
    case nil: unit = .reference
    case .baseline where isLimit: unit = .baseline
    case .avx2 where isLimit: unit = Unit.avxVNNI.isAvailable ? .avxVNNI : .avx2
    case .avx512 where isLimit: unit = Unit.avx512VNNI.isAvailable ? .avx512VNNI : .avx2
    default: unit = nil
    }
    self.init(unit)
  }

  /// Whether the unit has instructions for products of bytes: others take longer than floats.
  public var multipliesBytes: Bool {
    switch unit {
    case .avxVNNI, .avx512VNNI, .dotProduct, .amx: true
    case .reference, .baseline, .avx2: false
    }
  }

  /// What the unit takes from each input: the biases that it is given must have as many times the sum of
  /// their channel's weights more.
  public var inputOffset: Int { unit == .dotProduct ? 128 : 0 }

  /// The groups of four integers that a window of a layer takes in the packed weights: for tiles a
  /// multiple of 16.
  ///
  /// Windows far shorter than a tile's rows are left to vectors.
  public func groupCount(windowLength: Int) -> Int {
    let groups = (windowLength + 3) / 4
    let padded = (groups + 15) / 16 * 16
    return unit == .amx && padded <= 2 * groups ? padded : groups
  }

  /// The rows `rows` of a layer; the formula stands at `IntegerLayerTask`, with inputs less ``inputOffset``.
  ///
  /// - Parameter scratch: memory for `IntegerLayerTask.scratchCount` floats that nobody else uses.
  public func convolve(_ task: IntegerLayerTask, rows: Range<Int>, scratch: Address) {
    switch unit {
    case .reference: ReferenceKernels.convolve(task, rows: rows)
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx2: AVX2Kernels.convolveIntegers(task, rows: rows, scratch: scratch)
      case .avxVNNI: AVXVNNIKernels.convolveIntegers(task, rows: rows, scratch: scratch)
      case .avx512VNNI: VNNIKernels.convolveIntegers(task, rows: rows, scratch: scratch)
    #endif
    #if arch(arm64) && (os(Linux) || hasFeature(Embedded)) && canImport(DiceKernelsDotProduct)
      case .dotProduct: DotProductKernels.convolveIntegers(task, rows: rows, scratch: scratch)
    #endif
    case .amx: convolveOnTiles(task, rows: rows, scratch: scratch)
    default: BaselineKernels.convolveIntegers(task, rows: rows, scratch: scratch)
    }
  }

  private func convolveOnTiles(_ task: IntegerLayerTask, rows: Range<Int>, scratch: Address) {
    guard task.convolution.inputChannelCount.isMultiple(of: 16) else {
      return IntegerKernels(vectorUnit).convolve(task, rows: rows, scratch: scratch)
    }
    if let model { return model.convolveIntegers(task, rows, scratch) }
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
      convolveAMX(task, rows: rows, scratch: scratch)
    #endif
  }

  /// Floats as 8-bit integers; the formula and the parameters stand at the template.
  public func quantize(
    _ source: Address, pixelStep: Int, to target: Address, groupCount: Int, targetStep: Int,
    count: Int, scale: Float, zero: Float
  ) {
    switch vectorUnit {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx2, .avxVNNI:
        AVX2Kernels.quantize(
          source, pixelStep: pixelStep, to: target, groupCount: groupCount,
          targetStep: targetStep, count: count, scale: scale, zero: zero)
      case .avx512VNNI:
        VNNIKernels.quantize(
          source, pixelStep: pixelStep, to: target, groupCount: groupCount,
          targetStep: targetStep, count: count, scale: scale, zero: zero)
    #endif
    default:
      BaselineKernels.quantize(
        source, pixelStep: pixelStep, to: target, groupCount: groupCount,
        targetStep: targetStep, count: count, scale: scale, zero: zero)
    }
  }

  /// `output[y, x, g] = input[y / factor, x / factor, g]` over the output rows `rows`, of groups of four
  /// integers.
  ///
  /// - Parameter map: steps and channels count groups; a multiple of 4 channels.
  public func repeatNearest(_ map: MapTask, factor: Int, rows: Range<Int>) {
    for y in rows {
      for x in 0..<map.width {
        let source = map.input.advanced(
          by: y / factor * map.inputRowStep + x / factor * map.inputColumnStep)
        let target = map.output.advanced(by: y * map.outputRowStep + x * map.outputColumnStep)
        var group = 0
        while group < map.channelCount {
          target.store(source.vector(at: group, as: SIMD4<Float>.self), at: group)
          group += 4
        }
      }
    }
  }
}

/// Brings 8-bit weights into the order that the kernels of integers read: `[output block][window][group][16][4]`.
///
/// - Parameters:
///   - target: memory for as many groups of four, each in the place of a float.
///   - outputChannelCount: the channels that have weights; those that fill up the last block get 0.
///   - groupCount: the groups of a window.
///   - weight: the weight of an output channel for a value of a window.
@inline(__always)
public func packIntegerWeights(
  to target: Address, outputChannelCount: Int, windowCount: Int, windowLength: Int, groupCount: Int,
  weight: (_ output: Int, _ window: Int, _ value: Int) -> Int8
) {
  for block in 0..<paddedChannelCount(outputChannelCount) / channelGranularity {
    for window in 0..<windowCount {
      for group in 0..<groupCount {
        for lane in 0..<channelGranularity {
          let output = block * channelGranularity + lane
          var word: UInt32 = 0
          for place in 0..<4 where output < outputChannelCount && group * 4 + place < windowLength {
            let byte = UInt8(bitPattern: weight(output, window, group * 4 + place))
            word |= UInt32(byte) << UInt32(8 * place)
          }
          target.store(
            Float(bitPattern: word),
            at: ((block * windowCount + window) * groupCount + group) * channelGranularity + lane)
        }
      }
    }
  }
}

extension ReferenceKernels {
  /// The rows `rows` of a layer of integers, as they are defined.
  public static func convolve(_ task: IntegerLayerTask, rows: Range<Int>) {
    let convolution = task.convolution
    let blockStep = convolution.tapCount * convolution.inputChannelCount * channelGranularity
    for y in rows {
      for x in 0..<convolution.width {
        let input = convolution.input.advanced(
          by: y * convolution.inputRowStep + x * convolution.inputColumnStep)
        let output = convolution.output.advanced(
          by: y * convolution.outputRowStep + x * convolution.outputColumnStep)
        for o in 0..<convolution.outputBlockCount * channelGranularity {
          let weights = convolution.weights.advanced(
            by: o / channelGranularity * blockStep + o % channelGranularity)
          var sum = Int32(bitPattern: convolution.bias.scalar(at: o).bitPattern)
          for t in 0..<convolution.tapCount {
            for i in 0..<convolution.inputChannelCount {
              let factors = unsafe input.scalar(at: convolution.tapOffsets[t] + i).bitPattern
              let others = weights.scalar(
                at: (t * convolution.inputChannelCount + i) * channelGranularity
              ).bitPattern
              for place in 0..<4 {
                let factor = Int32(factors >> UInt32(8 * place) & 0xFF)
                let other = Int8(truncatingIfNeeded: others >> UInt32(8 * place))
                sum &+= factor * Int32(other)
              }
            }
          }
          if let requantization = task.requantization {
            output.store(requantized(sum, requantization, channel: o), at: o)
            continue
          }
          let value = Float(sum) * task.scales.scalar(at: o)
          if task.writesFloats {
            output.store(value, at: o)
            continue
          }
          let rectified = max(value, 0) + task.slope * min(value, 0)
          let integer = min(max(rectified + task.zero, 0), 255).rounded(.toNearestOrEven)
          unsafe (UnsafeMutableRawPointer(output.pointer) + o).storeBytes(
            of: UInt8(integer), as: UInt8.self)
        }
      }
    }
  }
}
