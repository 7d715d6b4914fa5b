internal import DiceDetection
internal import DiceWeights
internal import DiceGeometry
internal import DiceImaging
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel

/// Writes what a network sees of a frame into its input, on all threads of a pool.
///
/// Unchecked: it belongs to one call at a time, and the parts of a call use a sampler each.
@safe final class FrameSampling: ParallelWork, @unchecked Sendable {
  /// A sampler that one part at a time uses.
  private final class Sampler {
    var sampler: InputSampler

    init(_ kernels: Kernels) { sampler = InputSampler(kernels) }
  }

  /// What is to be sampled.
  @safe private struct Task {
    var frame: UnsafePointer<RawFrame>
    var transform: ImageTransform
    var region: InputRegion
    var rules: ImageRules
    var partCount: Int
  }

  /// Frames of fewer pixels are sampled by the caller alone.
  private static let leastPixelCount = 200_000

  private let rules: ImageRules
  private let pool: WorkerPool?
  private let samplers: [Sampler]
  private var task: Task?

  /// - Parameters:
  ///   - network: the network, whose instruction set samples as well.
  ///   - pool: the threads; nil works on the caller's alone.
  init(for network: GridBoxNetwork, pool: WorkerPool? = nil) {
    rules = network.imageRules
    self.pool = pool
    let kernels = Kernels(network.plan.implementation ?? .baseline)
    samplers = (0..<max(1, pool?.threadCount ?? 1)).map { (_) in Sampler(kernels) }
  }

  /// Writes the whole input of a runner.
  func writeInput(
    of runner: NetworkRunner, from frame: borrowing RawFrame, through transform: ImageTransform
  ) {
    let isLarge = frame.width * frame.height >= Self.leastPixelCount
    runner.withInput { (region) in
      unsafe withUnsafePointer(to: frame) { (frame) in
        unsafe task = Task(
          frame: frame, transform: transform, region: region, rules: rules,
          partCount: isLarge ? samplers.count : 1)
        if isLarge, let pool {
          pool.run(count: samplers.count, self)
        } else {
          perform(part: 0)
        }
        task = nil
      }
      if !rules.isUniform { Self.apply(rules, to: region) }
    }
  }

  func perform(part: Int) {
    guard let task = task else { return }
    let rules = task.rules
    let region = task.region
    let layout = SampleLayout(
      rowStride: region.rowStride, pixelStride: region.pixelStride, channelStride: 1)
    unsafe samplers[part].sampler.unsafeSample(
      task.frame.pointee, through: task.transform, into: region.pointer, layout: layout,
      scale: rules.isUniform ? rules.scales.x : 1, bias: rules.isUniform ? rules.biases.x : 0,
      paddingValue: rules.paddingValue, part: part, of: task.partCount)
  }

  /// Turns samples of red, green and blue into what the rules ask for, in place.
  private static func apply(_ rules: ImageRules, to region: InputRegion) {
    let isReversed = rules.channelOrder == .bgr
    for y in 0..<region.height {
      for x in 0..<region.width {
        let pixel = unsafe region.pointer + (y * region.rowStride + x * region.pixelStride)
        let color = unsafe SIMD3(pixel[isReversed ? 2 : 0], pixel[1], pixel[isReversed ? 0 : 2])
        let value = color * rules.scales + rules.biases
        unsafe pixel[0] = value.x
        unsafe pixel[1] = value.y
        unsafe pixel[2] = value.z
      }
    }
  }
}

extension ImageRules {
  /// Whether one factor and one offset do for all channels, in the order of the samples.
  fileprivate var isUniform: Bool {
    channelOrder == .rgb && scales == SIMD3(repeating: scales.x)
      && biases == SIMD3(repeating: biases.x)
  }
}
